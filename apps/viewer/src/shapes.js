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
  if (instances <= 20000) return 1;
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

/** An icosahedron with the normals of a sphere. Its radius gives the volume of the sphere. */
function coarseSphere(detail, radius) {
  const geometry = new IcosahedronGeometry(radius, detail);
  const place = geometry.getAttribute('position');
  const normals = new Float32Array(3 * place.count);
  for (let i = 0; i < normals.length; ++i) normals[i] = place.array[i] / radius;
  geometry.setAttribute('normal', new BufferAttribute(normals, 3));
  return geometry;
}

function sphere(fineness) {
  const octants = (x, y, z) => x * y * z > 0;
  if (fineness === 0) return plain(coarseSphere(0, 1.12));
  if (fineness === 1) return tinted(coarseSphere(1, 1.03), (x, y, z) => z > 0);
  return tinted(fineness === 2 ? new SphereGeometry(1, 16, 12) : new SphereGeometry(1, 32, 24), octants);
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
