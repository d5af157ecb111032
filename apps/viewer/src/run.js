// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {decodeTable, sizeOfColumns} from './columns.js';
import {ContactFrames, RowFrames} from './frame_blocks.js';
import {relativeVelocities} from './point_velocity.js';
import {readManifest} from './manifest.js';
import {refuse} from './page_error.js';

const LARGEST_MANIFEST = 1024 * 1024 * 1024;
const LARGEST_BLOCK = 1500 * 1024 * 1024;

/** Bytes of inflated blocks that are kept, for each table. */
const CACHE_BYTES = 256 * 1024 * 1024;

/** A run: the manifest and the steps at once, frames when they are asked for. */
export class Run {
  static async open(source) {
    const page = readManifest(await source.bytes(0, LARGEST_MANIFEST, true));
    const {rows, block, columns} = page.steps;
    const where = `block ${block}`;
    const size = sizeOfColumns(columns, rows);
    if (size > LARGEST_BLOCK) refuse(where, 'the table of steps is too long');
    const steps = decodeTable(await source.bytes(block, size), columns, rows, where);
    return new Run(source, page, steps);
  }

  constructor(source, page, steps) {
    this.source = source;
    this.page = page;
    this.steps = steps;
    this.stepCount = page.steps.rows;
    this.frameCount = page.frames.length;
    this.tables = {pose: new Map(), motion: new Map(), contacts: new Map(), joints: new Map()};
    const where = `block ${page.steps.block}`;
    for (let i = 0; i < this.stepCount; ++i) {
      if (steps.number[i] !== steps.number[0] + i) refuse(where, 'steps are not numbered without a gap');
      if (!Number.isFinite(steps.time[i]) || (i > 0 && steps.time[i] < steps.time[i - 1])) refuse(where, 'time goes back');
    }
    this.rowOfFrame = Int32Array.from(page.frames, (step) => {
      const row = step - steps.number[0];
      if (row < 0 || row >= this.stepCount) refuse('block 0', `frame of step ${step}, which is not in the run`);
      return row;
    });
    this.timeOfFrame = Float64Array.from(this.rowOfFrame, (row) => steps.time[row]);
    this.chunkOfFrame = new Int32Array(this.frameCount);
    page.chunks.forEach((chunk, i) => this.chunkOfFrame.fill(i, chunk.first, chunk.first + chunk.contacts.length));
  }

  /** A column of the steps, or null. */
  column(name) {
    return this.steps[name] ?? null;
  }

  /** The last frame at or before a time; the first frame if there is none. */
  frameAt(time) {
    let low = 0, high = this.frameCount - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.timeOfFrame[middle] <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The frame whose step is nearest to this row of the steps. */
  frameNearRow(row) {
    const frame = this.frameAt(this.steps.time[row]);
    const gap = (k) => Math.abs(this.rowOfFrame[k] - row);
    return frame + 1 < this.frameCount && gap(frame + 1) < gap(frame) ? frame + 1 : frame;
  }

  contactCount(frame) {
    const chunk = this.page.chunks[this.chunkOfFrame[frame]];
    return chunk.contacts[frame - chunk.first];
  }

  /** A frame of a table if its chunk is here, otherwise null. */
  now(table, frame) {
    const index = this.chunkOfFrame[frame];
    const entry = this.tables[table].get(index);
    if (!entry?.frames) return null;
    this.tables[table].delete(index);
    this.tables[table].set(index, entry);
    return entry.frames.frame(frame - this.page.chunks[index].first);
  }

  async frame(table, frame) {
    await this.load(table, this.chunkOfFrame[frame]);
    return this.now(table, frame) ?? this.frame(table, frame);
  }

  /** Loads a chunk of a table. */
  load(table, index) {
    const cache = this.tables[table];
    let entry = cache.get(index);
    if (!entry) {
      entry = {frames: null, bytes: 0, loading: null};
      cache.set(index, entry);
      entry.loading = this.read(table, index).then((frames) => {
        entry.frames = frames;
        entry.bytes = frames.bytes.length;
        this.trim(cache, index);
        return frames;
      });
    }
    return entry.loading;
  }

  async read(table, index) {
    const chunk = this.page.chunks[index];
    const columns = this.page.columns[table];
    const number = table === 'contacts' ? chunk.contacts_block : chunk[table];
    const where = `block ${number}`;
    const frames = chunk.contacts.length;
    const contacts = chunk.contacts.reduce((sum, count) => sum + count, 0);
    const perFrame = table === 'joints' ? this.page.joints.length : this.page.bodies.length;
    const size = table === 'contacts' ? 1 + 8 * contacts + sizeOfColumns(columns, contacts)
                                      : sizeOfColumns(columns, frames * perFrame);
    if (size > LARGEST_BLOCK) refuse(where, 'it is too long');
    const bytes = await this.source.bytes(number, size);
    if (table !== 'contacts') return new RowFrames(bytes, columns, frames, perFrame, where);
    const limits = {
      bodies: [-1, this.page.bodies.length - 1],
      state: [0, this.page.states.length - 1],
      island: [-1, Number.MAX_SAFE_INTEGER],
    };
    const [pose, motion] = await Promise.all([this.load('pose', index), this.load('motion', index)]);
    const centres = this.page.bodies.map((body) => body.centre ?? null);
    const predict = (k, contacts) => relativeVelocities(contacts, pose.frame(k), motion.frame(k), centres);
    return new ContactFrames(bytes, columns, chunk.contacts, limits, predict, where);
  }

  /** Forgets the chunks that were not used for the longest time. The latest stays. */
  trim(cache, latest) {
    let bytes = 0;
    for (const entry of cache.values()) bytes += entry.bytes;
    for (const [index, entry] of cache) {
      if (bytes <= CACHE_BYTES) return;
      if (index === latest || !entry.frames) continue;
      bytes -= entry.bytes;
      cache.delete(index);
    }
  }
}
