// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {
  BufferAttribute, BufferGeometry, Color, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, Quaternion, ShadowMaterial, Vector3,
} from 'three';
import {VIEW_RADIUS} from './space.js';

/** Spokes of the disc that is the ground, and its rings as shares of its radius. */
const SPOKES = 48;
const RINGS = [0, 0.12, 0.22, 0.34, 0.48, 0.64, 0.82, 1];
/** Lines of the grid on each side of its middle. */
const LINES = 40;

/** A round length of the world, for cells of the grid. */
export function cellOf(space) {
  const about = VIEW_RADIUS / space.scale / 4;
  const power = 10 ** Math.floor(Math.log10(about));
  return power * (about >= 5 * power ? 5 : about >= 2 * power ? 2 : 1);
}

/** How much is left of a colour at this share of the radius. */
function fade(share) {
  const t = Math.min(1, Math.max(0, (share - 0.1) / 0.85));
  return 1 - t * t * (3 - 2 * t);
}

/** A disc of radius 1 whose vertices have a colour with an alpha. */
function disc() {
  const places = [], index = [];
  for (const ring of RINGS) {
    for (let k = 0; k < SPOKES; ++k) {
      const angle = (2 * Math.PI * k) / SPOKES;
      places.push(ring * Math.cos(angle), ring * Math.sin(angle), 0);
    }
  }
  for (let r = 0; r + 1 < RINGS.length; ++r) {
    for (let k = 0; k < SPOKES; ++k) {
      const a = r * SPOKES + k, b = r * SPOKES + ((k + 1) % SPOKES), c = a + SPOKES, d = b + SPOKES;
      index.push(a, c, d, a, d, b);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(places), 3));
  geometry.setAttribute('color', new BufferAttribute(new Float32Array((places.length / 3) * 4), 4));
  geometry.setIndex(index);
  return geometry;
}

/** The colours of its vertices are ready for the screen. */
function asGiven(material) {
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace('#include <colorspace_fragment>', '');
  };
  return material;
}

/** A colour as the screen shows it. */
function onScreen(colour) {
  return new Color(colour).convertLinearToSRGB();
}

/** The planes of the run, with a grid. The plane that lies flat goes to the horizon, others fade around the scene. */
export class Ground {
  constructor(page, space, theme) {
    this.page = page;
    this.space = space;
    this.group = new Group();
    this.planes = [];
    page.parts.body.forEach((body, part) => {
      if (page.shapes[page.parts.shape[part]].kind === 'plane') this.add(body, part);
    });
    this.setTheme(theme);
  }

  add(body, part) {
    const {parts} = this.page;
    const offset = {polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 4};
    const floor = new Mesh(disc(), asGiven(new MeshBasicMaterial({vertexColors: true, fog: false, ...offset})));
    const grid = new LineSegments(new BufferGeometry(), asGiven(new LineBasicMaterial({vertexColors: true, fog: false, transparent: true, depthWrite: false})));
    const shadow = new Mesh(floor.geometry, new ShadowMaterial({opacity: 0.22, polygonOffset: true, polygonOffsetFactor: 0.5}));
    shadow.receiveShadow = true;
    shadow.visible = false;
    [floor, shadow, grid].forEach((object, order) => {
      object.frustumCulled = false;
      object.renderOrder = order - 4;
    });
    const holder = new Group();
    holder.add(floor, shadow, grid);
    this.group.add(holder);
    const [w, x, y, z] = parts.orientation.slice(4 * part, 4 * part + 4);
    this.planes.push({body, at: parts.position.slice(3 * part, 3 * part + 3), turn: new Quaternion(x, y, z, w), holder, floor, grid, shadow, cells: null});
  }

  setTheme(theme) {
    this.theme = theme;
    for (const plane of this.planes) {
      plane.shadow.material.opacity = theme.shadow;
      plane.cells = null;
    }
  }

  setShadows(on) {
    for (const {shadow} of this.planes) shadow.visible = on;
  }

  /** The plane that lies flat, as {height} in the picture, or null. */
  flat() {
    const plane = this.planes.find((one) => one.flat);
    return plane ? {height: plane.holder.position.z} : null;
  }

