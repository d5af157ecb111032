// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0

// The page in a real browser, with made-up runs.
import assert from 'node:assert/strict';
import test, {after, before} from 'node:test';
import {manyBodies, showcase} from './made_up.mjs';
import {blocksOf, pack, pageOf} from './page_writer.mjs';
import {goTo, hasBrowser, hue, launch, openPage, pixels, rgb, save, scratch, settled, state, template} from './harness.mjs';

const skip = hasBrowser() ? false : 'chromium or the built page is missing';
const files = scratch();
let browser, path, made;

before(async () => {
  if (skip) return;
  browser = await launch();
  made = showcase();
  path = save(files.file('showcase.html'), pageOf(template(), pack(blocksOf(made, {framesPerChunk: 16}))));
});
after(async () => {
  await browser?.close();
  files.remove();
});

/** A test with an open page. At its end there is no error and no request. */
function pageTest(name, options, body) {
  test(name, {skip}, async () => {
    const opened = await openPage(browser, path, {size: {width: 1000, height: 600}, ...options});
    try {
      assert.equal(await opened.page.evaluate(() => document.documentElement.dataset.ready), 'true');
      await body(opened.page, opened);
      assert.deepEqual(opened.errors, []);
      assert.deepEqual(opened.requests, []);
    } finally {
      await opened.close();
    }
  });
}

/** Numbers of a table of the page: {name: [texts]}. */
function tableOf(page, selector) {
  return page.evaluate((where) => Object.fromEntries([...document.querySelectorAll(`${where} tr`)].map((row) => [
    row.querySelector('th').textContent, [...row.querySelectorAll('td:nth-child(2) > *')].map((cell) => cell.textContent),
  ])), selector);
}

function sameDoubles(texts, values, what) {
  assert.deepEqual(texts.map(Number), Array.from(values), what);
  texts.forEach((text, i) => assert.ok(Object.is(Number(text), values[i]), `${what}: ${text}, expected ${values[i]}`));
}

const visible = (page, selector) => page.locator(selector).isVisible();

pageTest('it loads, and says what it shows', {}, async (page) => {
  assert.equal(await page.title(), 'showcase - Slipstick');
  assert.equal(await page.textContent('#title'), 'showcase');
  assert.equal(await page.evaluate(() => window.slipstick.frames), 70);
  assert.equal((await state(page)).playing, false);
  assert.equal(await page.evaluate(() => Object.isFrozen(window.slipstick)), true);
});

pageTest('it plays, pauses at the end, loops, steps and scrubs', {}, async (page) => {
  await page.selectOption('#speed', '1');
  await page.click('#play');
  assert.equal(await page.getAttribute('#play', 'aria-label'), 'Pause');
  await page.waitForFunction(() => window.slipstick.state().frame > 0);
  await page.waitForFunction(() => !window.slipstick.state().playing);
  assert.equal((await state(page)).frame, 69);
  await page.click('#first');
  await page.waitForFunction(() => window.slipstick.state().frame === 0);
  await page.click('#forward');
  await page.click('#forward');
  await page.click('#back');
  await page.waitForFunction(() => window.slipstick.state().frame === 1);
  await page.evaluate(() => {
    const range = document.getElementById('scrub');
    range.value = '37';
    range.dispatchEvent(new Event('input', {bubbles: true}));
  });
  await page.waitForFunction(() => window.slipstick.state().frame === 37);
  assert.equal(await page.textContent('#step'), 'step 74');
  assert.equal(await page.textContent('#frame'), 'frame 38 of 70');
  await page.click('#loop');
  await goTo(page, 69);
  await page.click('#play');
  await page.waitForFunction(() => window.slipstick.state().frame < 60);
  assert.equal((await state(page)).playing, true);
});

pageTest('it plays by itself, unless motion is to be reduced', {reducedMotion: 'no-preference'}, async (page) => {
  await page.waitForFunction(() => window.slipstick.state().frame > 0);
});

