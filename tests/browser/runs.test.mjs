// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0

// Pages of real runs, one for each scene: what they show is what `slipstick export --csv` writes.
import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test, {after, before} from 'node:test';
import {promisify} from 'node:util';
import {PROGRAM, goTo, hasBrowser, hue, launch, openPage, pixels, readCsv, rgb, scratch, settled, slipstick, state} from './harness.mjs';

const missing = !PROGRAM ? 'SLIPSTICK does not name the program' : hasBrowser() ? false : 'chromium or the built page is missing';
const files = scratch();
const SIZE = {width: 900, height: 560};
let browser;

/** Scenes that would take long get smaller. All run for some steps only. */
const SMALLER = {
  boxes: ['scene.stacks=9'], tower: ['scene.logs=20'], spinner: ['scene.links=8'], chain: ['scene.links=20'], trucks: ['scene.trucks=1'],
  rocks: ['scene.rocks=20'], bucket: ['scene.spheres=60'],
};
const DURATION = {cards: 0.02, painleve: 0.02, bucket: 0.03, arch: 0.1, top: 0.1};

const scenes = missing ? [] : JSON.parse(await slipstick('scenes', '--json'));

before(async () => {
  if (!missing) browser = await launch();
});
after(async () => {
  await browser?.close();
  files.remove();
});

async function simulated(name, {words = [], run = `${name}.h5`} = {}) {
  const {parameters} = scenes.find((scene) => scene.name === name);
  const sets = (SMALLER[name] ?? []).filter((set) => parameters.some((one) => set.startsWith(`scene.${one.name}=`))).flatMap((set) => ['--set', set]);
  const path = files.file(run);
  // Exit code 1: some steps are flagged.
  await slipstick('simulate', name, ...sets, '--duration', String(DURATION[name] ?? 0.15), '-o', path, ...words).catch((error) => {
    if (error.code !== 1) throw error;
  });
  const page = (await slipstick('view', path)).trim();
  await slipstick('export', path, '--csv', `${path}.csv`);
  return {page, csv: `${path}.csv`};
}

/** Rows of a CSV file by the value of a column. */
function by(rows, name) {
  const groups = new Map();
  for (const row of rows) {
    if (!groups.has(row[name])) groups.set(row[name], []);
    groups.get(row[name]).push(row);
  }
  return groups;
}

function tableOf(page, selector) {
  return page.evaluate((where) => Object.fromEntries([...document.querySelectorAll(`${where} tr`)].map((row) => [
    row.querySelector('th').textContent, [...row.querySelectorAll('td:nth-child(2) > *')].map((cell) => cell.textContent),
  ])), selector);
}

/** The cells of a vector in a row of CSV: name_x, ... or the name alone. */
function cells(row, name, axes = ['x', 'y', 'z']) {
  return name in row ? [row[name]] : axes.map((axis) => row[`${name}_${axis}`]);
}

const number = (text) => (text === 'inf' ? Infinity : Number(text));

function same(texts, expected, what) {
  assert.equal(texts?.length, expected.length, what);
  texts.forEach((text, i) => assert.ok(Object.is(Number(text), number(expected[i])), `${what}: ${text}, expected ${expected[i]}`));
}

async function picksBody(page, body, rows) {
  const row = rows[body];
  await page.fill('#search', String(body));
  await page.locator('#results [role=option]', {hasText: `body ${body}`}).first().dispatchEvent('mousedown');
  await page.waitForFunction((index) => window.slipstick.state().picked?.index === index, body);
  await page.waitForFunction((step) => document.querySelector('#pick-numbers caption')?.textContent === `In step ${step}`, row.step);
  const table = await tableOf(page, '#pick-numbers');
  for (const name of ['position', 'velocity', 'spin']) same(table[name], cells(row, name), `${name} of body ${body}`);
  same(table.orientation, cells(row, 'orientation', ['w', 'x', 'y', 'z']), `orientation of body ${body}`);
  assert.ok((await page.textContent('#pick-title')).endsWith(row.name), row.name);
}

for (const {name} of scenes) {
  test(`the page of ${name}`, {skip: missing}, async () => {
    const {page: path, csv} = await simulated(name);
    const opened = await openPage(browser, path, {size: SIZE});
    const {page} = opened;
    try {
      assert.equal(await page.evaluate(() => document.documentElement.dataset.ready), 'true', await page.textContent('#failure-text'));
      const steps = readCsv(join(csv, 'steps.csv'));
      const bodies = by(readCsv(join(csv, 'bodies.csv')), 'step'), contacts = by(readCsv(join(csv, 'contacts.csv')), 'step');
      assert.equal(await page.evaluate(() => window.slipstick.frames), bodies.size);
      const [steps0] = bodies.keys();
      assert.equal(String((await state(page)).step), steps0);

      // It plays to its end, and scrubs.
      await page.selectOption('#speed', '1');
      await page.keyboard.press(' ');
      await page.waitForFunction(() => !window.slipstick.state().playing && window.slipstick.state().frame === window.slipstick.frames - 1);
      const frame = Math.floor(bodies.size / 2);
      const step = [...bodies.keys()][frame];
      await page.evaluate((k) => {
        const range = document.getElementById('scrub');
        range.value = String(k);
        range.dispatchEvent(new Event('input', {bubbles: true}));
      }, frame);
      await page.waitForFunction((k) => window.slipstick.state().frame === k, frame);

      // The step, some bodies and a contact have the doubles of the run.
      await page.click('#tab-step');
      const table = await tableOf(page, '#step-table');
      const row = steps.find((one) => one.number === step);
      for (const column of ['time', 'step', 'error', 'penetration', 'energy_kinetic', 'momentum', 'angular_momentum', 'work_friction', 'seconds']) {
        same(table[column], cells(row, column), column);
      }
      for (const body of new Set([0, bodies.get(step).length - 1])) await picksBody(page, body, bodies.get(step));
      if (contacts.has(step)) {
        await page.keyboard.press('c');
        await page.waitForFunction(() => window.slipstick.state().picked?.kind === 'contact');
        await page.waitForFunction(() => document.querySelector('#pick-numbers')?.textContent.includes('impulse'));
        const contact = contacts.get(step)[(await state(page)).picked.index];
        const shown = await tableOf(page, '#pick-numbers');
        for (const column of ['point', 'normal', 'gap', 'impulse', 'velocity']) same(shown[column], cells(contact, column), column);
        assert.deepEqual(shown.state, [contact.state]);
      }
      await looksRight(page, bodies.get(step));
      assert.deepEqual(opened.errors, []);
      assert.deepEqual(opened.requests, []);
    } finally {
      await opened.close();
    }
  });
}

