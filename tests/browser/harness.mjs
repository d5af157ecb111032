// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0

// What the tests of the page share: the browser, pages opened from disk, and the program.
import {execFile} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {promisify} from 'node:util';
import {inflateSync} from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const run = promisify(execFile);

/** The folder of the viewer with its node_modules, the template of the page, the browser, and the program (may be missing). */
export const VIEWER = resolve(process.env.SLIPSTICK_VIEWER ?? join(here, '../../apps/viewer'));
export const TEMPLATE = resolve(process.env.SLIPSTICK_VIEWER_PAGE ?? join(VIEWER, 'out/viewer.html'));
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
export const PROGRAM = process.env.SLIPSTICK ? resolve(process.env.SLIPSTICK) : null;

const FLAGS = [
  '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--font-render-hinting=none',
];

export function template() {
  return readFileSync(TEMPLATE, 'utf8');
}

/** A folder for files of a test. Call `remove` at the end. */
export function scratch() {
  const folder = mkdtempSync(join(tmpdir(), 'slipstick-browser-'));
  return {folder, file: (name) => join(folder, name), remove: () => rmSync(folder, {recursive: true, force: true})};
}

export async function launch(flags = []) {
  const {chromium} = createRequire(join(VIEWER, 'package.json'))('playwright-core');
  return chromium.launch({executablePath: CHROMIUM, headless: true, args: [...FLAGS, ...flags]});
}

/**
 * Opens a page from disk. Every request but that of the page itself is refused and counted, and every error is kept. Motion is
 * reduced unless told otherwise, so that nothing plays by itself.
 */
export async function openPage(browser, path, {size = {width: 1280, height: 720}, reducedMotion = 'reduce', colorScheme = 'light', hash = '', ...more} = {}) {
  const context = await browser.newContext({viewport: size, reducedMotion, colorScheme, ...more});
  const page = await context.newPage();
  const seen = {requests: [], errors: []};
  const address = pathToFileURL(path).href;
  await context.route('**/*', (route) => {
    const url = route.request().url();
    if (url.split('#')[0] === address) return route.continue();
    seen.requests.push(url);
    return route.abort();
  });
  page.on('console', (message) => {
    if (message.type() === 'error') seen.errors.push(message.text());
  });
  page.on('pageerror', (error) => seen.errors.push(String(error)));
  await page.goto(address + hash);
  await page.waitForFunction(() => document.documentElement.dataset.ready !== undefined, null, {timeout: 30000});
  return {page, context, ...seen, close: () => context.close()};
}

/** Waits until the shown frame is drawn. */
export async function settled(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

export function state(page) {
  return page.evaluate(() => window.slipstick.state());
}

export async function goTo(page, frame) {
  await page.evaluate((k) => window.slipstick.goTo(k), frame);
  await settled(page);
}

/** Pixels of the page, read from a PNG of 8 bits without interlacing. */
export async function pixels(page) {
  const png = await page.screenshot();
  let at = 8, width = 0, height = 0, channels = 0;
  const packed = [];
  while (at < png.length) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') {
      width = body.readUInt32BE(0);
      height = body.readUInt32BE(4);
      channels = {2: 3, 6: 4}[body[9]];
    }
    if (type === 'IDAT') packed.push(body);
    at += 12 + length;
  }
  const raw = inflateSync(Buffer.concat(packed));
  const row = width * channels;
  const out = new Uint8Array(height * row);
  for (let y = 0; y < height; ++y) {
    const filter = raw[y * (row + 1)];
    for (let x = 0; x < row; ++x) {
      const value = raw[y * (row + 1) + 1 + x];
      const left = x >= channels ? out[y * row + x - channels] : 0;
      const up = y > 0 ? out[(y - 1) * row + x] : 0;
      const corner = x >= channels && y > 0 ? out[(y - 1) * row + x - channels] : 0;
      out[y * row + x] = value + [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
    }
  }
  return {width, height, at: (x, y) => Array.from(out.subarray(Math.round(y) * row + Math.round(x) * channels, Math.round(y) * row + Math.round(x) * channels + 3))};
}

function paeth(a, b, c) {
  const p = a + b - c;
  const pa = Math.abs(p - a), pb = Math.abs(p - b), pc = Math.abs(p - c);
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/** Hue (0 to 360) and saturation (0 to 1) of a colour. */
export function hue([r, g, b]) {
  const high = Math.max(r, g, b), low = Math.min(r, g, b), range = high - low;
  const sector = range === 0 ? 0 : high === r ? ((g - b) / range + 6) % 6 : high === g ? (b - r) / range + 2 : (r - g) / range + 4;
  return {hue: 60 * sector, saturation: high === 0 ? 0 : range / high};
}

export function rgb(hex) {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
}

/** Runs the program. */
export async function slipstick(...words) {
  const {stdout} = await run(PROGRAM, words, {maxBuffer: 1 << 28});
  return stdout;
}

export function hasBrowser() {
  return existsSync(CHROMIUM) && existsSync(TEMPLATE) && existsSync(join(VIEWER, 'node_modules/playwright-core'));
}

/** A CSV table as a list of objects. Cells have no quotes around commas in what the tests read. */
export function readCsv(path) {
  const [head, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const names = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, i) => [name, cells[i]]));
  });
}

export function save(path, text) {
  writeFileSync(path, text);
  return path;
}
