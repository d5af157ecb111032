// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0

// Made-up runs: they look like a simulation, but no law holds in them.

/** A number from 0 to 1 that depends on an integer only. */
export function scatter(i) {
  let x = Math.imul(i + 1, 0x9e3779b1);
  x ^= x >>> 15;
  x = Math.imul(x, 0x85ebca6b);
  x ^= x >>> 13;
  return (x >>> 0) / 4294967296;
}

function stepTable(count, step) {
  const of = (value) => Float64Array.from({length: count}, (_, i) => value(i));
  return {
    number: of((i) => i), time: of((i) => i * step), step: of(() => step), contacts: of((i) => 10 + (i % 7)), rows: of((i) => 30 + 3 * (i % 7)),
    iterations: of((i) => 20 + (i % 11)), factorizations: of((i) => i % 3), islands: of((i) => 1 + (i % 4)), asleep: of(() => 0),
    error: of((i) => 1e-6 * (1 + (i % 13))), flagged: of(() => 0), remedies: Float64Array.from({length: 6 * count}, (_, i) => (i % 6 === 0 ? 1 : 0)),
    penetration: of((i) => 1e-5 * (i % 5)), momentum: Float64Array.from({length: 3 * count}, (_, i) => Math.sin(i)),
    angular_momentum: Float64Array.from({length: 3 * count}, (_, i) => Math.cos(i)), energy_kinetic: of((i) => 5 + Math.sin(0.1 * i)),
    energy_potential: of((i) => 20 - 0.1 * i), work_gravity: of(() => 0.1), work_friction: of(() => -0.05), work_contact: of(() => -0.01),
    seconds: of((i) => 0.003 + 0.0001 * (i % 9)), solver_seconds: of((i) => 0.002 + 0.0001 * (i % 9)),
  };
}

/** A grid of bodies that rise and turn. `shape` is that of all movable bodies; the first body is the ground. */
export function manyBodies(count, frameCount, shape, {step = 1 / 60, contactsPerFrame = 0} = {}) {
  const side = Math.ceil(Math.sqrt(count));
  const bodies = [{name: 'ground', kind: 'fixed', mass: 0}];
  for (let i = 0; i < count; ++i) bodies.push({name: `body ${i + 1}`, kind: 'movable', mass: 1});
  const frames = [];
  for (let k = 0; k < frameCount; ++k) {
    const position = new Float64Array(3 * (count + 1)), orientation = new Float64Array(4 * (count + 1));
    const velocity = new Float64Array(3 * (count + 1)), spin = new Float64Array(3 * (count + 1));
    orientation[0] = 1;
    for (let i = 0; i < count; ++i) {
      const b = i + 1, turn = 0.02 * k + scatter(i);
      position[3 * b] = (i % side) - side / 2 + 0.2 * scatter(3 * i);
      position[3 * b + 1] = Math.floor(i / side) - side / 2 + 0.2 * scatter(3 * i + 1);
      position[3 * b + 2] = 1 + 0.6 * Math.sin(0.15 * k + 0.2 * (i % side));
      orientation[4 * b] = Math.cos(turn / 2);
      orientation[4 * b + 3] = Math.sin(turn / 2);
      velocity[3 * b + 2] = 0.09 * Math.cos(0.15 * k);
      spin[3 * b + 2] = 0.02 / step;
    }
    frames.push({step: k, pose: {position, orientation}, motion: {velocity, spin}, contacts: contactsOf(contactsPerFrame, k, position), joints: noJoints()});
  }
  const parts = {body: [0], shape: [0], material: [0], position: [0, 0, 0], orientation: [1, 0, 0, 0]};
  for (let i = 0; i < count; ++i) {
    parts.body.push(i + 1);
    parts.shape.push(1);
    parts.material.push(0);
    parts.position.push(0, 0, 0);
    parts.orientation.push(1, 0, 0, 0);
  }
  return {scene: `${count} bodies`, step, bodies, shapes: [{kind: 'plane'}, shape], parts, steps: stepTable(frameCount, step), frames};
}

function noJoints() {
  return {coordinate: [], force: [], torque: [], error: [], angle_error: [], broken: []};
}