/** The picture is not blank, and where a movable body is in front of all others, it has its colour. */
async function looksRight(page, rows) {
  await page.keyboard.press('Escape');
  await page.evaluate(() => {
    for (const box of document.querySelectorAll('[data-show=states], [data-show=joints]')) if (box.checked) box.click();
  });
  await settled(page);
  const picture = await pixels(page);
  const canvas = await page.locator('#canvas').boundingBox();
  const colours = new Set();
  for (let i = 0; i < 40; ++i) for (let j = 0; j < 30; ++j) colours.add(picture.at(canvas.x + ((i + 0.5) * canvas.width) / 40, canvas.y + ((j + 0.5) * canvas.height) / 30).join());
  assert.ok(colours.size > 3, 'the picture is blank');
  let tried = 0, right = 0;
  for (let body = 0; body < rows.length; ++body) {
    const at = await page.evaluate((b) => window.slipstick.project(b), body);
    if (!at.visible) continue;
    // What is drawn there is the body itself only if a click picks it.
    await page.mouse.click(at.x, at.y);
    if (await page.evaluate((b) => window.slipstick.state().picked?.index !== b, body)) continue;
    ++tried;
    const wanted = hue(rgb(await page.evaluate((b) => window.slipstick.colour(b), body)));
    // A thin body may be beside the pixel by less than one.
    const near = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => hue(picture.at(at.x + x, at.y + y))));
    if (wanted.saturation < 0.2 || near.some((seen) => Math.abs(((seen.hue - wanted.hue + 540) % 360) - 180) < 25)) ++right;
    if (tried === 5) break;
  }
  assert.ok(right >= 0.8 * tried, `${right} of ${tried} bodies have their colours`);
}

/** Runs a command of a page in a shell. Exit code 1: not solved to the tolerance of the page. */
async function runInShell(command) {
  const words = command.replace(/^slipstick /, '"$SLIPSTICK" ');
  return promisify(execFile)('sh', ['-c', words], {cwd: files.folder, env: {...process.env, SLIPSTICK: PROGRAM}}).catch((error) => {
    assert.equal(error.code, 1, `${command}: ${error.stderr}`);
    return error;
  });
}

test('flagged steps name their dumps, and the commands of a page work', {skip: missing}, async () => {
  const {page: path} = await simulated('stack', {run: 'flagged.h5', words: ['--tolerance', '1e-17', '--dump', 'failed', '--policy', 'keep']});
  const opened = await openPage(browser, path, {size: SIZE});
  const {page} = opened;
  try {
    await page.click('#tab-flagged');
    assert.notEqual(await page.textContent('#flag-count'), '');
    const file = await page.locator('#flagged-list code').first().textContent();
    assert.match(file, /step-\d+-island-\d+\.h5$/);
    const command = await page.locator('#flagged-list .command code').first().textContent();
    assert.match(command, /^slipstick solve .*step-\d+-island-\d+\.h5/);
    const name = file.split('/').pop();
    assert.ok(existsSync(join(files.folder, 'flagged.dumps', name)), name);
    assert.match((await runInShell(command)).stdout, /asked for 1e-17/);
    await page.click('#hardest');
    await page.waitForFunction(() => !document.getElementById('answer').hidden);
    await page.click('#rerun-here');
    const again = await page.locator('#rerun-content .command code').first().textContent();
    assert.match(again, /^slipstick simulate --like .* -o again\.h5$/);
    await runInShell(again);
    assert.ok(existsSync(files.file('again.h5')));
    assert.deepEqual(opened.errors, []);
  } finally {
    await opened.close();
  }
});

test('a damaged run file gives a message and no page; a damaged page says which block', {skip: missing}, async () => {
  const {page: path} = await simulated('stack', {run: 'whole.h5'});
  const run = readFileSync(files.file('whole.h5'));
  run.fill(0x55, run.length >> 1, (run.length >> 1) + 4000);
  writeFileSync(files.file('damaged.h5'), run);
  await assert.rejects(slipstick('view', files.file('damaged.h5')), (error) => error.code === 2 && /damaged\.h5/.test(error.stderr));
  assert.equal(existsSync(files.file('damaged.html')), false);
  const html = readFileSync(path, 'utf8');
  const at = html.indexOf('id="block-1">') + 40;
  writeFileSync(files.file('changed.html'), html.slice(0, at) + (html[at] === 'A' ? 'B' : 'A') + html.slice(at + 1));
  const opened = await openPage(browser, files.file('changed.html'), {size: SIZE});
  assert.match(await opened.page.textContent('#failure-text'), /^block 1: /);
  await opened.close();
});
