// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {
  Color, DirectionalLight, Fog, HemisphereLight, PCFShadowMap, PerspectiveCamera, Scene, Vector2, Vector3, WebGLRenderer,
} from 'three';
import {OrbitControls} from 'three/addons/controls/OrbitControls.js';
import {SUN} from './palette.js';
import {VIEW_RADIUS} from './space.js';

/** Directions from which the presets look, towards the camera. */
export const PRESETS = {
  front: [0, -1, 0.12], side: [1, 0, 0.12], top: [0, -0.001, 1], slanted: [0.62, -1, 0.5],
};

/** Milliseconds of rest after which software draws a finer picture, and the most pixels of it. */
const REST = 300;
const FINE_PIXELS = 6e6;

/** What draws on a canvas: {context, software}, or null if there is no WebGL. */
export function openWebGl(canvas, forced) {
  // Smoothing costs software too much, and must be chosen before it is known what draws. So pictures are smoothed by more pixels.
  const context = canvas.getContext('webgl2', {antialias: false, alpha: false, stencil: false, powerPreference: 'high-performance'});
  if (!context) return null;
  const info = context.getExtension('WEBGL_debug_renderer_info');
  const name = String(context.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : context.RENDERER));
  return {context, software: forced !== 'device' && /swiftshader|llvmpipe|software|basic render/i.test(name)};
}

/** The picture: light, camera, and when to draw. Two scenes: bodies, and marks that are seen through them. */
export class Stage {
  constructor(canvas, webGl, space, theme) {
    this.canvas = canvas;
    this.space = space;
    this.software = webGl.software;
    this.renderer = new WebGLRenderer({canvas, context: webGl.context});
    this.renderer.autoClear = false;
    this.renderer.debug.checkShaderErrors = false;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.scene = new Scene();
    this.overlay = new Scene();
    this.camera = new PerspectiveCamera(32, 1, 0.1, 1000);
    this.camera.up.set(0, 0, 1);
    this.sky = new HemisphereLight();
    this.sun = new DirectionalLight();
    this.sun.position.copy(SUN).multiplyScalar(VIEW_RADIUS);
    this.sun.shadow.mapSize.setScalar(2048);
    Object.assign(this.sun.shadow.camera, {
      left: -1.3 * VIEW_RADIUS, right: 1.3 * VIEW_RADIUS, top: 1.3 * VIEW_RADIUS, bottom: -1.3 * VIEW_RADIUS, near: 1, far: 6 * VIEW_RADIUS,
    });
    this.sun.shadow.normalBias = 0.02;
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.radius = 3;
    this.scene.add(this.sky, this.sun, this.sun.target);
    this.scene.fog = new Fog('#000000', 1, 2);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.controls.minDistance = 0.02 * VIEW_RADIUS;
    this.controls.maxDistance = 20 * VIEW_RADIUS;
    this.controls.addEventListener('change', () => this.invalidate());
    this.dirty = true;
    this.stale = true;
    this.drawn = 0;
    this.setTheme(theme);
  }

  setTheme(theme) {
    this.background = new Color(theme.background);
    this.renderer.setClearColor(this.background, 1);
    this.scene.fog.color.copy(this.background);
    this.sky.color.set(theme.sky);
    this.sky.groundColor.set(theme.earth);
    this.sky.intensity = theme.fill;
    this.sky.position.set(0, 0, 1);
    this.sun.intensity = theme.sun;
    this.invalidate();
  }

  setShadows(on) {
    this.renderer.shadowMap.enabled = on;
    this.sun.castShadow = on;
    this.stale = true;
    this.invalidate();
  }

  invalidate() {
    this.dirty = true;
  }

  /** Bodies have moved: the shadows must be drawn anew. */
  moved() {
    this.stale = true;
    this.dirty = true;
  }

  resize(width, height, deviceRatio) {
    this.width = width;
    this.height = height;
    this.deviceRatio = deviceRatio;
    this.setFine(false);
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
  }

  /** Fine pictures have more pixels than the screen, so that edges are smooth. A device always draws them. */
  setFine(fine) {
    this.fine = fine;
    const ratio = fine || !this.software ? Math.max(2, Math.min(this.deviceRatio, 2)) : 1;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(this.width, this.height, false);
    this.invalidate();
  }

