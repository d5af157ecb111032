// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {
  Color, DynamicDrawUsage, EdgesGeometry, Group, InstancedMesh, LineBasicMaterial, LineSegments, Matrix4, MeshLambertMaterial, Raycaster,
} from 'three';
import {distinctColour, heatColour, materialColour} from './palette.js';
import {finenessFor, planShape} from './shapes.js';

/** Writes the matrix of one instance: rotation q = (w, x, y, z), place p, scale s. */
function writeMatrix(out, at, w, x, y, z, px, py, pz, sx, sy, sz) {
  const xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z, yz = y * z, wx = w * x, wy = w * y, wz = w * z;
  out[at] = (1 - 2 * (yy + zz)) * sx;
  out[at + 1] = 2 * (xy + wz) * sx;
  out[at + 2] = 2 * (xz - wy) * sx;
  out[at + 4] = 2 * (xy - wz) * sy;
  out[at + 5] = (1 - 2 * (xx + zz)) * sy;
  out[at + 6] = 2 * (yz + wx) * sy;
  out[at + 8] = 2 * (xz + wy) * sz;
  out[at + 9] = 2 * (yz - wx) * sz;
  out[at + 10] = (1 - 2 * (xx + yy)) * sz;
  out[at + 12] = px;
  out[at + 13] = py;
  out[at + 14] = pz;
  out[at + 15] = 1;
}

/** The bodies of the run as instanced meshes, one for each geometry. Planes are drawn by the ground. */
export class Bodies {
  constructor(page, space, theme) {
    this.page = page;
    this.space = space;
    this.group = new Group();
    this.materials = new Int32Array(page.bodies.length);
    this.partsOfBody = page.bodies.map(() => []);
    this.colours = page.bodies.map(() => new Color());
    this.meshes = [];
    this.rested = false;
    const shapeless = page.bodies.map(() => true);
    const plans = page.shapes.map(planShape);
    const groups = new Map();
    page.parts.body.forEach((body, part) => {
      const plan = plans[page.parts.shape[part]];
      if (shapeless[body]) this.materials[body] = page.parts.material[part];
      shapeless[body] = false;
      if (!plan) return;
      const fixed = page.bodies[body].kind === 'fixed';
      const key = `${fixed} ${plan.key}`;
      if (!groups.has(key)) groups.set(key, {plan, fixed, parts: []});
      groups.get(key).parts.push(part);
    });
    const fineness = finenessFor(page.parts.body.length);
    for (const {plan, fixed, parts} of groups.values()) this.addMesh(plan, fixed, parts, fineness, plans);
    this.setTheme(theme);
  }

  addMesh(plan, fixed, parts, fineness, plans) {
    const {page, space} = this;
    const material = new MeshLambertMaterial({vertexColors: true});
    const mesh = new InstancedMesh(plan.make(fineness), material, parts.length);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    const local = new Float64Array(10 * parts.length);
    parts.forEach((part, i) => {
      local.set(page.parts.position.slice(3 * part, 3 * part + 3), 10 * i);
      local.set(page.parts.orientation.slice(4 * part, 4 * part + 4), 10 * i + 3);
      local.set(plans[page.parts.shape[part]].scale.map((s) => s * space.scale), 10 * i + 7);
      this.partsOfBody[page.parts.body[part]].push([this.meshes.length, i]);
      mesh.setColorAt(i, new Color(1, 1, 1));
    });
    this.meshes.push({mesh, fixed, local, body: Int32Array.from(parts, (part) => page.parts.body[part])});
    this.group.add(mesh);
  }

  setTheme(theme) {
    this.theme = theme;
    this.colour(this.mode ?? 'material', this.values ?? null);
  }

  /** Colours the bodies: by 'material', 'body', 'island' or 'speed'. The last two need a value for each body (-1: none). */
  colour(mode, values) {
    this.mode = mode;
    this.values = values;
    const fixed = new Color(this.theme.fixed), moved = new Color(this.theme.moved);
    this.page.bodies.forEach((body, i) => {
      const colour = this.colours[i];
      if (mode === 'body') distinctColour(i, colour);
      else if (mode === 'island' && values && values[i] >= 0) distinctColour(values[i], colour);
      else if (mode === 'speed' && values) heatColour(values[i], colour);
      else if (body.kind === 'movable' && mode !== 'island') materialColour(this.materials[i], i, colour);
      else colour.copy(body.kind === 'moved' ? moved : fixed);
    });
    for (const {mesh, body} of this.meshes) {
      const out = mesh.instanceColor.array;
      body.forEach((b, i) => this.colours[b].toArray(out, 3 * i));
      mesh.instanceColor.needsUpdate = true;
    }
  }