pageTest('bodies are where the run says, in their colours', {}, async (page) => {
  await page.click('#layers summary');
  await page.uncheck('[data-show=states]');
  await page.uncheck('[data-show=joints]');
  await page.click('#layers summary');
  await page.keyboard.press('4');
  for (const frame of [0, 33, 69]) {
    await goTo(page, frame);
    const picture = await pixels(page);
    for (let body = 1; body < 7; ++body) {
      const at = await page.evaluate((b) => window.slipstick.project(b), body);
      assert.ok(at.visible, `body ${body} of frame ${frame}`);
      const seen = hue(picture.at(at.x, at.y)), wanted = hue(rgb(await page.evaluate((b) => window.slipstick.colour(b), body)));
      const apart = Math.abs(((seen.hue - wanted.hue + 540) % 360) - 180);
      assert.ok(apart < 20 && seen.saturation > 0.12, `body ${body} of frame ${frame}: ${JSON.stringify([seen, wanted])}`);
    }
    // Beside the bodies is ground, which has no hue.
    const [left, top] = await page.evaluate(() => {
      const {x, y} = document.getElementById('canvas').getBoundingClientRect();
      return [x + 30, y + 300];
    });
    assert.ok(hue(picture.at(left, top)).saturation < 0.1);
  }
});

pageTest('a click picks a body, and its numbers are those of the run', {}, async (page) => {
  await page.keyboard.press('4');
  await goTo(page, 33);
  const at = await page.evaluate(() => window.slipstick.project(5));
  await page.mouse.click(at.x, at.y);
  await page.waitForFunction(() => window.slipstick.state().picked !== null);
  assert.deepEqual((await state(page)).picked, {kind: 'body', index: 5, key: null});
  assert.equal(await page.textContent('#pick-title'), 'Body 5: the cone');
  await page.waitForSelector('#pick-numbers .number');
  const table = await tableOf(page, '#pick-numbers');
  const {pose, motion} = made.frames[33];
  sameDoubles(table.position, pose.position.slice(15, 18), 'position');
  sameDoubles(table.orientation, pose.orientation.slice(20, 24), 'orientation');
  sameDoubles(table.velocity, motion.velocity.slice(15, 18), 'velocity');
  sameDoubles(table.spin, motion.spin.slice(15, 18), 'spin');
  await page.waitForSelector('#pick-history[data-complete=true]');
  assert.match(await page.getAttribute('#pick-history .plot', 'aria-label'), new RegExp(`x ${pose.position[15]}`));
});

pageTest('contacts and joints are picked, too, and neighbours lead on', {}, async (page) => {
  await goTo(page, 20);
  await page.keyboard.press('c');
  await page.waitForFunction(() => window.slipstick.state().picked?.kind === 'contact');
  const {index, key} = (await state(page)).picked;
  const {contacts} = made.frames[20];
  assert.equal(key, `0x${contacts.key[index].toString(16)}`);
  await page.waitForSelector('#pick-numbers .number');
  const table = await tableOf(page, '#pick-numbers');
  for (const [name, width] of [['point', 3], ['normal', 3], ['impulse', 3], ['velocity', 3], ['gap', 1]]) {
    sameDoubles(table[name], contacts[name].slice(index * width, (index + 1) * width), name);
  }
  assert.deepEqual(table.state, [['open', 'stick', 'slip'][contacts.state[index]]]);
  await page.click('#pick-facts button.link');
  await page.waitForFunction(() => window.slipstick.state().picked?.kind === 'body');
  await page.waitForSelector('#pick-neighbours li');
  await page.keyboard.press('j');
  await page.waitForFunction(() => window.slipstick.state().picked?.kind === 'joint');
  await page.waitForFunction(() => document.querySelector('#pick-numbers caption')?.textContent === 'In step 40' && document.querySelector('#pick-numbers').textContent.includes('torque'));
  const joint = await tableOf(page, '#pick-numbers');
  for (const name of ['coordinate', 'force', 'torque', 'error', 'angle_error']) sameDoubles(joint[name], made.frames[20].joints[name], name);
  // A contact that is gone in another frame: the panel says so.
  await page.keyboard.press('c');
  await goTo(page, 3);
  await page.waitForFunction(() => document.getElementById('pick-numbers').textContent.includes('is not there'));
});