  /** Draws if something has changed. */
  draw(now, playing) {
    if (!this.dirty) {
      const rests = this.software && !this.fine && !playing && now - this.last > REST && 4 * this.width * this.height <= FINE_PIXELS;
      if (!rests || this.drawn === 0) return false;
      this.setFine(true);
    } else if (this.software && this.fine) this.setFine(false);
    this.dirty = false;
    this.last = now;
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = Math.max(0.004 * distance, 0.005);
    this.camera.far = distance + 60 * VIEW_RADIUS;
    this.camera.updateProjectionMatrix();
    this.scene.fog.near = distance + 2.5 * VIEW_RADIUS;
    this.scene.fog.far = distance + 9 * VIEW_RADIUS;
    if (this.stale) this.renderer.shadowMap.needsUpdate = true;
    this.stale = false;
    this.renderer.clear();
    this.renderer.render(this.scene, this.camera);
    if (this.overlay.children.some((child) => child.visible)) {
      this.renderer.clearDepth();
      this.renderer.render(this.overlay, this.camera);
    }
    ++this.drawn;
    return true;
  }

  /** Looks along a preset at all that the run frames. */
  preset(name) {
    const towards = new Vector3(...PRESETS[name]).normalize();
    const right = new Vector3().crossVectors(this.camera.up, towards).normalize();
    const up = new Vector3().crossVectors(towards, right);
    const {low, high, origin, scale} = this.space;
    const half = high.map((value, c) => Math.max(((value - low[c]) / 2) * scale, 0.02 * VIEW_RADIUS));
    const tangent = Math.tan((this.camera.fov * Math.PI) / 360);
    let distance = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const at = new Vector3(...half.map((value, c) => (corner & (1 << c) ? value : -value)));
      const across = Math.max(Math.abs(at.dot(right)) / (tangent * this.camera.aspect), Math.abs(at.dot(up)) / tangent);
      distance = Math.max(distance, at.dot(towards) + 1.12 * across);
    }
    this.controls.target.set(...low.map((value, c) => ((value + high[c]) / 2 - origin[c]) * scale));
    this.camera.position.copy(this.controls.target).addScaledVector(towards, distance);
    this.controls.update();
    this.invalidate();
  }

  /** Turns the camera about its target, in radians. */
  turn(across, over) {
    const arm = this.camera.position.clone().sub(this.controls.target);
    arm.applyAxisAngle(this.camera.up, across);
    const right = new Vector3().crossVectors(this.camera.up, arm).normalize();
    const tilted = arm.clone().applyAxisAngle(right, -over);
    const angle = tilted.angleTo(this.camera.up);
    if (angle > 0.02 && angle < Math.PI - 0.02) arm.copy(tilted);
    this.camera.position.copy(this.controls.target).add(arm);
    this.controls.update();
    this.invalidate();
  }

  zoom(factor) {
    const arm = this.camera.position.clone().sub(this.controls.target);
    const length = Math.min(this.controls.maxDistance, Math.max(this.controls.minDistance, arm.length() * factor));
    this.camera.position.copy(this.controls.target).addScaledVector(arm.normalize(), length);
    this.controls.update();
    this.invalidate();
  }

  /** Moves camera and target so that the target is here. */
  centre(point) {
    this.camera.position.add(point).sub(this.controls.target);
    this.controls.target.copy(point);
    this.controls.update();
    this.invalidate();
  }

  /** The pixel of the page where a point of the picture is. */
  project(point) {
    const rectangle = this.canvas.getBoundingClientRect();
    this.camera.updateMatrixWorld();
    const place = point.clone().project(this.camera);
    const visible = Math.abs(place.x) <= 1 && Math.abs(place.y) <= 1 && Math.abs(place.z) <= 1;
    return {
      x: rectangle.left + ((place.x + 1) / 2) * rectangle.width, y: rectangle.top + ((1 - place.y) / 2) * rectangle.height, visible,
    };
  }

  /** A pixel of the page as a point from -1 to 1. */
  pointAt(x, y) {
    const rectangle = this.canvas.getBoundingClientRect();
    return new Vector2(((x - rectangle.left) / rectangle.width) * 2 - 1, 1 - ((y - rectangle.top) / rectangle.height) * 2);
  }
}
