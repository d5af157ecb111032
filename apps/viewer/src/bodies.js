// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {
  Color, EdgesGeometry, Group, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial, Quaternion, Raycaster, Sphere, Vector3,
} from 'three';
import {Copies} from './copies.js';
import {SUN, distinctColour, heatColour, materialColour} from './palette.js';
import {fewFaces, finenessFor, planShape} from './shapes.js';

const PLACE = new Vector3(), TURN = new Quaternion(), SIZE = new Vector3();

/** The bodies of the run as copies of a few geometries. Planes are drawn by the ground. */
export class Bodies {
  constructor(page, space, theme, software, shells) {
    this.page = page;
    this.space = space;
    this.software = software;
    this.group = new Group();
    this.flatShadows = new Group();
    this.flatShadows.visible = false;
    this.group.add(this.flatShadows);
    this.materials = new Int32Array(page.bodies.length);
    this.partsOfBody = page.bodies.map(() => []);
    this.colours = page.bodies.map(() => new Color());
    this.meshes = [];
    this.light = {skyLight: {}, earthLight: {}, sunLight: {}, sunTowards: {}, groundHeight: {value: 0}};
    this.flatMaterials = [];
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
      const shell = shells.has(body);
      const key = `${fixed} ${shell} ${plan.key}`;
      if (!groups.has(key)) groups.set(key, {plan, fixed, shell, parts: []});
      groups.get(key).parts.push(part);
    });
    for (const group of groups.values()) this.addMesh(group, finenessFor(group.parts.length), plans);
    this.hues = this.huesOfBodies();
    this.setTheme(theme);
  }

  /** A number for the hue of each body: its material, or the form of its first part if there is one material only. */
  huesOfBodies() {
    const {bodies, shapes, parts} = this.page;
    const movable = bodies.map((body, i) => i).filter((i) => bodies[i].kind === 'movable');
    if (new Set(movable.map((i) => this.materials[i])).size > 1) return this.materials;
    const forms = bodies.map(() => '');
    const exact = ({kind, points, triangles, ...sizes}) => (kind === 'mesh' ? kind : JSON.stringify([kind, sizes]));
    const named = (form) => parts.body.forEach((body, part) => (forms[body] ||= form(shapes[parts.shape[part]])));
    named(exact);
    let kinds = new Set(movable.map((i) => forms[i]));
    if (kinds.size > 8) {
      forms.fill('');
      named((shape) => shape.kind);
      kinds = new Set(movable.map((i) => forms[i]));
    }
    const order = [...kinds];
    return Int32Array.from(forms, (form) => Math.max(0, order.indexOf(form)));
  }

  addMesh({plan, fixed, shell, parts}, fineness, plans) {
    const {page, space} = this;
    const Material = this.software ? MeshBasicMaterial : MeshLambertMaterial;
    const copies = new Copies(plan.make(fineness), parts.length, new Material({vertexColors: true, fog: !this.software}), this.software,
                              this.software ? fewFaces(plan, fineness) : null);
    if (this.software) {
      copies.lightVertices(this.light);
      if (!fixed && !shell) this.addFlatShadow(copies);
    }
    const local = new Float64Array(7 * parts.length);
    parts.forEach((part, i) => {
      local.set(page.parts.position.slice(3 * part, 3 * part + 3), 7 * i);
      local.set(page.parts.orientation.slice(4 * part, 4 * part + 4), 7 * i + 3);
      copies.setSize(i, ...plans[page.parts.shape[part]].scale.map((s) => s * space.scale));
      this.partsOfBody[page.parts.body[part]].push([this.meshes.length, i]);
    });
    copies.sizesAreFinal();
    if (shell) copies.mesh.renderOrder = 1;
    this.meshes.push({copies, fixed, shell, local, body: Int32Array.from(parts, (part) => page.parts.body[part])});
    this.group.add(copies.mesh);
  }

  /** Software has no shadow maps, but shadows on the flat plane. They are opaque, so that none is darker where two meet. */
  addFlatShadow(copies) {
    const material = new MeshBasicMaterial({fog: false, polygonOffset: true, polygonOffsetFactor: 0.5, polygonOffsetUnits: 2});
    const shadow = copies.flatShadow(material, this.light);
    shadow.renderOrder = -1;
    this.flatMaterials.push(material);
    this.flatShadows.add(shadow);
  }

  setTheme(theme) {
    this.theme = theme;
    this.light.skyLight.value = new Color(theme.sky).multiplyScalar(theme.fill);
    this.light.earthLight.value = new Color(theme.earth).multiplyScalar(theme.fill);
    this.light.sunLight.value = new Color('#ffffff').multiplyScalar(theme.sun);
    this.light.sunTowards.value = SUN.clone().normalize();
    for (const material of this.flatMaterials) material.color.set(theme.ground).multiplyScalar(1 - theme.shadow);
    this.colour(this.mode ?? 'material', this.values ?? null);
  }

  /** Colours the bodies: by 'material', 'body', 'island' or 'speed'. The last two need a value for each body (-1: none). */
  colour(mode, values) {
    this.mode = mode;
    this.values = values;
    const fixed = new Color(this.theme.fixed), moved = new Color(this.theme.moved);
    this.page.bodies.forEach((body, i) => {
      const colour = this.colours[i];
      if (mode === 'body') distinctColour(i, i, colour);
      else if (mode === 'island' && values && values[i] >= 0) distinctColour(values[i], i, colour);
      else if (mode === 'speed' && values) heatColour(values[i], colour);
      else if (body.kind === 'movable' && mode !== 'island') materialColour(this.hues[i], i, colour);
      else colour.copy(body.kind === 'moved' ? moved : fixed);
    });
    for (const {copies, body} of this.meshes) {
      body.forEach((b, i) => copies.setColour(i, this.colours[b]));
      copies.posesChanged();
    }
  }

  setGhost(ghost) {
    for (const {copies: {mesh}, shell} of this.meshes) {
      mesh.material.transparent = ghost || shell;
      mesh.material.opacity = shell ? 0.16 : ghost ? 0.22 : 1;
      mesh.material.depthWrite = !ghost && !shell;
      mesh.material.needsUpdate = true;
    }
  }

  /** Shadows on or off. `plane` is the flat plane, or null. */
  setShadows(on, plane) {
    if (this.software) {
      this.flatShadows.visible = on && plane !== null;
      if (plane) this.light.groundHeight.value = plane.height;
      return;
    }
    for (const {copies: {mesh}, shell} of this.meshes) {
      mesh.castShadow = on && !shell;
      mesh.receiveShadow = on && !shell;
      mesh.material.needsUpdate = true;
    }
  }

  /** Moves all bodies to a pose. Fixed bodies are placed once. */
  place(pose) {
    const {position, orientation} = pose;
    const {origin: [ox, oy, oz], scale: s} = this.space;
    for (const {copies, fixed, local, body} of this.meshes) {
      if (fixed && this.rested) continue;
      for (let i = 0, k = 0; i < body.length; ++i, k += 7) {
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
        if (v === 1) copies.setPose(i, (px - ox) * s, (py - oy) * s, (pz - oz) * s, w, x, y, z);
        else {
          copies.setPose(i, (px - ox) * s, (py - oy) * s, (pz - oz) * s, w * v - x * a - y * c - z * d, w * a + x * v + y * d - z * c,
                         w * c - x * d + y * v + z * a, w * d + x * c - y * a + z * v);
        }
      }
      copies.posesChanged();
    }
    this.rested = true;
  }

  matrixOf(copies, i, target = new Matrix4()) {
    return copies.matrix(i, target, PLACE, TURN, SIZE);
  }

  /** The body under a point of the picture (from -1 to 1), or -1. What is seen through is not picked. */
  pick(point, camera) {
    const caster = new Raycaster();
    caster.setFromCamera(point, camera);
    let best = -1, distance = Infinity;
    const ball = new Sphere();
    for (const {copies, body, shell} of this.meshes) {
      if (shell) continue;
      copies.geometry.computeBoundingSphere();
      const one = new Mesh(copies.geometry, copies.material);
      for (let i = 0; i < body.length; ++i) {
        this.matrixOf(copies, i, one.matrixWorld);
        ball.copy(copies.geometry.boundingSphere).applyMatrix4(one.matrixWorld);
        if (!caster.ray.intersectsSphere(ball)) continue;
        for (const hit of caster.intersectObject(one, false)) {
          if (hit.distance >= distance) continue;
          distance = hit.distance;
          best = body[i];
        }
      }
    }
    return best;
  }

  /** Lines along the edges of a body, to show which one is picked. */
  outline(body, colour) {
    const outline = new Group();
    for (const [number, i] of this.partsOfBody[body]) {
      const {copies} = this.meshes[number];
      const edges = new EdgesGeometry(copies.geometry, copies.geometry.getAttribute('position').count > 400 ? 1 : 25);
      const lines = new LineSegments(edges, new LineBasicMaterial({color: colour, fog: false}));
      lines.matrixAutoUpdate = false;
      this.matrixOf(copies, i, lines.matrix);
      outline.add(lines);
    }
    return outline;
  }

  /** Moves an outline with its body. */
  moveOutline(outline, body) {
    this.partsOfBody[body].forEach(([number, i], k) => {
      this.matrixOf(this.meshes[number].copies, i, outline.children[k].matrix);
      outline.children[k].matrixWorldNeedsUpdate = true;
    });
  }
}
