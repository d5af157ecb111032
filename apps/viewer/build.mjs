// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0

// Makes the page of a run, without data: node build.mjs FOLDER writes viewer.html, viewer_page.cpp and LICENSES.txt there.
import {createHash} from 'node:crypto';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const read = (...path) => readFileSync(join(here, ...path), 'utf8');

/** Bytes of a string literal: compilers take at least 64 KiB. */
const LITERAL_BYTES = 16000;

async function bundle(entry, loader = {}) {
  const result = await build({
    entryPoints: [join(here, entry)], bundle: true, minify: true, write: false, format: 'iife', target: ['es2022', 'chrome110', 'firefox115', 'safari16.4'],
    legalComments: 'none', charset: 'ascii', loader, logLevel: 'warning', absWorkingDir: here,
  });
  return result.outputFiles[0].text.trim();
}

const hash = (text) => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;

const escapeHtml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

function licences() {
  const parts = ['three', 'uplot'].map((name) => {
    const {version, license} = JSON.parse(read('node_modules', name, 'package.json'));
    return `${name} ${version} (${license})\n\n${read('node_modules', name, 'LICENSE').trim()}\n`;
  });
  return parts.join('\n----------------------------------------------------------------\n\n');
}

/** The text as C++ string literals. Every byte that is not plain becomes an octal escape of three digits. */
function literals(text) {
  const bytes = Buffer.from(text, 'utf8');
  const lines = [];
  let line = '';
  const flush = () => {
    if (line) lines.push(`    "${line}"`);
    line = '';
  };
  for (const byte of bytes) {
    if (byte === 10) line += '\\n';
    else if (byte === 34 || byte === 92) line += `\\${String.fromCharCode(byte)}`;
    else if (byte === 63 || byte < 32 || byte > 126) line += `\\${byte.toString(8).padStart(3, '0')}`;
    else line += String.fromCharCode(byte);
    if (line.length >= 240) flush();
  }
  flush();
  return lines;
}

/** Defines viewer_page(). Adjacent literals are one, so they are put together in groups of limited size. */
function cppSource(text) {
  const groups = [];
  let size = Infinity;
  for (const line of literals(text)) {
    if (size + line.length > LITERAL_BYTES) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1).push(line);
    size += line.length;
  }
  const pieces = groups.map((lines) => `${lines.join('\n')}sv`).join(',\n');
  return `// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Made by apps/viewer/build.mjs.
#include "apps/cli/viewer_page.hpp"

#include <string>

namespace slipstick::internal::cli {
namespace {
using namespace std::string_view_literals;

constexpr std::string_view pieces[] = {
${pieces}};

std::string join_pieces() {
  std::string text;
  text.reserve(${Buffer.byteLength(text)});
  for (const std::string_view piece : pieces) text += piece;
  return text;
}
}  // namespace

std::string_view viewer_page() {
  static const std::string text = join_pieces();
  return text;
}

}  // namespace slipstick::internal::cli
`;
}

async function main() {
  const [folder] = process.argv.slice(2);
  if (!folder) {
    console.error('usage: node build.mjs FOLDER');
    process.exit(2);
  }
  // An end of the script element, or the start of a comment, must not be in the bundle.
  const script = (await bundle('src/main.js')).replaceAll('</script', '<\\/script').replaceAll('<!--', '\\x3C!--').replaceAll('<script', '\\x3Cscript');
  const style = (await bundle('src/page.css')).replaceAll('</style', '');
  const notices = licences();
  const policy = [
    "default-src 'none'", `script-src ${hash(script)}`, `style-src ${hash(style)}`, "img-src data: blob:", "connect-src 'self'",
    "base-uri 'none'", "form-action 'none'",
  ].join('; ');
  const parts = {policy, style, licences: escapeHtml(notices), script};
  const page = read('src', 'page.html').replace(/\{(policy|style|licences|script)\}/g, (_, name) => parts[name]);
  mkdirSync(folder, {recursive: true});
  writeFileSync(join(folder, 'viewer.html'), page);
  writeFileSync(join(folder, 'viewer_page.cpp'), cppSource(page));
  writeFileSync(join(folder, 'LICENSES.txt'), `Works that are part of the page that slipstick view writes.\n\n${notices}`);
  console.log(`${join(folder, 'viewer.html')}: ${Buffer.byteLength(page)} bytes`);
}

await main();
