// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import uPlot from 'uplot';
import {full, make, short} from './dom.js';

// One chart over time: lines, a legend with the values of the shown step, and a line at its time.

/** Okabe and Ito's colours as variables of the style, and dashes, so that lines differ in grey too. */
const STROKES = ['--line-1', '--line-2', '--line-3', '--line-4', '--line-5', '--line-6', '--line-7', '--line-8'];
const DASHES = [[], [6, 3], [2, 2], [8, 3, 2, 3], [4, 2], [1, 3], [10, 4], [3, 6]];
const HEIGHT = 118;

function style(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** A line of the legend: its colour and dashes. */
function sample(index) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 20 8');
  svg.setAttribute('class', `sample stroke-${(index % STROKES.length) + 1}`);
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', 'M0 4H20');
  path.setAttribute('stroke-dasharray', DASHES[index % DASHES.length].join(' '));
  svg.append(path);
  return svg;
}

/** Powers of ten in a range, at most six. */
function decades(low, high) {
  const from = Math.ceil(Math.log10(low) - 1e-9), to = Math.floor(Math.log10(high) + 1e-9);
  const by = Math.max(1, Math.ceil((to - from + 1) / 6));
  const powers = [];
  for (let power = to; power >= from; power -= by) powers.unshift(10 ** power);
  return powers;
}

function axis(log) {
  return {
    ...(log ? {splits: (_, index, low, high) => decades(low, high)} : {}),
    stroke: () => style('--soft'), grid: {stroke: () => style('--grid'), width: 1}, ticks: {show: false}, size: 54, gap: 4,
    font: '11px system-ui, sans-serif',
    values: (_, splits) => splits.map((value) => (value === null ? '' : log ? value.toExponential(0).replace('e+', 'e') : short(value))),
  };
}

export class Chart {
  /** `lines`: [{name, values, unit, format}]. `log`: the axis of values is logarithmic. `level`: {name, value} of a level line. */
  constructor(title, times, lines, {log = false, level = null, marks = null, chosen = null} = {}) {
    this.times = times;
    this.lines = lines;
    this.log = log;
    this.chosen = chosen;
    this.values = lines.map(() => make('span', {className: 'number'}));
    const legend = make('div', {className: 'legend'});
    lines.forEach((line, i) => legend.append(make('span', {}, sample(i), `${line.name} `, this.values[i])));
    if (level) legend.append(make('span', {}, sample(1), `${level.name} `, make('span', {className: 'number', textContent: short(level.value)})));
    this.plotPlace = make('div', {className: 'plot', role: 'img'});
    this.element = make('section', {className: 'chart'}, make('h3', {textContent: title}), legend, this.plotPlace);
    this.title = title;
    const drawable = (values) => Array.from(values, (v) => (Number.isFinite(v) && (!log || v > 0) ? v : null));
    this.data = [Array.from(times), ...lines.map((line) => drawable(line.values))];
    const all = lines.map((line, i) => this.series(line.name, i, log));
    if (level && level.value > 0) {
      this.data.push(this.data[0].map(() => level.value));
      all.push({...this.series(level.name, 1, log), width: 1.25});
    }
    this.options = {
      width: 300, height: HEIGHT, legend: {show: false}, padding: [6, 8, 0, 0], series: [{}, ...all],
      scales: {x: {time: false}, y: log ? {distr: 3} : {range: (_, low, high) => uPlot.rangeNum(low, high > low ? high : low + 1, 0.08, true)}},
      axes: [{...axis(false), size: 22}, axis(log)],
      cursor: {sync: {key: 'slipstick'}, drag: {x: false, y: false}, points: {size: 5}},
      hooks: marks ? {draw: [(plot) => this.drawMarks(plot, marks)]} : {},
    };
  }

  series(label, index, log) {
    return {
      label, stroke: () => style(STROKES[index % STROKES.length]), width: 1.5, dash: DASHES[index % DASHES.length], points: {show: false},
      spanGaps: !log,
    };
  }

  /** Ticks at the top where steps are flagged. */
  drawMarks(plot, rows) {
    const {ctx, bbox} = plot;
    ctx.save();
    ctx.fillStyle = style('--bad');
    for (const row of rows) ctx.fillRect(plot.valToPos(this.times[row], 'x', true) - 1, bbox.top, 2, 8);
    ctx.restore();
  }

  /** Makes the plot when it has a place with a size. */
  mount() {
    if (this.plot || this.plotPlace.clientWidth === 0) return;
    this.plot = new uPlot({...this.options, width: this.plotPlace.clientWidth}, this.data, this.plotPlace);
    this.head = make('div', {className: 'head'});
    this.plot.over.append(this.head);
    this.plot.over.addEventListener('click', () => {
      const {idx} = this.plot.cursor;
      if (idx !== null && idx !== undefined) this.chosen?.(idx);
    });
    if (this.row !== undefined) this.at(this.row);
  }

  resize() {
    this.mount();
    const width = this.plotPlace.clientWidth;
    if (!this.plot || width === 0 || width === this.plot.width) return;
    this.plot.setSize({width, height: HEIGHT});
    if (this.row !== undefined) this.at(this.row);
  }

  redraw() {
    this.plot?.redraw();
  }

  /** New values of the lines, for histories that arrive little by little. */
  update() {
    this.lines.forEach((line, i) => (this.data[i + 1] = Array.from(line.values, (v) => (Number.isFinite(v) ? v : null))));
    this.plot?.setData(this.data);
    if (this.row !== undefined) this.at(this.row);
  }

  /** Shows the values of a row. */
  at(row) {
    this.row = row;
    const texts = this.lines.map((line) => (line.format ?? short)(line.values[row]));
    texts.forEach((text, i) => {
      if (this.values[i].textContent !== text) this.values[i].textContent = text;
    });
    if (this.plot) {
      const x = this.plot.valToPos(this.times[row], 'x');
      this.head.style.transform = `translateX(${x}px)`;
    }
  }

  /** The text for screen readers, with all digits. Changed only when the picture rests. */
  describe() {
    if (this.row === undefined) return;
    const parts = this.lines.map((line) => `${line.name} ${full(line.values[this.row])}`);
    this.plotPlace.setAttribute('aria-label', `${this.title} over time. At ${short(this.times[this.row])} s: ${parts.join(', ')}`);
  }

  destroy() {
    this.plot?.destroy();
    this.plot = null;
  }
}
