// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {refuse} from './page_error.js';

// Checks of the manifest. It may come from a stranger: every member has its type, range and size before it is used.

const WHERE = 'block 0';
const LARGEST = 1e60;
const KINDS = ['movable', 'fixed', 'moved'];
const JOINT_KINDS = ['ball', 'hinge', 'universal', 'fixed', 'slider', 'distance'];
const NEEDED = {
  steps: {number: ['i64', 1], time: ['f64', 1]},
  pose: {position: ['f64', 3], orientation: ['f64', 4]},
  motion: {velocity: ['f64', 3], spin: ['f64', 3]},
  contacts: {
    key: ['u64', 1], bodies: ['i64', 2], point: ['f64', 3], normal: ['f64', 3], gap: ['f64', 1], impulse: ['f64', 3],
    velocity: ['f64', 3], state: ['i64', 1], island: ['i64', 1],
  },
  joints: {
    coordinate: ['f64', 1], force: ['f64', 3], torque: ['f64', 3], error: ['f64', 1], angle_error: ['f64', 1], broken: ['i64', 1],
  },
};

function wrong(path, expected) {
  refuse(WHERE, `"${path}" is not as expected: ${expected}`);
}

function object(value, path) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) wrong(path, 'an object');
  return value;
}

function text(value, path) {
  if (typeof value !== 'string') wrong(path, 'a text');
}

function number(value, path, low = -LARGEST, high = LARGEST) {
  if (typeof value !== 'number' || !(value >= low && value <= high)) wrong(path, `a number from ${low} to ${high}`);
}

function integer(value, path, low = 0, high = Number.MAX_SAFE_INTEGER) {
  if (!Number.isSafeInteger(value) || value < low || value > high) wrong(path, `an integer from ${low} to ${high}`);
}

function list(value, path, length = -1) {
  if (!Array.isArray(value)) wrong(path, 'a list');
  if (length >= 0 && value.length !== length) wrong(path, `a list of ${length}`);
  return value;
}

function numbers(value, path, length = -1, low = -LARGEST, high = LARGEST) {
  for (const one of list(value, path, length)) number(one, path, low, high);
}

function integers(value, path, length, low, high) {
  for (const one of list(value, path, length)) integer(one, path, low, high);
}

function one(value, path, choices) {
  if (!choices.includes(value)) wrong(path, `one of ${choices.join(', ')}`);
}

function columns(value, path, needed) {
  const names = new Map();
  for (const column of list(value, path)) {
    list(column, path, 3);
    text(column[0], path);
    one(column[1], path, ['f64', 'i64', 'u64']);
    integer(column[2], path, 1, 64);
    if (names.has(column[0])) wrong(path, `one column "${column[0]}"`);
    names.set(column[0], column);
  }
  for (const [name, [type, width]] of Object.entries(needed)) {
    const column = names.get(name);
    if (!column || column[1] !== type || column[2] !== width) wrong(path, `a column "${name}" of type ${type} and width ${width}`);
  }
}

function checkShape(shape, path) {
  object(shape, path);
  const positive = (name) => number(shape[name], `${path}/${name}`, Number.MIN_VALUE);
  switch (shape.kind) {
    case 'sphere': return positive('radius');
    case 'box': return numbers(shape.size, `${path}/size`, 3, Number.MIN_VALUE);
    case 'capsule':
      positive('radius');
      return number(shape.height, `${path}/height`, 0);
    case 'cylinder':
    case 'cone':
      positive('radius');
      return positive('height');
    case 'mesh': {
      numbers(shape.points, `${path}/points`);
      if (shape.points.length % 3 !== 0) wrong(`${path}/points`, 'three numbers for each point');
      integers(shape.triangles, `${path}/triangles`, -1, 0, shape.points.length / 3 - 1);
      if (shape.triangles.length % 3 !== 0) wrong(`${path}/triangles`, 'three numbers for each triangle');
      return undefined;
    }
    case 'plane': return undefined;
    default: return wrong(`${path}/kind`, 'a known kind of shape');
  }
}

