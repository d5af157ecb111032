// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0

// The decoder of the page, without a browser: every double comes back bit by bit.
import assert from 'node:assert/strict';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import test from 'node:test';
import {manyBodies, showcase} from './made_up.mjs';
import {blocksOf} from './page_writer.mjs';
import {VIEWER} from './harness.mjs';

const source = (name) => import(pathToFileURL(join(VIEWER, 'src', name)).href);
const {Run} = await source('run.js');
const {keyText} = await source('columns.js');
const {fromBase64} = await source('blocks.js');

/** Blocks that are already unpacked. */
function sourceOf(blocks) {
  return {
    async bytes(number, size, atMost) {
      const bytes = new Uint8Array(blocks[number]);
      if (!atMost) assert.equal(bytes.length, size, `size of block ${number}`);
      return bytes;
    },
  };
}

function sameBits(actual, expected, what) {
  assert.equal(actual.length, expected.length, what);
  for (let i = 0; i < actual.length; ++i) assert.ok(Object.is(actual[i], Number(expected[i])), `${what}[${i}]: ${actual[i]}, expected ${expected[i]}`);
}

for (const orders of [[0], [1], [2], [3], [0, 1, 2, 3]]) {
  test(`all numbers come back, orders ${orders}`, async () => {
    const made = showcase();
    const run = await Run.open(sourceOf(blocksOf(made, {orders, framesPerChunk: 16, contactOrder: orders[0] > 0 ? 1 : 0})));
    for (const [name, values] of Object.entries(made.steps)) sameBits(run.column(name), values, name);
    // Backwards, so that chunks are decoded anew and from the middle.
    for (let k = made.frames.length - 1; k >= 0; k -= 3) {
      for (const table of ['pose', 'motion', 'joints', 'contacts']) {
        const frame = await run.frame(table, k);
        for (const [name, values] of Object.entries(made.frames[k][table])) {
          if (name === 'key') values.forEach((key, i) => assert.equal(keyText(frame.key, i), `0x${key.toString(16).padStart(16, '0')}`));
          else sameBits(frame[name], values, `${table}/${name} of frame ${k}`);
        }
      }
    }
  });
}

test('extreme numbers come back', async () => {
  const made = showcase({frameCount: 8});
  const odd = [0, -0, 5e-324, -5e-324, 1.7976931348623157e308, -1.7976931348623157e308, Math.PI, -1 / 3];
  made.frames.forEach((frame, k) => {
    frame.motion.velocity[5] = odd[k];
    frame.motion.spin[7] = odd[7 - k];
  });
  for (const order of [0, 1, 2, 3]) {
    const run = await Run.open(sourceOf(blocksOf(made, {orders: [order]})));
    for (let k = 0; k < 8; ++k) sameBits((await run.frame('motion', k)).velocity, made.frames[k].motion.velocity, 'velocity');
    const history = (await run.load('motion', 0)).history('velocity', 1);
    made.frames.forEach((frame, k) => sameBits(history.slice(3 * k, 3 * k + 3), frame.motion.velocity.slice(3, 6), 'history'));
  }
});

test('frames beyond the memory that is kept are decoded anew', async () => {
  const made = manyBodies(30000, 64, {kind: 'sphere', radius: 0.4});
  const run = await Run.open(sourceOf(blocksOf(made, {orders: [2]})));
  for (const k of [0, 40, 12, 63]) sameBits((await run.frame('pose', k)).position, made.frames[k].pose.position, `frame ${k}`);
});

test('a manifest that lies is refused', async () => {
  const changes = {
    'a body that is not there': (page) => (page.parts.body[1] = 99),
    'a negative radius': (page) => (page.shapes[2].radius = -1),
    'a triangle of points that are not there': (page) => (page.shapes[6].triangles[0] = 4),
    'a text as a number': (page) => (page.tolerance = '1e-4'),
    'chunks that do not cover the frames': (page) => page.chunks.pop(),
    'frames that go back': (page) => page.frames.reverse(),
    'a missing column': (page) => page.columns.pose.pop(),
    'a column of another type': (page) => (page.columns.pose[0][1] = 'i64'),
    'a newer version': (page) => (page.version = 2),
    'an orientation that is too long': (page) => (page.parts.orientation[0] = 3),
    'a frame of a step that is not there': (page) => (page.frames[page.frames.length - 1] = 1000),
    'a number of contacts that is no number': (page) => (page.chunks[0].contacts[0] = null),
  };
  for (const [what, change] of Object.entries(changes)) {
    const blocks = blocksOf(showcase(), {framesPerChunk: 16});
    const page = JSON.parse(blocks[0]);
    change(page);
    blocks[0] = Buffer.from(JSON.stringify(page));
    await assert.rejects(Run.open(sourceOf(blocks)), /^(Page)?Error: block 0: |block 0/, what);
  }
});

test('links, states and numbers that lie are refused', async () => {
  const cases = [
    [(frame) => (frame.contacts.state[0] = 3), /column "state" has 3/],
    [(frame) => (frame.contacts.bodies[0] = 7), /column "bodies" has 7/],
    [(frame) => (frame.contacts.gap[0] = NaN), /not finite/],
    [(frame) => (frame.contacts.gap[0] = Infinity), /not finite/],
  ];
  for (const [change, message] of cases) {
    const made = showcase();
    change(made.frames[5]);
    const run = await Run.open(sourceOf(blocksOf(made)));
    await assert.rejects(run.frame('contacts', 5), message);
  }
  const blocks = blocksOf(showcase());
  const {contacts_block: number} = JSON.parse(blocks[0]).chunks[0];
  blocks[number][1 + 40] = 250;  // the lowest byte of a link
  const run = await Run.open(sourceOf(blocks));
  await assert.rejects(run.frame('contacts', 20), /has the link/);
});

test('base64 is read without a browser, too', () => {
  for (const text of ['', 'a', 'ab', 'abc', 'abcd\u00ff\u0000']) {
    const bytes = Buffer.from(text, 'latin1');
    assert.deepEqual(Buffer.from(fromBase64(bytes.toString('base64'))), bytes);
  }
  for (const text of ['A', 'AB', 'A===', '====', 'AAA!', 'AA\u1234A']) assert.equal(fromBase64(text), null, text);
});