  setGhost(ghost) {
    for (const {mesh} of this.meshes) {
      mesh.material.transparent = ghost;
      mesh.material.opacity = ghost ? 0.22 : 1;
      mesh.material.depthWrite = !ghost;
      mesh.material.needsUpdate = true;
    }
  }

  setShadows(on) {
    for (const {mesh} of this.meshes) {
      mesh.castShadow = on;
      mesh.receiveShadow = on;
      mesh.material.needsUpdate = true;
    }
  }

  /** Moves all bodies to a pose. Fixed bodies are placed once. */
  place(pose) {
    const {position, orientation} = pose;
    const {origin: [ox, oy, oz], scale: s} = this.space;
    for (const {mesh, fixed, local, body} of this.meshes) {
      if (fixed && this.rested) continue;
      const out = mesh.instanceMatrix.array;
      for (let i = 0, k = 0; i < body.length; ++i, k += 10) {
        const b = body[i];
        const w = orientation[4 * b], x = orientation[4 * b + 1], y = orientation[4 * b + 2], z = orientation[4 * b + 3];
        let px = position[3 * b], py = position[3 * b + 1], pz = position[3 * b + 2];
        const lx = local[k], ly = local[k + 1], lz = local[k + 2];
        const v = local[k + 3], a = local[k + 4], c = local[k + 5], d = local[k + 6];
        if (lx !== 0 || ly !== 0 || lz !== 0) {
          const tx = 2 * (y * lz - z * ly), ty = 2 * (z * lx - x * lz), tz = 2 * (x * ly - y * lx);
          px += lx + w * tx + y * tz - z * ty;
          py += ly + w * ty + z * tx - x * tz;
          pz += lz + w * tz + x * ty - y * tx;
        }
        if (v === 1) {
          writeMatrix(out, 16 * i, w, x, y, z, (px - ox) * s, (py - oy) * s, (pz - oz) * s, local[k + 7], local[k + 8], local[k + 9]);
        } else {
          writeMatrix(out, 16 * i, w * v - x * a - y * c - z * d, w * a + x * v + y * d - z * c, w * c - x * d + y * v + z * a,
                      w * d + x * c - y * a + z * v, (px - ox) * s, (py - oy) * s, (pz - oz) * s, local[k + 7], local[k + 8],
                      local[k + 9]);
        }
      }
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    }
    this.rested = true;
  }

  /** The body under a point of the picture (from -1 to 1), or -1. */
  pick(point, camera) {
    const caster = new Raycaster();
    caster.setFromCamera(point, camera);
    let best = -1, distance = Infinity;
    for (const {mesh, body} of this.meshes) {
      for (const hit of caster.intersectObject(mesh, false)) {
        if (hit.distance >= distance) continue;
        distance = hit.distance;
        best = body[hit.instanceId];
      }
    }
    return best;
  }

  /** Lines along the edges of a body, to show which one is picked. */
  outline(body, colour) {
    const outline = new Group();
    const matrix = new Matrix4();
    for (const [number, i] of this.partsOfBody[body]) {
      const {mesh} = this.meshes[number];
      const edges = new EdgesGeometry(mesh.geometry, mesh.geometry.getAttribute('position').count > 400 ? 1 : 25);
      const lines = new LineSegments(edges, new LineBasicMaterial({color: colour, fog: false}));
      mesh.getMatrixAt(i, matrix);
      lines.matrixAutoUpdate = false;
      lines.matrix.copy(matrix);
      outline.add(lines);
    }
    return outline;
  }

  /** Moves an outline with its body. */
  moveOutline(outline, body) {
    this.partsOfBody[body].forEach(([number, i], k) => {
      this.meshes[number].mesh.getMatrixAt(i, outline.children[k].matrix);
      outline.children[k].matrixWorldNeedsUpdate = true;
    });
  }
}
