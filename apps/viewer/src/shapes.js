// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, ConeGeometry, CylinderGeometry, IcosahedronGeometry, SphereGeometry,
} from 'three';

// Geometries of shapes. Boxes, spheres, cylinders and cones are unit shapes that instances scale, so that one mesh draws all of them.

/** Fineness by the number of instances: fewer triangles for more of them. */
export function finenessFor(instances) {
  if (instances <= 150) return 3;
  if (instances <= 1500) return 2;
  if (instances <= 6000) return 1;
  return 0;
}

/** Two tints on opposite octants show how a round body turns. */
function tinted(geometry, tint) {
  const shape = geometry.index ? geometry.toNonIndexed() : geometry;
  const place = shape.getAttribute('position');
  const colours = new Float32Array(3 * place.count);
  for (let i = 0; i < place.count; i += 3) {
    let x = 0, y = 0, z = 0;
    for (let k = 0; k < 3; ++k) {
      x += place.getX(i + k);
      y += place.getY(i + k);
      z += place.getZ(i + k);
    }
    colours.fill(tint(x, y, z) ? 1 : 0.78, 3 * i, 3 * i + 9);
  }
  shape.setAttribute('color', new BufferAttribute(colours, 3));
  return shape;
}

function plain(geometry) {
  const colours = new Float32Array(3 * geometry.getAttribute('position').count).fill(1);
  geometry.setAttribute('color', new BufferAttribute(colours, 3));
  return geometry;
}

/** An icosahedron with the normals of a sphere, its corners shared. Its radius is between those inside and outside. */
function coarseSphere(detail, radius) {
  const loose = new IcosahedronGeometry(1, detail).getAttribute('position');
  const corners = new Map(), places = [], index = [];
  for (let i = 0; i < loose.count; ++i) {
    const at = [loose.getX(i), loose.getY(i), loose.getZ(i)];
    const key = at.map((value) => value.toFixed(4)).join();
    if (!corners.has(key)) corners.set(key, places.push(at) - 1);
    index.push(corners.get(key));
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(places.flat(), (value) => radius * value), 3));
  geometry.setAttribute('normal', new BufferAttribute(Float32Array.from(places.flat()), 3));
  geometry.setAttribute('color', new BufferAttribute(Float32Array.from(places.flatMap(([, , z]) => Array(3).fill(z > 0 ? 1 : 0.8))), 3));
  geometry.setIndex(index);
  return geometry;
}

function sphere(fineness) {
  const octants = (x, y, z) => x * y * z > 0;
  if (fineness === 0) return coarseSphere(0, 1.1);
  if (fineness === 1) return coarseSphere(1, 1.03);
  return tinted(fineness === 2 ? new SphereGeometry(1, 16, 12) : new SphereGeometry(1, 32, 24), octants);
}

/** The faces of a box that look along +x, +y and +z. Each copy turns them to the side that is seen. */
function threeFaces() {
  const box = new BoxGeometry(1, 1, 1);
  const seen = new BufferGeometry();
  for (const name of ['position', 'normal']) {
    const {array} = box.getAttribute(name);
    const kept = [0, 2, 4].flatMap((face) => Array.from(array.slice(12 * face, 12 * face + 12)));
    seen.setAttribute(name, new BufferAttribute(Float32Array.from(kept), 3));
  }
  seen.setIndex([0, 1, 2].flatMap((face) => [0, 2, 1, 2, 3, 1].map((i) => 4 * face + i)));
  return plain(seen);
}

/** Half a ball as a fan about its top, with the normals of a ball. Each copy turns its top towards the viewer. */
function dome() {
  const corners = 8, radius = 1.05;
  const places = [0, 0, 1], normals = [0, 0, 1], index = [];
  for (let k = 0; k < corners; ++k) {
    const angle = (2 * Math.PI * (k + 0.5)) / corners;
    places.push(radius * Math.cos(angle), radius * Math.sin(angle), 0);
    normals.push(Math.cos(angle), Math.sin(angle), 0);
    index.push(0, 1 + k, 1 + ((k + 1) % corners));
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(places), 3));
  geometry.setAttribute('normal', new BufferAttribute(Float32Array.from(normals), 3));
  geometry.setIndex(index);
  return plain(geometry);
}

/** What software draws instead of a geometry, if there is something with fewer faces that looks the same: {geometry, facing}. */
export function fewFaces(plan, fineness) {
  if (plan.key === 'box') return {geometry: threeFaces(), facing: 'box'};
  if (plan.key === 'sphere' && fineness === 0) return {geometry: dome(), facing: 'dome'};
  return null;
}

const ROUND = [6, 10, 16, 32];

/** Turns a shape of three.js, whose axis is y, so that its axis is z. */
function upright(geometry) {
  return geometry.rotateX(Math.PI / 2);
}

const halves = (x, y) => Math.abs(x) > Math.abs(y);

function meshGeometry(shape) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(shape.points), 3));
  geometry.setIndex(shape.triangles);
  const flat = geometry.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

/** How to draw a shape: a key of shapes with one geometry, its maker, and the scale of an instance. Null for planes. */
export function planShape(shape, number) {
  switch (shape.kind) {
    case 'sphere': return {key: 'sphere', make: sphere, scale: [shape.radius, shape.radius, shape.radius]};
    case 'box': return {key: 'box', make: () => plain(new BoxGeometry(1, 1, 1)), scale: shape.size};
    case 'cylinder':
      return {
        key: 'cylinder', scale: [shape.radius, shape.radius, shape.height],
        make: (fineness) => tinted(upright(new CylinderGeometry(1, 1, 1, ROUND[fineness])), halves),
      };
    case 'cone':
      return {
        key: 'cone', scale: [shape.radius, shape.radius, shape.height],
        make: (fineness) => tinted(upright(new ConeGeometry(1, 1, ROUND[fineness])), halves),
      };
    case 'capsule': {
      const slender = shape.height / shape.radius;
      return {
        key: `capsule ${slender}`, scale: [shape.radius, shape.radius, shape.radius],
        make: (fineness) => plain(upright(new CapsuleGeometry(1, slender, [1, 2, 4, 8][fineness], ROUND[fineness], 1))),
      };
    }
    case 'mesh': return {key: `mesh ${number}`, scale: [1, 1, 1], make: () => plain(meshGeometry(shape))};
    default: return null;
  }
}