function checkWorld(page) {
  list(page.bodies, 'bodies').forEach((body, i) => {
    object(body, `bodies/${i}`);
    text(body.name, `bodies/${i}/name`);
    one(body.kind, `bodies/${i}/kind`, KINDS);
    number(body.mass, `bodies/${i}/mass`, 0);
    if (body.centre !== undefined) numbers(body.centre, `bodies/${i}/centre`, 3);
  });
  list(page.materials, 'materials').forEach((material, i) => {
    object(material, `materials/${i}`);
    text(material.name, `materials/${i}/name`);
    number(material.friction, `materials/${i}/friction`, 0);
    number(material.restitution, `materials/${i}/restitution`, 0);
  });
  list(page.shapes, 'shapes').forEach((shape, i) => checkShape(shape, `shapes/${i}`));
  const parts = object(page.parts, 'parts');
  const count = list(parts.body, 'parts/body').length;
  integers(parts.body, 'parts/body', count, 0, page.bodies.length - 1);
  integers(parts.shape, 'parts/shape', count, 0, page.shapes.length - 1);
  integers(parts.material, 'parts/material', count, 0, page.materials.length - 1);
  numbers(parts.position, 'parts/position', 3 * count);
  numbers(parts.orientation, 'parts/orientation', 4 * count, -1.001, 1.001);
  list(page.joints, 'joints').forEach((joint, i) => {
    object(joint, `joints/${i}`);
    text(joint.name, `joints/${i}/name`);
    one(joint.kind, `joints/${i}/kind`, JOINT_KINDS);
    integers(joint.bodies, `joints/${i}/bodies`, 2, -1, page.bodies.length - 1);
    for (const point of list(joint.points, `joints/${i}/points`, 2)) numbers(point, `joints/${i}/points`, 3);
    numbers(joint.axis, `joints/${i}/axis`, 3);
  });
}

function checkTables(page) {
  const steps = object(page.steps, 'steps');
  integer(steps.rows, 'steps/rows', 1, 1e8);
  integer(steps.block, 'steps/block', 1);
  columns(steps.columns, 'steps/columns', NEEDED.steps);
  integers(page.frames, 'frames', -1, 0);
  if (page.frames.length === 0) wrong('frames', 'at least one');
  for (let k = 1; k < page.frames.length; ++k) if (page.frames[k] <= page.frames[k - 1]) wrong('frames', 'rising numbers');
  object(page.columns, 'columns');
  for (const table of ['pose', 'motion', 'contacts', 'joints']) columns(page.columns[table], `columns/${table}`, NEEDED[table]);
  let next = 0;
  list(page.chunks, 'chunks').forEach((chunk, i) => {
    object(chunk, `chunks/${i}`);
    integer(chunk.first, `chunks/${i}/first`, next, next);
    integers(chunk.contacts, `chunks/${i}/contacts`, -1, 0, 1e9);
    if (chunk.contacts.length < 1 || chunk.contacts.length > 64) wrong(`chunks/${i}/contacts`, '1 to 64 frames');
    for (const block of ['pose', 'motion', 'contacts_block', 'joints']) integer(chunk[block], `chunks/${i}/${block}`, 1);
    next += chunk.contacts.length;
  });
  if (next !== page.frames.length) wrong('chunks', `${page.frames.length} frames in all, as "frames" has`);
}

/** The manifest in these bytes, checked. */
export function readManifest(bytes) {
  let page;
  try {
    page = JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes));
  } catch {
    refuse(WHERE, 'it is not JSON text');
  }
  object(page, '');
  if (page.format !== 'slipstick page') wrong('format', 'slipstick page');
  if (page.version !== 1) refuse(WHERE, `the page has version ${String(page.version)}, this viewer reads version 1`);
  for (const name of ['program', 'run', 'scene', 'summary', 'law', 'solver', 'settings', 'rerun', 'replay']) text(page[name], name);
  if (typeof page.finished !== 'boolean') wrong('finished', 'true or false');
  integer(page.seed, 'seed');
  number(page.tolerance, 'tolerance', 0);
  number(page.step, 'step', 0);
  numbers(page.gravity, 'gravity', 3);
  if (page.thinned !== null) {
    object(page.thinned, 'thinned');
    integer(page.thinned.frames, 'thinned/frames', 1);
    integer(page.thinned.every, 'thinned/every', 1);
  }
  list(page.dumps, 'dumps').forEach((dump, i) => {
    object(dump, `dumps/${i}`);
    integer(dump.step, `dumps/${i}/step`);
    integer(dump.island, `dumps/${i}/island`);
    text(dump.file, `dumps/${i}/file`);
    text(dump.command, `dumps/${i}/command`);
  });
  for (const name of ['states', 'remedies']) for (const word of list(page[name], name)) text(word, name);
  if (page.states.length < 1) wrong('states', 'at least one');
  checkWorld(page);
  checkTables(page);
  return page;
}