pageTest('the three questions are answered within three clicks', {}, async (page) => {
  await page.click('#hardest');
  await page.waitForFunction(() => window.slipstick.state().step === 100);
  const answer = await page.textContent('#answer-text');
  assert.match(answer, /^Step 100 .*largest certified error.*Error Infinity/);
  await page.click('#worst-here');
  await page.waitForFunction(() => window.slipstick.state().picked?.kind === 'contact');
  const {contacts} = made.frames[50];
  const deepest = contacts.gap.indexOf(Math.min(...contacts.gap));
  assert.equal((await state(page)).picked.index, deepest);
  assert.match(await page.textContent('#pick-note'), /^Worst contact of step 100 by: deepest penetration, /);
  await page.click('#rerun');
  assert.ok(await visible(page, '#rerun-dialog'));
  const commands = await page.locator('#rerun-dialog .command code').allTextContents();
  assert.deepEqual(commands, ['slipstick simulate made-up.json -o made-up.h5', 'slipstick solve made-up.dumps/step-000100-island-004.h5']);
  await page.click('#rerun-dialog [data-close]');
  // A step without a dump, and without a frame.
  await page.click('#tab-flagged');
  assert.equal(await page.textContent('#flag-count'), '2');
  await page.click('#flagged-list button:has-text("step 41")');
  await page.waitForFunction(() => document.getElementById('flagged-note').textContent.includes('nearest'));
  await page.click('#rerun');
  assert.match(await page.textContent('#rerun-content'), /--dump every:4[02]/);
});

pageTest('charts have the data of the steps and follow the timeline', {}, async (page) => {
  await goTo(page, 30);
  const row = 60;
  const label = await page.getAttribute('#charts .chart:has(h3:text-is("Contacts")) .plot', 'aria-label');
  assert.equal(label, `Contacts over time. At 0.6 s: contacts ${made.steps.contacts[row]}, rows ${made.steps.rows[row]}`);
  const energy = await page.getAttribute('#charts .chart:has(h3:text-is("Energy, J")) .plot', 'aria-label');
  assert.ok(energy.includes(`kinetic ${made.steps.energy_kinetic[row]}`), energy);
  const titles = await page.locator('#charts h3').allTextContents();
  for (const title of ['Islands', 'Iterations', 'Certified error', 'Milliseconds', 'Work since the start by cause, J', 'Momentum, N s']) {
    assert.ok(titles.includes(title), title);
  }
  const plot = page.locator('#charts .chart').first().locator('.u-over');
  const box = await plot.boundingBox();
  await page.mouse.click(box.x + box.width * 0.75, box.y + 30);
  await page.waitForFunction(() => Math.abs(window.slipstick.state().time - 0.75 * 1.39) < 0.03);
  await page.click('#tab-step');
  const table = await tableOf(page, '#step-table');
  const now = 2 * (await state(page)).frame;
  sameDoubles(table.error, [made.steps.error[now]], 'error');
  sameDoubles(table.momentum, made.steps.momentum.slice(3 * now, 3 * now + 3), 'momentum');
});

pageTest('the keyboard suffices', {}, async (page) => {
  const active = () => page.evaluate(() => document.activeElement.id || document.activeElement.textContent.trim());
  await page.keyboard.press('Tab');
  assert.equal(await active(), 'hardest');
  const ring = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.equal(ring, 'solid');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => window.slipstick.state().step === 100);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => window.slipstick.state().picked?.kind === 'contact');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.ok(await visible(page, '#rerun-dialog'));
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  assert.equal(await active(), 'search');
  await page.keyboard.type('the c');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => window.slipstick.state().picked?.kind === 'body');
  assert.equal((await state(page)).picked.index, 4);
  assert.match(await page.textContent('#live'), /the cylinder/);
  // Every control can be reached.
  const wanted = new Set(['play', 'scrub', 'loop', 'speed', 'smooth', 'canvas', 'follow', 'theme', 'help', 'licences', 'tab-pick']);
  for (let i = 0; i < 60 && wanted.size; ++i) {
    await page.keyboard.press('Tab');
    wanted.delete(await active());
  }
  assert.deepEqual([...wanted], []);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => window.slipstick.state().frame === 1);
  await page.keyboard.press('b');
  await page.keyboard.press('f');
  await page.keyboard.press(' ');
  await page.waitForFunction(() => window.slipstick.state().frame > 3);
  await page.keyboard.press(' ');
  assert.equal((await state(page)).playing, false);
});

