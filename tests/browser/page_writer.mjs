// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0

// Writes pages of made-up runs, as apps/viewer/README.md says. Tests use it for what no real run has: odd names, damage, many bodies.
import {deflateSync} from 'node:zlib';

export const STEP_COLUMNS = [
  ['number', 'i64', 1], ['time', 'f64', 1], ['step', 'f64', 1], ['contacts', 'i64', 1], ['rows', 'i64', 1], ['iterations', 'i64', 1],
  ['factorizations', 'i64', 1], ['islands', 'i64', 1], ['asleep', 'i64', 1], ['error', 'f64', 1], ['flagged', 'i64', 1], ['remedies', 'i64', 6],
  ['unsolved_impacts', 'i64', 1], ['unsolved_projections', 'i64', 1], ['penetration', 'f64', 1], ['penetration_share', 'f64', 1],
  ['joint_error', 'f64', 1], ['joint_angle_error', 'f64', 1], ['momentum', 'f64', 3], ['angular_momentum', 'f64', 3], ['momentum_error', 'f64', 1],
  ['angular_defect', 'f64', 1], ['restitution_gain', 'f64', 1], ['energy_kinetic', 'f64', 1], ['energy_potential', 'f64', 1],
  ...['gravity', 'contact', 'friction', 'joints', 'motors', 'motions', 'stabilization', 'stiffness', 'unexplained'].map((cause) => [`work_${cause}`, 'f64', 1]),
  ['seconds', 'f64', 1], ['solver_seconds', 'f64', 1],
];
export const FRAME_COLUMNS = {
  pose: [['position', 'f64', 3], ['orientation', 'f64', 4]],
  motion: [['velocity', 'f64', 3], ['spin', 'f64', 3]],
  contacts: [
    ['key', 'u64', 1], ['bodies', 'i64', 2], ['point', 'f64', 3], ['normal', 'f64', 3], ['gap', 'f64', 1], ['impulse', 'f64', 3], ['velocity', 'f64', 3],
    ['state', 'i64', 1], ['island', 'i64', 1],
  ],
  joints: [['coordinate', 'f64', 1], ['force', 'f64', 3], ['torque', 'f64', 3], ['error', 'f64', 1], ['angle_error', 'f64', 1], ['broken', 'i64', 1]],
};

/** Codes of numbers as pairs of halves: low, high. Keys are a BigUint64Array, the others lists of numbers. */
export function codesOf(values, type) {
  if (type === 'u64') return new Uint32Array(BigUint64Array.from(values).buffer);
  if (type === 'i64') return new Uint32Array(BigInt64Array.from(values, (value) => BigInt(value)).buffer);
  const halves = new Uint32Array(Float64Array.from(values).buffer);
  for (let i = 0; i < halves.length; i += 2) {
    if (halves[i + 1] >>> 31) {
      halves[i] = ~halves[i];
      halves[i + 1] ^= 0x7fffffff;
    }
  }
  return halves;
}

/** Writes difference number i of a column: zigzag, then byte p to plane p. */
function writeEntry(out, start, stride, i, low, high) {
  const sign = -(high >>> 31);
  const zigzagLow = (low << 1) ^ sign, zigzagHigh = ((high << 1) | (low >>> 31)) ^ sign;
  for (let p = 0; p < 4; ++p) {
    out[start + p * stride + i] = zigzagLow >>> (8 * p);
    out[start + (p + 4) * stride + i] = zigzagHigh >>> (8 * p);
  }
}

/** A column whose entries are differences of this order to those `jump` entries before. */
function columnBytes(codes, order, jump) {
  const count = codes.length / 2;
  const out = new Uint8Array(1 + 8 * count);
  out[0] = order;
  let difference = codes;
  for (let k = 0; k < order; ++k) {
    const next = new Uint32Array(2 * count);
    for (let i = 0; i < count; ++i) {
      const before = i >= jump;
      const low = difference[2 * i] - (before ? difference[2 * (i - jump)] : 0);
      next[2 * i] = low;
      next[2 * i + 1] = difference[2 * i + 1] - (before ? difference[2 * (i - jump) + 1] : 0) - (low < 0 ? 1 : 0);
    }
    difference = next;
  }
  for (let i = 0; i < count; ++i) writeEntry(out, 1, count, i, difference[2 * i], difference[2 * i + 1]);
  return out;
}

/** A table of frames with a fixed number of rows. */
function rowBlock(columns, frames, rows, orders) {
  return Buffer.concat(columns.map(([name, type, width], c) => {
    const codes = new Uint32Array(2 * frames.length * rows * width);
    frames.forEach((frame, k) => codes.set(codesOf(frame[name], type), 2 * k * rows * width));
    return columnBytes(codes, orders[c % orders.length], rows * width);
  }));
}