/** Contacts of the first bodies with the ground. Some come and go, so that links change. */
function contactsOf(count, k, position) {
  const contacts = {key: [], bodies: [], point: [], normal: [], gap: [], impulse: [], velocity: [], state: [], island: []};
  for (let i = 0; i < count; ++i) {
    if ((i + k) % 5 === 0) continue;
    const b = i + 1;
    contacts.key.push(0xfedcba9800000000n + BigInt(i));
    contacts.bodies.push(b, 0);
    contacts.point.push(position[3 * b], position[3 * b + 1], 0);
    contacts.normal.push(0, 0, 1);
    contacts.gap.push(-1e-5 * scatter(i + k));
    contacts.impulse.push(0.01 * scatter(i), -0.01 * scatter(k), 0.16 * (1 + scatter(i * k)));
    contacts.velocity.push(i % 3 === 2 ? 0.1 : 0, 0, -0);
    contacts.state.push(i % 3);
    contacts.island.push(i % 3 === 0 ? -1 : i);
  }
  return contacts;
}

/** A small run with every kind of shape, a joint, contacts of all states, flagged steps with a dump, and a frame for every second step. */
export function showcase({names = {}, frameCount = 70} = {}) {
  const shapes = [
    {kind: 'plane'}, {kind: 'box', size: [1, 0.8, 0.6]}, {kind: 'sphere', radius: 0.45}, {kind: 'capsule', radius: 0.25, height: 0.6},
    {kind: 'cylinder', radius: 0.35, height: 0.8}, {kind: 'cone', radius: 0.45, height: 0.9},
    {kind: 'mesh', points: [0.5, 0, -0.3, -0.4, 0.4, -0.3, -0.4, -0.4, -0.3, 0, 0, 0.6], triangles: [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3]},
  ];
  const kinds = ['plane', 'box', 'sphere', 'capsule', 'cylinder', 'cone', 'mesh'];
  const bodies = kinds.map((kind, i) => ({name: names[i] ?? (i === 0 ? 'ground' : `the ${kind}`), kind: i === 0 ? 'fixed' : 'movable', mass: i === 0 ? 0 : i}));
  const count = bodies.length;
  const parts = {
    body: kinds.map((_, i) => i), shape: kinds.map((_, i) => i), material: kinds.map((_, i) => i % 2), position: new Array(3 * count).fill(0),
    orientation: kinds.flatMap(() => [1, 0, 0, 0]),
  };
  const step = 0.01, steps = stepTable(2 * frameCount, step);
  const frames = [];
  for (let k = 0; k < frameCount; ++k) {
    const position = new Float64Array(3 * count), orientation = new Float64Array(4 * count);
    const velocity = new Float64Array(3 * count), spin = new Float64Array(3 * count);
    for (let b = 0; b < count; ++b) {
      const turn = b === 0 ? 0 : 0.03 * k * (b / 3);
      orientation[4 * b] = Math.cos(turn / 2);
      orientation[4 * b + 3] = Math.sin(turn / 2);
      if (b === 0) continue;
      position[3 * b] = 1.6 * ((b - 1) % 3) - 1.6 + 0.1 * Math.sin(0.1 * k + b);
      position[3 * b + 1] = 1.8 * Math.floor((b - 1) / 3) - 0.9;
      position[3 * b + 2] = 0.5 + 0.4 * Math.abs(Math.sin(0.07 * k + b)) + 1e-17 * k;
      velocity[3 * b] = 0.01 * Math.cos(0.1 * k + b) + 1e-300;
      velocity[3 * b + 2] = -0 * b;
      spin[3 * b + 2] = 3 * (b / 3);
    }
    const joints = {
      coordinate: [0.1 * k], force: [1, 2 + k, 1 / 3], torque: [0, -0, 0.1 * k], error: [1e-9 * (k + 1)], angle_error: [1e-10 * k], broken: [k > 60 ? 1 : 0],
    };
    frames.push({step: 2 * k, pose: {position, orientation}, motion: {velocity, spin}, contacts: contactsOf(k === 3 ? 0 : 6, k, position), joints});
  }
  steps.error[41] = 5e-4;
  steps.error[100] = Infinity;
  for (const row of [41, 100]) steps.flagged[row] = 1;
  return {
    scene: 'showcase', step, bodies, shapes, parts, steps, frames,
    materials: [{name: 'wood', friction: 0.5, restitution: 0}, {name: 'steel', friction: 0.2, restitution: 0.1}],
    joints: [{name: names.joint ?? 'the hinge', kind: 'hinge', bodies: [1, 2], points: [[0.8, 0, 0], [-0.8, 0, 0]], axis: [0, 0, 1]}],
    dumps: [{step: 100, island: 4, file: 'made-up.dumps/step-000100-island-004.h5', command: 'slipstick solve made-up.dumps/step-000100-island-004.h5'}],
  };
}
