// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {byId, make, say} from './dom.js';

const MOST = 60;

/** Finds bodies and joints whose name has these words, or whose number is this. */
export function find(page, words) {
  const wanted = words.trim().toLowerCase();
  if (!wanted) return {results: [], count: 0};
  const results = [];
  let count = 0;
  const look = (kind, things) => things.forEach(({name}, index) => {
    if (!name.toLowerCase().includes(wanted) && String(index) !== wanted) return;
    ++count;
    if (results.length < MOST) results.push({kind, index, name: name || `${kind} ${index}`});
  });
  look('body', page.bodies);
  look('joint', page.joints);
  return {results, count};
}

/** The search box with its list of results, driven by keys or mouse. */
export class Search {
  constructor(page, choose) {
    this.page = page;
    this.choose = choose;
    this.input = byId('search');
    this.list = byId('results');
    this.results = [];
    this.active = -1;
    this.input.addEventListener('input', () => this.update());
    this.input.addEventListener('focus', () => this.update());
    this.input.addEventListener('keydown', (event) => this.key(event));
    this.input.addEventListener('blur', () => setTimeout(() => this.close(), 150));
  }

  update() {
    const {results, count} = find(this.page, this.input.value);
    this.results = results;
    this.list.replaceChildren(...results.map((result, i) => {
      const option = make('li', {id: `result-${i}`, role: 'option', 'aria-selected': 'false'},
                          make('span', {className: 'kind', textContent: `${result.kind} ${result.index}`}), result.name);
      option.addEventListener('mousedown', (event) => {
        event.preventDefault();
        this.take(i);
      });
      return option;
    }));
    if (count > results.length) this.list.append(make('li', {className: 'note', role: 'presentation', textContent: `and ${count - results.length} more`}));
    if (this.input.value.trim() && count === 0) this.list.append(make('li', {className: 'note', role: 'presentation', textContent: 'nothing has this name'}));
    const open = this.input.value.trim() !== '';
    this.list.hidden = !open;
    this.input.setAttribute('aria-expanded', String(open));
    this.mark(results.length ? 0 : -1);
    if (open) say(`${count} found`);
  }

  mark(index) {
    this.list.querySelectorAll('[role=option]').forEach((option, i) => {
      option.setAttribute('aria-selected', String(i === index));
      if (i === index) option.scrollIntoView({block: 'nearest'});
    });
    this.active = index;
    if (index >= 0) this.input.setAttribute('aria-activedescendant', `result-${index}`);
    else this.input.removeAttribute('aria-activedescendant');
  }

  key(event) {
    const moves = {ArrowDown: 1, ArrowUp: -1};
    if (event.key in moves && this.results.length) {
      event.preventDefault();
      this.mark((this.active + moves[event.key] + this.results.length) % this.results.length);
    } else if (event.key === 'Enter' && this.active >= 0) {
      event.preventDefault();
      this.take(this.active);
    } else if (event.key === 'Escape') {
      this.input.value = '';
      this.close();
    }
    event.stopPropagation();
  }

  take(index) {
    const {kind, index: number} = this.results[index];
    this.close();
    this.choose({kind, index: number});
  }

  close() {
    this.list.hidden = true;
    this.input.setAttribute('aria-expanded', 'false');
    this.input.removeAttribute('aria-activedescendant');
  }
}