/** Contacts of the frames of a chunk, linked by their keys. */
function contactBlock(columns, frames, order) {
  const links = [];
  let before = new Map();
  for (const frame of frames) {
    let expected = 0;
    const now = new Map();
    const row = [];
    frame.key.forEach((key, i) => {
      const link = before.has(key) ? before.get(key) : -1;
      row.push(link - expected);
      if (link >= 0) expected = link + 1;
      now.set(key, i);
    });
    links.push({differences: row, real: Array.from(frame.key, (key) => (before.has(key) ? before.get(key) : -1))});
    before = now;
  }
  const parts = [columnBytes(codesOf(links.flatMap((link) => link.differences), 'i64'), 0, 1)];
  for (const [name, type, width] of columns) {
    const all = frames.map((frame) => codesOf(frame[name], type));
    const count = all.reduce((sum, codes) => sum + codes.length / 2, 0);
    const out = new Uint8Array(1 + 8 * count);
    out[0] = order;
    let at = 0;
    all.forEach((codes, k) => {
      for (let i = 0; i < codes.length / 2; ++i, ++at) {
        const link = order > 0 ? links[k].real[Math.floor(i / width)] : -1;
        const j = link * width + (i % width);
        const low = codes[2 * i] - (link >= 0 ? all[k - 1][2 * j] : 0);
        const high = codes[2 * i + 1] - (link >= 0 ? all[k - 1][2 * j + 1] : 0) - (low < 0 ? 1 : 0);
        writeEntry(out, 1, count, at, low >>> 0, high >>> 0);
      }
    });
    parts.push(out);
  }
  return Buffer.concat(parts);
}

/**
 * The blocks of a run. `run` has the manifest's members that are not about blocks, `steps` ({column: values}) and `frames`
 * ([{step, pose, motion, contacts, joints}], each {column: values}). `orders` are those of the columns, in turn.
 */
export function blocksOf(run, {framesPerChunk = 64, orders = [0, 1, 2, 3], contactOrder = 1} = {}) {
  const {steps, frames, ...manifest} = run;
  const rows = steps.number.length;
  const blocks = [null];
  const add = (bytes) => blocks.push(bytes) - 1;
  const page = {
    format: 'slipstick page', version: 1, program: '0.1.0', run: 'made-up.h5', finished: true, scene: 'made up', summary: '', seed: 0, law: 'coulomb',
    solver: 'auto', tolerance: 1e-4, step: 1 / 60, settings: '', gravity: [0, 0, -9.81], thinned: null, rerun: 'slipstick simulate made-up.json -o made-up.h5',
    replay: 'slipstick simulate made-up.json --dump every:{step}', dumps: [], materials: [{name: 'default', friction: 0.5, restitution: 0}], joints: [],
    states: ['open', 'stick', 'slip'], remedies: ['none', 'retried', 'looser', 'convex_law', 'kept', 'refused'], ...manifest,
    frames: frames.map((frame) => frame.step), columns: FRAME_COLUMNS, chunks: [],
  };
  const stepColumns = STEP_COLUMNS.filter(([name]) => steps[name]);
  page.steps = {
    rows, columns: stepColumns,
    block: add(Buffer.concat(stepColumns.map(([name, type, width], c) => columnBytes(codesOf(steps[name], type), orders[c % orders.length], width)))),
  };
  for (let first = 0; first < frames.length; first += framesPerChunk) {
    const some = frames.slice(first, first + framesPerChunk);
    const table = (name, count) => add(rowBlock(FRAME_COLUMNS[name], some.map((frame) => frame[name]), count, orders));
    page.chunks.push({
      first, contacts: some.map((frame) => frame.contacts.key.length), pose: table('pose', page.bodies.length), motion: table('motion', page.bodies.length),
      contacts_block: add(contactBlock(FRAME_COLUMNS.contacts, some.map((frame) => frame.contacts), contactOrder)), joints: table('joints', page.joints.length),
    });
  }
  blocks[0] = Buffer.from(JSON.stringify(page), 'utf8');
  return blocks;
}

/** Packed blocks as the page has them. */
export function pack(blocks, level = 6) {
  return blocks.map((bytes) => deflateSync(bytes, {level}).toString('base64'));
}

/** The page: the template with these packed blocks. */
export function pageOf(template, packed) {
  const [head, tail] = template.split('<!-- blocks -->');
  return head + packed.map((text, i) => `<script type="text/plain" id="block-${i}">${text}</script>\n`).join('') + tail;
}
