// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {
  BufferAttribute, Color, ConeGeometry, CylinderGeometry, DynamicDrawUsage, Group, InstancedBufferAttribute, InstancedMesh, MeshBasicMaterial,
  OctahedronGeometry, TorusGeometry,
} from 'three';

// Marks of contacts and joints: many equal small shapes, drawn over the bodies.

export const MARKS = {
  ring: () => new TorusGeometry(0.8, 0.22, 4, 10),
  octahedron: () => new OctahedronGeometry(1),
  cone: () => new ConeGeometry(0.7, 2.4, 6).rotateX(Math.PI / 2),
  rod: () => new CylinderGeometry(1, 1, 1, 6, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.5),
  tip: () => new ConeGeometry(1, 2.2, 6).rotateX(Math.PI / 2).translate(0, 0, 1.1),
};

/** A little shade by the direction of faces, so that flat colours look solid. */
function shaded(geometry) {
  const normals = geometry.getAttribute('normal');
  const colours = new Float32Array(3 * normals.count);
  for (let i = 0; i < normals.count; ++i) {
    colours.fill(0.82 + 0.18 * (0.35 * normals.getX(i) - 0.4 * normals.getY(i) + 0.85 * normals.getZ(i)), 3 * i, 3 * i + 3);
  }
  geometry.setAttribute('color', new BufferAttribute(colours, 3));
  return geometry;
}

/** Instances of one mark. Room grows as needed. Each has a place, a direction (its z axis), and a scale across and along. */
export class Marks {
  constructor(geometry, colour, varied = false) {
    this.group = new Group();
    this.geometry = shaded(geometry);
    this.material = new MeshBasicMaterial({vertexColors: true, color: varied ? '#ffffff' : colour, fog: false});
    this.varied = varied;
    this.mesh = null;
    this.count = 0;
  }

  setColour(colour) {
    if (!this.varied) this.material.color.set(colour);
  }

  /** Starts anew, with room for so many. */
  begin(room) {
    this.count = 0;
    if (this.mesh && this.mesh.instanceMatrix.count >= room) return;
    if (room === 0) return;
    if (this.mesh) {
      this.group.remove(this.mesh);
      this.mesh.dispose();
    }
    const capacity = Math.ceil(room * 1.5) + 16;
    this.mesh = new InstancedMesh(this.geometry, this.material, capacity);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    if (this.varied) this.mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * capacity), 3);
    this.mesh.frustumCulled = false;
    this.group.add(this.mesh);
  }

  /** Adds one at (x, y, z) along (dx, dy, dz), which need not have length 1. */
  add(x, y, z, dx, dy, dz, across, along, colour = null) {
    const out = this.mesh.instanceMatrix.array;
    const at = 16 * this.count;
    const length = Math.hypot(dx, dy, dz);
    let wx = 0, wy = 0, wz = 1;
    if (length > 0) {
      wx = dx / length;
      wy = dy / length;
      wz = dz / length;
    }
    // Two directions across: Duff's basis, which has no jump but at wz = 0.
    const sign = wz >= 0 ? 1 : -1;
    const a = -1 / (sign + wz), b = wx * wy * a;
    out[at] = (1 + sign * wx * wx * a) * across;
    out[at + 1] = sign * b * across;
    out[at + 2] = -sign * wx * across;
    out[at + 4] = b * across;
    out[at + 5] = (sign + wy * wy * a) * across;
    out[at + 6] = -wy * across;
    out[at + 8] = wx * along;
    out[at + 9] = wy * along;
    out[at + 10] = wz * along;
    out[at + 12] = x;
    out[at + 13] = y;
    out[at + 14] = z;
    out[at + 15] = 1;
    if (colour) colour.toArray(this.mesh.instanceColor.array, 3 * this.count);
    ++this.count;
  }

  end() {
    if (!this.mesh) return;
    this.mesh.count = this.count;
    this.mesh.visible = this.count > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }
}

export const SCRATCH_COLOUR = new Color();
