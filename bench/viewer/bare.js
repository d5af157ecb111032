// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0

// The scene that the viewer is compared with: equal shapes in one InstancedMesh of three.js, two lights, nothing else. The shapes do
// not move; the camera turns, so that every picture is new.
import {
  BoxGeometry, Color, DirectionalLight, HemisphereLight, IcosahedronGeometry, InstancedMesh, Matrix4, MeshLambertMaterial, PerspectiveCamera, Scene,
  WebGLRenderer,
} from 'three';

const {count, shape, width, height} = JSON.parse(document.getElementById('settings').textContent);
const renderer = new WebGLRenderer({antialias: false});
renderer.setSize(width, height);
document.body.append(renderer.domElement);
const scene = new Scene();
scene.background = new Color('#e9edf2');
const sun = new DirectionalLight('#ffffff', 1.9);
sun.position.set(-5, -11, 22);
scene.add(new HemisphereLight('#ffffff', '#aab2bd', 1.25), sun);
const geometry = shape === 'box' ? new BoxGeometry(0.7, 0.7, 0.7) : new IcosahedronGeometry(0.4, 1);
const mesh = new InstancedMesh(geometry, new MeshLambertMaterial(), count);
const side = Math.ceil(Math.sqrt(count));
for (let i = 0; i < count; ++i) {
  mesh.setMatrixAt(i, new Matrix4().makeTranslation((i % side) - side / 2, Math.floor(i / side) - side / 2, 1));
  mesh.setColorAt(i, new Color().setHSL((i * 0.618) % 1, 0.5, 0.5));
}
scene.add(mesh);
const camera = new PerspectiveCamera(32, width / height, 1, 1000);
camera.up.set(0, 0, 1);
// The camera of the viewer's first preset, for the same box.
const distance = Number(new URLSearchParams(location.search).get('distance') ?? 1.9 * side);
let drawn = 0;
function draw(now) {
  const angle = -1.015 + 0.02 * Math.sin(now / 500);
  camera.position.set(0.92 * distance * Math.cos(angle), 0.92 * distance * Math.sin(angle), 0.39 * distance);
  camera.lookAt(0, 0, 1);
  renderer.render(scene, camera);
  ++drawn;
  requestAnimationFrame(draw);
}
requestAnimationFrame(draw);
window.bare = Object.freeze({drawn: () => drawn});