pageTest('every control has a name, and text has contrast in both themes', {}, async (page) => {
  const nameless = await page.evaluate(() => [...document.querySelectorAll('button, input, select, canvas[tabindex], [role=tab]')].filter((one) => {
    return !(one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length);
  }).map((one) => one.outerHTML.slice(0, 80)));
  assert.deepEqual(nameless, []);
  for (const theme of ['light', 'dark']) {
    if (await page.evaluate(() => document.documentElement.dataset.theme) !== theme) await page.keyboard.press('t');
    await page.waitForTimeout(200);
    for (const tab of ['charts', 'pick', 'step', 'flagged', 'run']) {
      await page.click(`#tab-${tab}`);
      if (tab === 'pick') await page.keyboard.press('b');
      await settled(page);
      const weak = await page.evaluate(() => {
        const parse = (text) => text.match(/[\d.]+/g).map(Number);
        const linear = (v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
        const bright = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
        const behind = (element) => {
          for (let one = element; one; one = one.parentElement) {
            const colour = getComputedStyle(one).backgroundColor;
            if (colour.startsWith('rgb') && (parse(colour)[3] ?? 1) > 0.5) return parse(colour);
          }
          return [255, 255, 255];
        };
        const found = [];
        for (const element of document.querySelectorAll('body *')) {
          if (![...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())) continue;
          if (!element.checkVisibility() || element.closest(':disabled, option, #legend')) continue;
          const a = bright(parse(getComputedStyle(element).color)), b = bright(behind(element));
          const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          if (ratio < 4.5) found.push(`${element.tagName} ${element.className} ${element.textContent.slice(0, 30)} ${ratio.toFixed(2)}`);
        }
        return found;
      });
      assert.deepEqual(weak, [], `${theme}, ${tab}`);
    }
  }
});

pageTest('layers, colours and cameras change the picture', {}, async (page) => {
  await goTo(page, 20);
  const shot = async () => {
    await settled(page);
    return (await page.locator('#canvas').screenshot()).toString('base64');
  };
  let last = await shot();
  const changes = async (what) => {
    const now = await shot();
    assert.notEqual(now, last, what);
    last = now;
  };
  await page.click('#layers summary');
  await changes('menu');
  for (const layer of ['states', 'arrows', 'chains', 'joints', 'ghost', 'shadows']) {
    await page.click(`[data-show=${layer}]`);
    await changes(layer);
  }
  for (const colour of ['body', 'island', 'speed']) {
    await page.selectOption('#colour', colour);
    await changes(colour);
  }
  for (const camera of ['front', 'side', 'top', 'slanted']) {
    await page.click(`[data-preset=${camera}]`);
    await changes(camera);
  }
  await page.click('#theme');
  await changes('theme');
});

pageTest('poses between frames are shown only on demand, and are labelled', {}, async (page) => {
  assert.equal(await visible(page, '#between'), false);
  await page.check('#smooth');
  assert.equal(await visible(page, '#between'), true);
  await page.selectOption('#speed', '0.05');
  await page.click('#play');
  await page.waitForFunction(() => window.slipstick.state().interpolated);
  await page.uncheck('#smooth');
  assert.equal(await visible(page, '#between'), false);
  await page.waitForFunction(() => !window.slipstick.state().interpolated);
});

pageTest('licences and help are there', {}, async (page) => {
  await page.click('#licences');
  const text = await page.textContent('#licences-dialog pre');
  for (const words of ['three 0.', 'three.js authors', 'uplot 1.', 'Leon Sorokin', 'WITHOUT WARRANTY OF ANY KIND']) assert.ok(text.includes(words), words);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  assert.ok(await visible(page, '#help-dialog'));
});

pageTest('the device\'s way of drawing works', {hash: '#draw=device'}, async (page) => {
  assert.equal((await state(page)).software, false);
  await page.keyboard.press('4');
  await goTo(page, 10);
  await page.waitForTimeout(300);
  const picture = await pixels(page);
  const at = await page.evaluate(() => window.slipstick.project(1));
  assert.ok(hue(picture.at(at.x + 12, at.y + 12)).saturation > 0.12);
});

test('ten thousand bodies are all drawn', {skip}, async () => {
  const many = manyBodies(10000, 4, {kind: 'box', size: [0.7, 0.7, 0.7]});
  const file = save(files.file('many.html'), pageOf(template(), pack(blocksOf(many, {orders: [2]}), 1)));
  const opened = await openPage(browser, file);
  const {page} = opened;
  try {
    await page.keyboard.press('m');
    await page.keyboard.press('4');
    await goTo(page, 2);
    await page.waitForTimeout(800);
    const picture = await pixels(page);
    const places = await page.evaluate(() => Array.from({length: 10000}, (_, i) => [window.slipstick.project(i + 1), window.slipstick.colour(i + 1)]));
    let right = 0;
    for (const [{x, y, visible: inside}, colour] of places) {
      assert.ok(inside);
      const seen = hue(picture.at(x, y)), wanted = hue(rgb(colour));
      if (Math.abs(((seen.hue - wanted.hue + 540) % 360) - 180) < 25 && seen.saturation > 0.12) ++right;
    }
    assert.ok(right > 9950, `${right} of 10000 bodies have their colour`);
    assert.deepEqual(opened.errors, []);
  } finally {
    await opened.close();
  }
});

test('names with HTML are shown, not executed', {skip}, async () => {
  const evil = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
  const run = showcase({names: {1: evil, 2: '</script><script>window.hacked=1</script>', 3: '\u202e\u0007"&amp;', joint: '<b>joint</b>'}});
  Object.assign(run, {scene: evil, summary: evil, settings: evil, rerun: evil, law: '<i>law</i>'});
  run.materials[0].name = '<u>wood</u>';
  const opened = await openPage(browser, save(files.file('evil.html'), pageOf(template(), pack(blocksOf(run)))));
  const {page} = opened;
  try {
    assert.equal(await page.textContent('#title'), evil);
    await page.fill('#search', '<img');
    await page.waitForSelector('#result-0');
    assert.ok((await page.textContent('#result-0')).includes(evil));
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => window.slipstick.state().picked?.index === 1);
    assert.equal(await page.textContent('#pick-title'), `Body 1: ${evil}`);
    for (const key of ['j', 'c', 'h', 'w', 'r']) await page.keyboard.press(key);
    assert.ok(await visible(page, '#rerun-dialog'));
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.evaluate(() => document.querySelectorAll('img, b, i:not(.bar), u').length), 0);
    assert.deepEqual(opened.requests, []);
    assert.deepEqual(opened.errors, []);
  } finally {
    await opened.close();
  }
});

