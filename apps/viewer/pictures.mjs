// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Takes pictures of pages in Chromium. Usage: node pictures.mjs CHROMIUM WIDTH HEIGHT (PAGE SECONDS SHOW ZOOM PICTURE)...
// SHOW is "page" for the whole page, "contacts" for the bodies with contacts, or "bodies". ZOOM counts steps of the key +.
import {pathToFileURL} from 'node:url';

import {chromium} from 'playwright-core';

const [executablePath, width, height, ...jobs] = process.argv.slice(2);
/** In the page: the last frame at or before a time. */
async function goToTime(time) {
  let low = 0, high = window.slipstick.frames - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    await window.slipstick.goTo(middle);
    if (window.slipstick.state().time <= time) low = middle;
    else high = middle - 1;
  }
  await window.slipstick.goTo(low);
}

const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
    '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
try {
  for (let k = 0; k + 4 < jobs.length; k += 5) {
    const [file, seconds, show, zoom, picture] = jobs.slice(k, k + 5);
    const page = await browser.newPage({
      viewport: {width: Number(width), height: Number(height)}, reducedMotion: 'reduce', bypassCSP: true,
    });
    await page.goto(pathToFileURL(file).href);
    await page.evaluate(() => window.slipstick.ready);
    await page.evaluate(goToTime, Number(seconds));
    if (show !== 'page') {
      // The picture alone, without the controls around it.
      await page.addStyleTag({content: '#view > :not(canvas), header, footer { visibility: hidden }'});
      const wanted = show === 'contacts' ? ['states', 'shadows'] : ['shadows'];
      for (const box of await page.locator('[data-show]').all()) {
        await box.evaluate((input, names) => input.checked !== names.includes(input.dataset.show) && input.click(), wanted);
      }
      await page.keyboard.press('m');
      for (let times = 0; times < Number(zoom); ++times) await page.keyboard.press('+');
    }
    await page.waitForTimeout(1500);
    const part = show === 'page' ? page : page.locator('#canvas');
    await part.screenshot(picture.endsWith('.png') ? {path: picture} : {path: picture, type: 'jpeg', quality: 82});
    console.log(picture);
    await page.close();
  }
} finally {
  await browser.close();
}
