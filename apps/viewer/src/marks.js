// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {BufferAttribute, Color, ConeGeometry, CylinderGeometry, Group, MeshBasicMaterial, OctahedronGeometry, TorusGeometry} from 'three';
import {Copies} from './copies.js';

// Marks of contacts and joints: many equal small shapes, drawn over the bodies.

export const MARKS = {
  ring: () => new TorusGeometry(0.8, 0.22, 4, 10),
  octahedron: () => new OctahedronGeometry(1),
  cone: () => new ConeGeometry(0.7, 2.4, 6).rotateX(Math.PI / 2),
  rod: () => new CylinderGeometry(1, 1, 1, 6, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.5),
  tip: () => new ConeGeometry(1, 2.2, 6).rotateX(Math.PI / 2).translate(0, 0, 1.1),
};

const WHITE = new Color('#ffffff');

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
  constructor(geometry, colour, software) {
    this.group = new Group();
    this.geometry = shaded(geometry);
    this.material = new MeshBasicMaterial({vertexColors: true, color: colour, fog: false});
    this.software = software;
    this.copies = null;
    this.count = 0;
  }

  setColour(colour) {
    this.material.color.set(colour);
  }

  /** Starts anew, with room for so many. */
  begin(room) {
    this.count = 0;
    if (room === 0 || (this.copies && this.copies.room >= room)) return;
    if (this.copies) {
      this.group.remove(this.copies.mesh);
      this.copies.dispose();
    }
    this.copies = new Copies(this.geometry, Math.ceil(room * 1.5) + 16, this.material, this.software);
    this.group.add(this.copies.mesh);
  }

  /** Adds one at (x, y, z) along (dx, dy, dz), which need not have length 1. */
  add(x, y, z, dx, dy, dz, across, along, colour = null) {
    const length = Math.hypot(dx, dy, dz);
    // The turn from the z axis to the direction.
    let w = 1, tx = 0, ty = 0;
    if (length > 0) {
      const up = 1 + dz / length;
      if (up > 1e-6) {
        const norm = Math.sqrt(2 * up);
        w = norm / 2;
        tx = -dy / length / norm;
        ty = dx / length / norm;
      } else {
        w = 0;
        tx = 1;
      }
    }
    this.copies.setPose(this.count, x, y, z, w, tx, ty, 0);
    this.copies.setSize(this.count, across, across, along);
    this.copies.setColour(this.count, colour ?? WHITE);
    ++this.count;
  }

  end() {
    if (!this.copies) return;
    this.copies.count = this.count;
    this.copies.posesChanged();
    this.copies.sizesChanged();
  }
}
