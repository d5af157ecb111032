// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {PageError, refuse} from './page_error.js';

// Blocks of data: base64 text in the page, or zlib bytes from the server of `slipstick view --serve`.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUE = new Int16Array(128).fill(-1);
for (let i = 0; i < 64; ++i) VALUE[ALPHABET.charCodeAt(i)] = i;

/** The bytes of a base64 text with padding. Null if it is not such a text. */
export function fromBase64(text) {
  if (typeof Uint8Array.fromBase64 === 'function') {
    try {
      return Uint8Array.fromBase64(text, {lastChunkHandling: 'strict'});
    } catch {
      return null;
    }
  }
  if (text.length % 4 !== 0) return null;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  const whole = text.length - (padding ? 4 : 0);
  const value = (i) => {
    const code = text.charCodeAt(i);
    return code < 128 ? VALUE[code] : -1;
  };
  let at = 0;
  for (let i = 0; i < whole; i += 4) {
    const a = value(i), b = value(i + 1), c = value(i + 2), d = value(i + 3);
    if ((a | b | c | d) < 0) return null;
    bytes[at++] = (a << 2) | (b >> 4);
    bytes[at++] = (b << 4) | (c >> 2);
    bytes[at++] = (c << 6) | d;
  }
  if (padding) {
    const a = value(whole), b = value(whole + 1), c = padding === 1 ? value(whole + 2) : 0;
    if ((a | b | c) < 0) return null;
    bytes[at++] = (a << 2) | (b >> 4);
    if (padding === 1) bytes[at++] = (b << 4) | (c >> 2);
  }
  return bytes;
}

/** Inflates a zlib stream. `size` is the exact size; with `atMost` it is a limit. */
async function inflate(packed, size, atMost, where) {
  const stream = new DecompressionStream('deflate');
  const reader = stream.readable.getReader();
  const writer = stream.writable.getWriter();
  writer.write(packed).then(() => writer.close()).catch(() => {});
  const pieces = [];
  let bytes = atMost ? null : new Uint8Array(size);
  let length = 0;
  for (;;) {
    let piece;
    try {
      piece = await reader.read();
    } catch {
      refuse(where, 'the data are damaged: they do not decompress, or their checksum is wrong');
    }
    if (piece.done) break;
    if (length + piece.value.length > size) {
      reader.cancel().catch(() => {});
      refuse(where, atMost ? 'the data are too long' : `the data are longer than the ${size} bytes that are expected`);
    }
    if (atMost) pieces.push(piece.value);
    else bytes.set(piece.value, length);
    length += piece.value.length;
  }
  if (!atMost && length !== size) refuse(where, `the data have ${length} bytes, expected ${size}`);
  if (atMost) {
    bytes = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
  }
  return bytes;
}

export class BlockSource {
  constructor(document) {
    this.document = document;
    this.address = document.querySelector('meta[name="slipstick-blocks"]')?.getAttribute('content') ?? null;
  }

  /** Whether there are data at all: the template alone has none. */
  empty() {
    return this.address === null && !this.document.getElementById('block-0');
  }

  async bytes(number, size, atMost = false) {
    const where = `block ${number}`;
    return inflate(await (this.address === null ? this.inline(number, where) : this.fetched(number, where)), size, atMost, where);
  }

  inline(number, where) {
    const element = this.document.getElementById(where.replace(' ', '-'));
    if (!element || element.tagName !== 'SCRIPT') refuse(where, 'it is missing; the page is not complete');
    const bytes = fromBase64(element.textContent);
    if (!bytes) refuse(where, 'the data are damaged: they are not base64');
    return bytes;
  }

  async fetched(number, where) {
    let answer;
    try {
      answer = await fetch(this.address + number);
    } catch {
      throw new PageError(`${where}: the server does not answer. Is "slipstick view --serve" still running?`);
    }
    if (!answer.ok) refuse(where, `the server answers ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  }
}
