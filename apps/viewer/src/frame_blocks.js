// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {decodeEntries, decodeLinked, numbersOf, placeColumns} from './columns.js';
import {refuse} from './page_error.js';

// Decoded frames of a chunk. A frame needs those before it in the chunk, so frames are decoded one by one, in order, when asked for.

/** Bytes of decoded frames that one chunk keeps. If they are more, only the latest two frames stay. */
const KEPT_BYTES = 96 * 1024 * 1024;

class Frames {
  constructor(frames, bytesOfAll) {
    this.kept = new Array(frames).fill(null);
    this.keepsAll = bytesOfAll <= KEPT_BYTES;
    this.next = 0;
  }

  /** Frame k of the chunk as {column: numbers}. */
  frame(k) {
    if (this.kept[k]) return this.kept[k];
    if (k < this.next) this.restart();
    while (this.next <= k) {
      this.kept[this.next] = this.decode(this.next);
      if (!this.keepsAll && this.next >= 2) this.kept[this.next - 2] = null;
      ++this.next;
    }
    return this.kept[k];
  }

  restart() {
    this.kept.fill(null);
    this.next = 0;
  }
}

/** Frames with a fixed number of rows: bodies or joints. */
export class RowFrames extends Frames {
  constructor(bytes, columns, frames, rows, where) {
    super(frames, bytes.length);
    this.bytes = bytes;
    this.where = where;
    this.frames = frames;
    this.rows = rows;
    this.places = placeColumns(bytes, columns, frames * rows, 3, where);
    this.restart();
  }

  restart() {
    super.restart();
    this.states = this.places.map((place) => new Uint32Array(2 * place.order * this.rows * place.width));
  }

  decode(k) {
    const result = {};
    this.places.forEach((place, i) => {
      const count = this.rows * place.width;
      const out = new Uint32Array(2 * count);
      const finite = decodeEntries(this.bytes, place, k * count, count, this.states[i], out);
      if (!finite) refuse(this.where, `column "${place.name}" has a number that is not finite`);
      result[place.name] = numbersOf(out, place.type, place.name, this.where);
    });
    return result;
  }

  /** One row over the frames of the chunk: numbers frame by frame. Nothing else is decoded. */
  history(name, row) {
    const place = this.places.find((one) => one.name === name);
    const {width} = place;
    const out = new Uint32Array(2 * this.frames * width);
    const state = new Uint32Array(2 * place.order * width);
    for (let k = 0; k < this.frames; ++k) {
      decodeEntries(this.bytes, place, (k * this.rows + row) * width, width, state, out.subarray(2 * k * width, 2 * (k + 1) * width));
    }
    return numbersOf(out, place.type, name, this.where);
  }
}

/** Frames of contacts. Their number changes from frame to frame, and a contact is linked to its predecessor. */
export class ContactFrames extends Frames {
  /** `predict(k, contacts)` gives the velocities of frame k from its bodies and points. */
  constructor(bytes, columns, counts, limits, predict, where) {
    super(counts.length, bytes.length);
    this.bytes = bytes;
    this.where = where;
    this.counts = counts;
    this.limits = limits;
    this.predict = predict;
    this.starts = [0];
    for (const count of counts) this.starts.push(this.starts.at(-1) + count);
    const all = this.starts.at(-1);
    [this.link] = placeColumns(bytes, [['link', 'i64', 1]], all, 0, where);
    this.places = placeColumns(bytes, columns, all, 2, where, 1 + 8 * all);
    for (const place of this.places) {
      if (place.order === 2 && place.name !== 'velocity') refuse(where, `column "${place.name}" has order 2, expected 0 or 1`);
    }
  }

  restart() {
    super.restart();
    this.previous = null;
  }

  links(k) {
    const count = this.counts[k];
    const differences = new Uint32Array(2 * count);
    decodeEntries(this.bytes, this.link, this.starts[k], count, null, differences);
    const links = new Int32Array(count);
    const before = k > 0 ? this.counts[k - 1] : 0;
    let expected = 0;
    for (let i = 0; i < count; ++i) {
      const link = (differences[2 * i + 1] | 0) * 4294967296 + differences[2 * i] + expected;
      if (link < -1 || link >= before) refuse(this.where, `contact ${i} of a frame has the link ${link}, expected -1 to ${before - 1}`);
      if (link >= 0) expected = link + 1;
      links[i] = link;
    }
    return links;
  }

  decode(k) {
    const links = this.links(k);
    const result = {};
    const halves = [];
    this.places.forEach((place, i) => {
      const out = new Uint32Array(2 * this.counts[k] * place.width);
      const from = this.starts[k] * place.width;
      const finite = place.order === 2 ? this.decodePredicted(place, from, k, result, out)
                                       : decodeLinked(this.bytes, place, from, links, this.previous?.[i], out);
      if (!finite) refuse(this.where, `column "${place.name}" has a number that is not finite`);
      halves.push(out);
      result[place.name] = numbersOf(out, place.type, place.name, this.where);
    });
    this.previous = halves;
    for (const name of Object.keys(this.limits)) this.check(name, result[name]);
    return result;
  }

  check(name, values) {
    const [low, high] = this.limits[name];
    for (const value of values) {
      if (value < low || value > high) refuse(this.where, `column "${name}" has ${value}, expected ${low} to ${high}`);
    }
  }

  /** Numbers as differences to what bodies and points say. */
  decodePredicted(place, from, k, contacts, out) {
    if (!contacts.bodies || !contacts.point) refuse(this.where, 'velocities stand before bodies and points');
    this.check('bodies', contacts.bodies);
    const predicted = this.predict(k, contacts);
    const itself = Int32Array.from({length: this.counts[k]}, (_, row) => row);
    return decodeLinked(this.bytes, place, from, itself, new Uint32Array(predicted.buffer), out);
  }
}
