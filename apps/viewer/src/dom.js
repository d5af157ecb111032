// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0

/** An element with properties, attributes (names with a dash, role, for) and children. Text is never read as HTML. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes('-') || name === 'role' || name === 'for' || name === 'scope') element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children);
  return element;
}

export function byId(id) {
  return document.getElementById(id);
}

/** All digits that tell a double from its neighbours. */
export function full(number) {
  return Object.is(number, -0) ? '-0' : String(number);
}

/** A few digits, for titles and legends. */
export function short(number) {
  if (!Number.isFinite(number)) return number > 0 ? 'infinite' : String(number);
  if (number === 0) return '0';
  const size = Math.abs(number);
  if (size >= 1e5 || size < 1e-3) return number.toExponential(2).replace('e+', 'e');
  return String(Number(number.toPrecision(4)));
}

const SVG = 'http://www.w3.org/2000/svg';

/** A small picture of paths in a square of 16. */
export function icon(paths, properties = {}) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('class', 'icon');
  for (const d of paths) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', d);
    for (const [name, value] of Object.entries(properties)) path.setAttribute(name, value);
    svg.append(path);
  }
  return svg;
}

/** Says something to screen readers. */
export function say(text) {
  byId('live').textContent = text;
}

/** Copies a text. The clipboard may be closed to pages from disk, then the old way is tried. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = make('textarea', {value: text, readOnly: true, className: 'hidden'});
    (document.querySelector('dialog[open]') ?? document.body).append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

/** A command with a button that copies it. */
export function command(text, label) {
  const button = make('button', {type: 'button', textContent: 'Copy', 'aria-label': `Copy: ${label}`});
  button.addEventListener('click', async () => {
    const done = await copy(text);
    button.textContent = done ? 'Copied' : 'Select and copy';
    say(done ? 'Copied' : 'The browser does not allow copying');
    setTimeout(() => (button.textContent = 'Copy'), 1500);
  });
  return make('div', {className: 'command'}, make('code', {textContent: text}), button);
}

/** A table of names and values; the values may be lists. */
export function valueTable(caption, rows) {
  const body = make('tbody');
  for (const [name, values, unit] of rows) {
    const row = make('tr', {}, make('th', {scope: 'row', textContent: name}));
    const cell = make('td');
    for (const value of Array.isArray(values) ? values : [values]) {
      cell.append(value instanceof Node ? value : make('span', {className: 'number', textContent: value}));
    }
    row.append(cell, make('td', {className: 'unit', textContent: unit ?? ''}));
    body.append(row);
  }
  return make('table', {className: 'values'}, make('caption', {textContent: caption}), body);
}
