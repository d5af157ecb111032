// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {refuse} from './page_error.js';

// Columns of 64-bit numbers. A column is a byte `order` and eight planes of bytes; see README.md.
// Numbers are kept as pairs of 32-bit halves: low, high. Floating-point numbers are then views of the same memory.

const HIGH = 4294967296;

/** Places of the columns in a block with so many rows in all: [{name, type, width, order, at, stride}]. */
export function placeColumns(bytes, columns, rows, orders, where, start = 0) {
  let at = start;
  return columns.map(([name, type, width]) => {
    const place = {name, type, width, order: bytes[at], at: at + 1, stride: rows * width};
    if (place.order > orders) refuse(where, `column "${name}" has order ${place.order}, expected 0 to ${orders}`);
    at += 1 + 8 * place.stride;
    return place;
  });
}

export function sizeOfColumns(columns, rows) {
  let size = 0;
  for (const [, , width] of columns) size += 1 + 8 * rows * width;
  return size;
}

/**
 * Decodes the entries `from` to `from + count - 1` of a column into `out` (pairs of halves). `state` holds the accumulators,
 * `order` for each entry, and is updated. Returns whether all floating-point numbers are finite.
 */
export function decodeEntries(bytes, place, from, count, state, out) {
  const {stride, order} = place;
  const isFloat = place.type === 'f64';
  const p0 = place.at + from, p1 = p0 + stride, p2 = p1 + stride, p3 = p2 + stride;
  const p4 = p3 + stride, p5 = p4 + stride, p6 = p5 + stride, p7 = p6 + stride;
  const second = 2 * count, third = 4 * count;
  let finite = true;
  for (let i = 0, j = 0; i < count; ++i, j += 2) {
    const zigzagLow = bytes[p0 + i] | (bytes[p1 + i] << 8) | (bytes[p2 + i] << 16) | (bytes[p3 + i] << 24);
    const zigzagHigh = bytes[p4 + i] | (bytes[p5 + i] << 8) | (bytes[p6 + i] << 16) | (bytes[p7 + i] << 24);
    const sign = -(zigzagLow & 1);
    let low = (((zigzagLow >>> 1) | (zigzagHigh << 31)) ^ sign) >>> 0;
    let high = ((zigzagHigh >>> 1) ^ sign) | 0;
    if (order > 0) {
      low += state[j];
      high = (high + state[j + 1] + (low >= HIGH ? 1 : 0)) | 0;
      low >>>= 0;
      state[j] = low;
      state[j + 1] = high;
      if (order > 1) {
        low += state[second + j];
        high = (high + state[second + j + 1] + (low >= HIGH ? 1 : 0)) | 0;
        low >>>= 0;
        state[second + j] = low;
        state[second + j + 1] = high;
        if (order > 2) {
          low += state[third + j];
          high = (high + state[third + j + 1] + (low >= HIGH ? 1 : 0)) | 0;
          low >>>= 0;
          state[third + j] = low;
          state[third + j + 1] = high;
        }
      }
    }
    if (isFloat) {
      if (high < 0) {
        low = ~low;
        high ^= 0x7fffffff;
      }
      if ((high & 0x7ff00000) === 0x7ff00000) finite = false;
    }
    out[j] = low;
    out[j + 1] = high;
  }
  return finite;
}

/** The entries of a table of contacts, as differences to the contacts that they are linked to. */
export function decodeLinked(bytes, place, from, links, previous, out) {
  const {stride, order, width} = place;
  const isFloat = place.type === 'f64';
  const start = place.at + from;
  let finite = true;
  for (let row = 0, i = 0; row < links.length; ++row) {
    const link = order > 0 ? links[row] : -1;
    for (let c = 0; c < width; ++c, ++i) {
      let p = start + i;
      const zigzagLow = bytes[p] | (bytes[p += stride] << 8) | (bytes[p += stride] << 16) | (bytes[p += stride] << 24);
      const zigzagHigh = bytes[p += stride] | (bytes[p += stride] << 8) | (bytes[p += stride] << 16) | (bytes[p + stride] << 24);
      const sign = -(zigzagLow & 1);
      let low = (((zigzagLow >>> 1) | (zigzagHigh << 31)) ^ sign) >>> 0;
      let high = ((zigzagHigh >>> 1) ^ sign) | 0;
      if (link >= 0) {
        const k = 2 * (link * width + c);
        let previousLow = previous[k], previousHigh = previous[k + 1] | 0;
        if (isFloat && previousHigh < 0) {
          previousLow = ~previousLow >>> 0;
          previousHigh ^= 0x7fffffff;
        }
        low += previousLow;
        high = (high + previousHigh + (low >= HIGH ? 1 : 0)) | 0;
        low >>>= 0;
      }
      if (isFloat) {
        if (high < 0) {
          low = ~low;
          high ^= 0x7fffffff;
        }
        if ((high & 0x7ff00000) === 0x7ff00000) finite = false;
      }
      out[2 * i] = low;
      out[2 * i + 1] = high;
    }
  }
  return finite;
}

/** Halves as numbers: a view for floating point, a new array for integers. Halves of unsigned keys stay as they are. */
export function numbersOf(halves, type, name, where) {
  if (type === 'f64') return new Float64Array(halves.buffer, halves.byteOffset, halves.length / 2);
  if (type === 'u64') return halves;
  const numbers = new Float64Array(halves.length / 2);
  for (let i = 0; i < numbers.length; ++i) numbers[i] = (halves[2 * i + 1] | 0) * HIGH + halves[2 * i];
  for (const number of numbers) if (!Number.isSafeInteger(number)) refuse(where, `column "${name}" has the integer ${number}`);
  return numbers;
}

/** A key of 64 bits as hexadecimal text. */
export function keyText(halves, i) {
  return '0x' + halves[2 * i + 1].toString(16).padStart(8, '0') + halves[2 * i].toString(16).padStart(8, '0');
}

/** A table that changes along its rows: /steps. */
export function decodeTable(bytes, columns, rows, where) {
  const table = {};
  for (const place of placeColumns(bytes, columns, rows, 3, where)) {
    const {name, type, width, order} = place;
    const out = new Uint32Array(2 * rows * width);
    const state = new Uint32Array(2 * order * width);
    for (let row = 0; row < rows; ++row) {
      decodeEntries(bytes, place, row * width, width, state, out.subarray(2 * row * width, 2 * (row + 1) * width));
    }
    table[name] = numbersOf(out, type, name, where);
    if (table[name].some(Number.isNaN)) refuse(where, `column "${name}" has a NaN`);
  }
  return table;
}