test('a page that is thinned or not finished says so', {skip}, async () => {
  const run = Object.assign(showcase(), {thinned: {frames: 280, every: 4}, finished: false});
  const opened = await openPage(browser, save(files.file('thinned.html'), pageOf(template(), pack(blocksOf(run)))));
  assert.equal(await opened.page.textContent('#notice'),
               'This run is not finished. This page is thinned in time: it has 70 of 280 frames, one of every 4. The numbers of a frame are exact.');
  await opened.close();
});

test('without WebGL there is a message, and charts and tables work', {skip}, async () => {
  const plain = await launch(['--disable-3d-apis']);
  const opened = await openPage(plain, path);
  const {page} = opened;
  try {
    assert.ok(await visible(page, '#no-webgl'));
    await page.click('#hardest');
    await page.waitForFunction(() => window.slipstick.state().step === 100);
    await page.keyboard.press('b');
    await page.waitForSelector('#pick-numbers .number');
    sameDoubles((await tableOf(page, '#pick-numbers')).position, made.frames[50].pose.position.slice(0, 3), 'position');
    await page.click('#tab-charts');
    await page.waitForSelector('#charts .u-over');
    await page.click('#play');
    await page.waitForFunction(() => window.slipstick.state().frame > 52);
    assert.deepEqual(opened.errors, []);
  } finally {
    await plain.close();
  }
});
