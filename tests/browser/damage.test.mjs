// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0

// Pages that were damaged or changed: they say which block is wrong, and show and run nothing of it.
import assert from 'node:assert/strict';
import {createServer} from 'node:http';
import {deflateSync, inflateSync} from 'node:zlib';
import test, {after, before} from 'node:test';
import {showcase} from './made_up.mjs';
import {blocksOf, pack, pageOf} from './page_writer.mjs';
import {hasBrowser, launch, openPage, save, scratch, state, template} from './harness.mjs';

const skip = hasBrowser() ? false : 'chromium or the built page is missing';
const files = scratch();
let browser, packed, page0;

before(async () => {
  if (skip) return;
  browser = await launch();
  const blocks = blocksOf(showcase(), {framesPerChunk: 16});
  packed = pack(blocks);
  page0 = JSON.parse(blocks[0]);
});
after(async () => {
  await browser?.close();
  files.remove();
});

let number = 0;
const SIZE = {width: 480, height: 360};
const open = (html) => openPage(browser, save(files.file(`page-${++number}.html`), html), {size: SIZE});

/** The message of a page that must fail. The picture is not to be seen. */
async function messageOf(html, act = null) {
  const opened = await open(html);
  const {page} = opened;
  try {
    if (act) await act(page);
    await page.waitForFunction(() => !document.getElementById('failure').hidden);
    assert.equal(await page.locator('#app').isVisible(), false);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.deepEqual(opened.requests, []);
    assert.deepEqual(opened.errors, []);
    return await page.textContent('#failure-text');
  } finally {
    await opened.close();
  }
}

/** The packed blocks with one changed. */
function changed(index, change) {
  const copy = [...packed];
  copy[index] = change(Buffer.from(copy[index], 'base64')).toString('base64');
  return pageOf(template(), copy);
}

const flipped = (bytes) => {
  bytes[bytes.length >> 1] ^= 0x10;
  return bytes;
};

test('a flipped bit in any block is found when the block is needed', {skip}, async () => {
  assert.match(await messageOf(changed(0, flipped)), /^block 0: /);
  assert.match(await messageOf(changed(1, flipped)), /^block 1: /);
  const {pose, contacts_block: contacts, motion} = page0.chunks[0];
  assert.match(await messageOf(changed(pose, flipped)), new RegExp(`^block ${pose}: `));
  assert.match(await messageOf(changed(contacts, flipped)), new RegExp(`^block ${contacts}: `));
  assert.match(await messageOf(changed(motion, flipped), (page) => page.keyboard.press('b')), new RegExp(`^block ${motion}: `));
});

test('a wrong checksum alone is found', {skip}, async () => {
  assert.match(await messageOf(changed(1, (bytes) => {
    bytes[bytes.length - 1] ^= 1;
    return bytes;
  })), /^block 1: .*checksum/);
});

test('damage in a later chunk ends the show when it is reached', {skip}, async () => {
  const {pose} = page0.chunks[2];
  const later = (bytes) => deflateSync(Buffer.from(inflateSync(bytes)).subarray(0, -5));
  const html = changed(pose, later);
  // The frames before are shown.
  const message = await messageOf(html, (page) => page.evaluate(() => document.documentElement.dataset.ready)).catch((error) => error.message);
  assert.match(message, new RegExp(`block ${pose}: `));
});

test('data that are cut off, missing, too long or not base64 are found', {skip}, async () => {
  assert.match(await messageOf(changed(1, (bytes) => bytes.subarray(0, bytes.length - 20))), /^block 1: /);
  assert.match(await messageOf(changed(1, (bytes) => deflateSync(Buffer.concat([inflateSync(bytes), Buffer.alloc(9)])))), /^block 1: .*longer/);
  assert.match(await messageOf(changed(1, (bytes) => Buffer.concat([bytes, Buffer.from('more')]))), /^block 1: /);
  assert.match(await messageOf(pageOf(template(), packed).replace('id="block-1"', 'id="block-x"')), /^block 1: it is missing/);
  assert.match(await messageOf(pageOf(template(), packed).replace('id="block-1">', 'id="block-1">!')), /^block 1: .*base64/);
  assert.match(await messageOf(template()), /template/);
});

test('a changed manifest is refused', {skip}, async () => {
  const lie = (change) => changed(0, () => {
    const page = structuredClone(page0);
    change(page);
    return deflateSync(JSON.stringify(page));
  });
  assert.match(await messageOf(lie((page) => (page.bodies[1].name = {toString: 1}))), /^block 0: "bodies\/1\/name"/);
  assert.match(await messageOf(lie((page) => (page.bodies.length = 3))), /^block 0: /);
  assert.match(await messageOf(lie((page) => (page.steps.rows = 1e12))), /^block 0: "steps\/rows"/);
  assert.match(await messageOf(changed(0, () => deflateSync('[1, 2'))), /^block 0: it is not JSON/);
});

test('scripts that were put into the page do not run', {skip}, async () => {
  const html = pageOf(template(), packed)
    .replace('<div id="live"', '<script>window.hacked = 1</script><img src="x" onerror="window.hacked = 1"><a href="javascript:window.hacked=1" id="trap">x</a><div id="live"')
    .replace('</body>', '<script src="https://example.com/evil.js"></script></body>');
  const opened = await open(html);
  try {
    await opened.page.evaluate(() => document.getElementById('trap').click());
    await opened.page.waitForTimeout(100);
    assert.equal(await opened.page.evaluate(() => window.hacked), undefined);
    assert.ok(opened.errors.length > 0, 'the browser says that it refused them');
  } finally {
    await opened.close();
  }
});

test('a changed bundle does not run at all', {skip}, async () => {
  const html = pageOf(template(), packed);
  const at = html.lastIndexOf('<script>') + '<script>'.length;
  const path = save(files.file('bundle.html'), `${html.slice(0, at)}window.hacked=1;${html.slice(at)}`);
  const page = await browser.newPage();
  await page.goto(`file://${path}`);
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.evaluate(() => window.slipstick), undefined);
  await page.close();
});

test('a served page fetches its blocks, and says when the server is gone', {skip}, async () => {
  const served = [];
  const server = createServer((request, response) => {
    const block = /^\/token\/block\/(\d+)$/.exec(request.url);
    served.push(request.url);
    if (block && packed[Number(block[1])]) response.end(Buffer.from(packed[Number(block[1])], 'base64'));
    else if (request.url === '/token/') {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(template().replace('<meta charset="utf-8">', '<meta charset="utf-8"><meta name="slipstick-blocks" content="block/">'));
    } else {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const context = await browser.newContext({reducedMotion: 'reduce', viewport: SIZE});
  const page = await context.newPage();
  try {
    await page.goto(`http://127.0.0.1:${server.address().port}/token/`);
    await page.waitForFunction(() => document.documentElement.dataset.ready === 'true');
    assert.equal((await state(page)).frame, 0);
    assert.ok(served.includes('/token/block/0'));
    assert.ok(served.length < packed.length, 'blocks are fetched when they are needed');
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    await page.keyboard.press('End');
    await page.waitForFunction(() => !document.getElementById('failure').hidden);
    assert.match(await page.textContent('#failure-text'), /the server does not answer/);
  } finally {
    await context.close();
    server.close();
  }
});