  /** Where each plane is: it may belong to a body that moves. */
  place(pose) {
    for (const plane of this.planes) {
      const {body, at, turn, holder} = plane;
      const {position: p, orientation: q} = pose;
      const bodyTurn = new Quaternion(q[4 * body + 1], q[4 * body + 2], q[4 * body + 3], q[4 * body]);
      const local = new Vector3(...at).applyQuaternion(bodyTurn);
      this.space.view(p[3 * body] + local.x, p[3 * body + 1] + local.y, p[3 * body + 2] + local.z, holder.position);
      holder.quaternion.copy(bodyTurn).multiply(turn);
      const normal = new Vector3(0, 0, 1).applyQuaternion(holder.quaternion);
      plane.flat = normal.z > 0.999;
      // The disc lies around the foot of the scene's middle. Lines of the grid go through the plane's own origin.
      const middle = holder.position.clone().negate().applyQuaternion(holder.quaternion.clone().invert());
      this.draw(plane, middle.x, middle.y);
    }
  }

  /** Makes disc and grid, if they are not there yet. */
  draw(plane, middleX, middleY) {
    const cell = cellOf(this.space) * this.space.scale;
    const key = `${Math.round(middleX / cell)} ${Math.round(middleY / cell)} ${plane.flat}`;
    if (plane.cells === key) return;
    plane.cells = key;
    const reach = plane.flat ? 9 * VIEW_RADIUS : 2 * VIEW_RADIUS;
    const ground = onScreen(this.theme.ground), background = onScreen(this.theme.background), colour = new Color();
    const colours = plane.floor.geometry.getAttribute('color');
    for (let i = 0; i < colours.count; ++i) {
      const left = fade(RINGS[Math.floor(i / SPOKES)]);
      if (plane.flat) colour.copy(background).lerp(ground, left);
      else colour.copy(ground);
      colours.setXYZW(i, colour.r, colour.g, colour.b, plane.flat ? 1 : left);
    }
    colours.needsUpdate = true;
    plane.floor.material.transparent = !plane.flat;
    plane.floor.material.depthWrite = plane.flat;
    plane.floor.scale.setScalar(reach);
    plane.floor.position.set(middleX, middleY, 0);
    plane.shadow.scale.setScalar(2.4 * VIEW_RADIUS);
    plane.shadow.position.set(middleX, middleY, 0);
    this.drawGrid(plane, middleX, middleY, cell, plane.flat ? 0.45 * reach : 0.9 * reach);
  }

  /** Lines in pieces, so that they fade with the distance. Every fifth is stronger. */
  drawGrid(plane, middleX, middleY, cell, reach) {
    const places = [], colours = [];
    const line = onScreen(this.theme.line);
    const vertex = (x, y, strength) => {
      places.push(x, y, 0);
      colours.push(line.r, line.g, line.b, strength * fade(Math.hypot(x - middleX, y - middleY) / reach));
    };
    const startX = Math.round(middleX / cell), startY = Math.round(middleY / cell);
    const pieces = 24;
    for (let k = -LINES; k <= LINES; ++k) {
      for (const along of [0, 1]) {
        const number = (along ? startY : startX) + k;
        const across = number * cell;
        const away = Math.abs(k) * cell;
        if (away >= reach) continue;
        const half = Math.sqrt(reach * reach - away * away);
        const strength = number % 5 === 0 ? 1 : 0.5;
        const from = along ? middleX : middleY;
        for (let i = 0; i < pieces; ++i) {
          for (const j of [i, i + 1]) {
            const t = from - half + (2 * half * j) / pieces;
            vertex(along ? t : across, along ? across : t, strength);
          }
        }
      }
    }
    plane.grid.geometry.dispose();
    plane.grid.geometry = new BufferGeometry();
    plane.grid.geometry.setAttribute('position', new BufferAttribute(Float32Array.from(places), 3));
    plane.grid.geometry.setAttribute('color', new BufferAttribute(Float32Array.from(colours), 4));
  }
}
