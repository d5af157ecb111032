// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0

// Frame rates and times to load of the page, as CSV on stdout: node bench/viewer/speed.mjs [PAGE.html ...]
//
// A playing page of 10,000 bodies and a bare scene of three.js with as many equal shapes take turns in one browser, both on a canvas
// of 1280 x 720. Then a page of 100,000 spheres is opened, and the pages that the command names.
import {readFileSync, readdirSync} from 'node:fs';
import {createRequire} from 'node:module';
import {basename, dirname, join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {manyBodies} from '../../tests/browser/made_up.mjs';
import {blocksOf, pack, pageOf} from '../../tests/browser/page_writer.mjs';
import {VIEWER, launch, openPage, save, scratch, template} from '../../tests/browser/harness.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const WIDTH = 1280, HEIGHT = 720, ROUNDS = Number(process.env.ROUNDS ?? 3), SECONDS = Number(process.env.SECONDS ?? 4);
const SHAPES = {box: {kind: 'box', size: [0.7, 0.7, 0.7]}, sphere: {kind: 'sphere', radius: 0.4}};
const files = scratch();

async function barePage(count, shape) {
  const {build} = createRequire(join(VIEWER, 'package.json'))('esbuild');
  const {outputFiles} = await build({
    entryPoints: [join(here, 'bare.js')], bundle: true, minify: true, write: false, format: 'iife', nodePaths: [join(VIEWER, 'node_modules')],
  });
  const settings = JSON.stringify({count, shape, width: WIDTH, height: HEIGHT});
  return save(files.file(`bare-${shape}.html`), `<!DOCTYPE html><meta charset="utf-8"><style>body{margin:0}</style><body>
<script type="application/json" id="settings">${settings}</script><script>${outputFiles[0].text}</script>`);
}

/** Processor seconds that the processes started from here have used. They do not depend on what else the machine does. */
function processorSeconds() {
  const parents = new Map(), used = new Map();
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${id}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
      parents.set(id, fields[1]);
      used.set(id, (Number(fields[11]) + Number(fields[12])) / 100);
    } catch {
      // The process has ended.
    }
  }
  let sum = 0;
  for (const id of used.keys()) {
    let up = parents.get(id);
    while (up && up !== String(process.pid)) up = parents.get(up);
    if (up) sum += used.get(id);
  }
  return sum;
}

/** Pictures per second of a counter in the page, and processor milliseconds for each. */
async function rate(page, counter) {
  const before = processorSeconds();
  const {fps, count} = await counted(page, counter);
  return {fps, cpu: (1000 * (processorSeconds() - before)) / count};
}

async function counted(page, counter) {
  return page.evaluate(async ([expression, seconds]) => {
    const count = expression === 'bare' ? () => window.bare.drawn() : () => window.slipstick.state().drawn;
    const from = count(), start = performance.now();
    await new Promise((done) => setTimeout(done, 1000 * seconds));
    const made = count() - from;
    return {fps: made / ((performance.now() - start) / 1000), count: made};
  }, [counter, SECONDS]);
}

async function viewerRate(browser, path) {
  const opened = await openPage(browser, path, {size: {width: WIDTH, height: HEIGHT}});
  const {page} = opened;
  await page.keyboard.press('m');
  // The window grows until the canvas has the size of the other one.
  const rest = await page.evaluate(() => window.innerHeight - document.getElementById('view').clientHeight);
  await page.setViewportSize({width: WIDTH, height: HEIGHT + rest});
  await page.keyboard.press('1');
  await page.keyboard.press('l');
  await page.keyboard.press(' ');
  await page.waitForTimeout(1500);
  const measured = await rate(page, 'viewer');
  const size = await page.evaluate(() => [document.getElementById('canvas').width, document.getElementById('canvas').height]);
  if (size[0] !== WIDTH || size[1] !== HEIGHT) throw new Error(`the canvas has ${size}`);
  await opened.close();
  return measured;
}

async function bareRate(browser, path) {
  const context = await browser.newContext({viewport: {width: WIDTH, height: HEIGHT}});
  const page = await context.newPage();
  await page.goto(pathToFileURL(path).href);
  await page.waitForFunction(() => window.bare?.drawn() > 0);
  await page.waitForTimeout(1500);
  const measured = await rate(page, 'bare');
  await context.close();
  return measured;
}

async function loadTime(browser, path) {
  const start = performance.now();
  const opened = await openPage(browser, path);
  await opened.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const seconds = (performance.now() - start) / 1000;
  await opened.close();
  return seconds;
}

console.log('study,shape,bodies,round,viewer,bare,ratio,unit');
const line = (...cells) => console.log(cells.join());
const wanted = (process.env.STUDIES ?? 'frames,load').split(',');
const browser = await launch();
try {
  for (const shape of wanted.includes('frames') ? Object.keys(SHAPES) : []) {
    const count = 10000;
    const path = save(files.file(`${shape}.html`), pageOf(template(), pack(blocksOf(manyBodies(count, 128, SHAPES[shape]), {orders: [2], framesPerChunk: 32}), 1)));
    const bare = await barePage(count, shape);
    for (let round = 1; round <= ROUNDS; ++round) {
      const ours = await viewerRate(browser, path);
      const theirs = await bareRate(browser, bare);
      line('frame rate', shape, count, round, ours.fps.toFixed(2), theirs.fps.toFixed(2), (ours.fps / theirs.fps).toFixed(3), '1/s');
      line('processor time of a picture', shape, count, round, ours.cpu.toFixed(2), theirs.cpu.toFixed(2), (ours.cpu / theirs.cpu).toFixed(3), 'ms');
    }
  }
  if (wanted.includes('load')) {
    const count = 100000;
    const path = save(files.file('many.html'), pageOf(template(), pack(blocksOf(manyBodies(count, 8, SHAPES.sphere), {orders: [2], framesPerChunk: 4}), 1)));
    for (let round = 1; round <= ROUNDS; ++round) line('load', 'sphere', count, round, (await loadTime(browser, path)).toFixed(3), '', '', 's');
  }
  for (const path of process.argv.slice(2)) {
    for (let round = 1; round <= ROUNDS; ++round) line('load', basename(path), '', round, (await loadTime(browser, path)).toFixed(3), '', '', 's');
  }
} finally {
  await browser.close();
  files.remove();
}
