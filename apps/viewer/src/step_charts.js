// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {Chart} from './chart.js';
import {byId} from './dom.js';

// The charts of the steps, linked to the timeline.

const CAUSES = ['gravity', 'contact', 'friction', 'joints', 'motors', 'motions', 'stabilization', 'stiffness', 'unexplained'];

function component(values, width, c) {
  return Float64Array.from({length: values.length / width}, (_, i) => values[i * width + c]);
}

function sums(values) {
  let sum = 0;
  return Float64Array.from(values, (value) => (sum += value));
}

function vector(run, name) {
  const values = run.column(name);
  return values ? ['x', 'y', 'z'].map((axis, c) => ({name: axis, values: component(values, 3, c)})) : [];
}

/** What the charts show: [title, lines, options]. Charts without a column are left out. */
function plan(run, flagged) {
  const line = (name, label) => (run.column(name) ? [{name: label, values: run.column(name)}] : []);
  const milliseconds = () => {
    const all = run.column('seconds'), solver = run.column('solver_seconds');
    if (!all || !solver) return [];
    return [
      {name: 'solver', values: solver.map((s) => 1e3 * s)}, {name: 'rest of the step', values: all.map((s, i) => 1e3 * (s - solver[i]))},
    ];
  };
  const energy = () => {
    const kinetic = run.column('energy_kinetic'), potential = run.column('energy_potential');
    if (!kinetic || !potential) return [];
    return [
      {name: 'kinetic', values: kinetic}, {name: 'potential', values: potential},
      {name: 'sum', values: kinetic.map((value, i) => value + potential[i])},
    ];
  };
  const works = CAUSES.filter((cause) => run.column(`work_${cause}`)?.some((work) => work !== 0));
  const restitution = run.column('restitution_gain')?.some((gain) => gain !== 0) ? ['restitution_gain'] : [];
  const {tolerance} = run.page;
  return [
    ['Contacts', [...line('contacts', 'contacts'), ...line('rows', 'rows')]],
    ['Islands', [...line('islands', 'awake'), ...line('asleep', 'asleep')]],
    ['Iterations', [...line('iterations', 'iterations'), ...line('factorizations', 'factorizations')]],
    ['Certified error', line('error', 'largest of an island'), {log: true, level: {name: 'tolerance', value: tolerance}, marks: flagged}],
    ['Milliseconds', milliseconds()],
    ['Energy, J', energy()],
    ['Work since the start by cause, J', [
      ...works.map((cause) => ({name: cause, values: sums(run.column(`work_${cause}`))})),
      ...restitution.map((name) => ({name: 'of these, restitution', values: sums(run.column(name))})),
    ]],
    ['Momentum, N s', vector(run, 'momentum')],
    ['Angular momentum, N m s', vector(run, 'angular_momentum')],
    ['Penetration and joint error, m', [...line('penetration', 'penetration'), ...line('joint_error', 'joints')]],
  ].filter(([, lines]) => lines.length > 0);
}

export class StepCharts {
  constructor(run, flagged, chosen) {
    this.charts = plan(run, flagged).map(([title, lines, options]) => new Chart(title, run.steps.time, lines, {...options, chosen}));
    const place = byId('charts');
    for (const chart of this.charts) place.append(chart.element);
    // A chart is drawn when it comes into sight, so that a page opens fast.
    const seen = new IntersectionObserver((entries) => {
      for (const {target, isIntersecting} of entries) {
        const chart = this.charts.find((one) => one.element === target);
        chart.inSight = isIntersecting;
        if (!isIntersecting) continue;
        chart.resize();
        if (this.row !== undefined) chart.at(this.row);
      }
    }, {rootMargin: '100px'});
    for (const chart of this.charts) seen.observe(chart.element);
    new ResizeObserver(() => this.charts.filter((chart) => chart.plot).forEach((chart) => chart.resize())).observe(place);
  }

  at(row, resting) {
    this.row = row;
    for (const chart of this.charts) {
      if (chart.inSight || resting) chart.at(row);
      if (resting) chart.describe();
    }
  }

  redraw() {
    for (const chart of this.charts) chart.redraw();
  }
}
