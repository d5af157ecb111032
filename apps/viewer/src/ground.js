// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {Color, Group, Mesh, PlaneGeometry, Quaternion, ShaderMaterial, ShadowMaterial, Vector3} from 'three';
import {VIEW_RADIUS} from './space.js';

const VERTEX = `
varying vec2 place;
varying vec2 fromMiddle;
uniform vec2 middle;
uniform float reach;
void main() {
  place = position.xy * reach + middle;
  fromMiddle = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position.xy * reach + middle, 0.0, 1.0);
}`;

const FRAGMENT = `
varying vec2 place;
varying vec2 fromMiddle;
uniform vec3 ground;
uniform vec3 line;
uniform vec3 background;
uniform float cell;
uniform float seeThrough;
uniform vec2 start;

float lines(vec2 p, float width) {
  vec2 slope = fwidth(p);
  vec2 away = abs(fract(p - 0.5) - 0.5) / max(slope * width, 1e-6);
  float on = 1.0 - min(min(away.x, away.y), 1.0);
  return on * (1.0 - smoothstep(0.15, 0.5, max(slope.x, slope.y)));
}

void main() {
  float away = length(fromMiddle);
  float fade = smoothstep(0.25, 0.98, away);
  vec2 p = (place - start) / cell;
  float on = max(0.45 * lines(p, 1.0), lines(p / 5.0, 1.3));
  vec3 colour = mix(ground, line, on);
  gl_FragColor = vec4(mix(colour, background, fade * (1.0 - seeThrough)), mix(1.0, 1.0 - fade, seeThrough));
  #include <colorspace_fragment>
}`;

/** A round length of the world, for cells of the grid. */
export function cellOf(space) {
  const about = VIEW_RADIUS / space.scale / 4;
  const power = 10 ** Math.floor(Math.log10(about));
  return power * (about >= 5 * power ? 5 : about >= 2 * power ? 2 : 1);
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
    const uniforms = {
      ground: {value: new Color()}, line: {value: new Color()}, background: {value: new Color()}, cell: {value: 1},
      seeThrough: {value: 0}, middle: {value: [0, 0]}, start: {value: [0, 0]}, reach: {value: 1},
    };
    const material = new ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 2,
    });
    const geometry = new PlaneGeometry(2, 2, 1, 1);
    const mesh = new Mesh(geometry, material);
    const shadow = new Mesh(geometry, new ShadowMaterial({opacity: 0.22, polygonOffset: true, polygonOffsetFactor: 0.5}));
    shadow.receiveShadow = true;
    shadow.visible = false;
    for (const one of [mesh, shadow]) one.frustumCulled = false;
    mesh.renderOrder = -2;
    shadow.renderOrder = -1;
    this.group.add(mesh, shadow);
    const [w, x, y, z] = parts.orientation.slice(4 * part, 4 * part + 4);
    this.planes.push({body, at: parts.position.slice(3 * part, 3 * part + 3), turn: new Quaternion(x, y, z, w), mesh, shadow, uniforms});
  }

  setTheme(theme) {
    for (const {uniforms, shadow} of this.planes) {
      uniforms.ground.value.set(theme.ground);
      uniforms.line.value.set(theme.line);
      uniforms.background.value.set(theme.background);
      shadow.material.opacity = theme.shadow;
    }
  }

  setShadows(on) {
    for (const {shadow} of this.planes) shadow.visible = on;
  }

  /** Where each plane is: it may belong to a body that moves. */
  place(pose) {
    for (const {body, at, turn, mesh, shadow, uniforms} of this.planes) {
      const {position: p, orientation: q} = pose;
      const bodyTurn = new Quaternion(q[4 * body + 1], q[4 * body + 2], q[4 * body + 3], q[4 * body]);
      const local = new Vector3(...at).applyQuaternion(bodyTurn);
      this.space.view(p[3 * body] + local.x, p[3 * body + 1] + local.y, p[3 * body + 2] + local.z, mesh.position);
      mesh.quaternion.copy(bodyTurn).multiply(turn);
      // The quad lies around the foot of the scene's middle. Grid lines go through the plane's own origin.
      const middle = mesh.position.clone().negate().applyQuaternion(mesh.quaternion.clone().invert());
      const normal = new Vector3(0, 0, 1).applyQuaternion(mesh.quaternion);
      const flat = normal.z > 0.95;
      uniforms.middle.value = [middle.x, middle.y];
      uniforms.reach.value = flat ? 9 * VIEW_RADIUS : 2 * VIEW_RADIUS;
      uniforms.cell.value = cellOf(this.space) * this.space.scale;
      uniforms.seeThrough.value = flat ? 0 : 1;
      mesh.material.transparent = !flat;
      mesh.material.depthWrite = flat;
      const cell = uniforms.cell.value * 5;
      uniforms.start.value = [Math.round(middle.x / cell) * cell, Math.round(middle.y / cell) * cell].map((v) => (Number.isFinite(v) ? v : 0));
      // Shadows lie on a quad of the size of the scene.
      shadow.quaternion.copy(mesh.quaternion);
      shadow.position.copy(mesh.position).add(new Vector3(middle.x, middle.y, 0).applyQuaternion(mesh.quaternion));
      shadow.scale.setScalar(2.4 * VIEW_RADIUS);
    }
  }
}
