// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {full, short} from './dom.js';

// The questions that people ask: which step was hardest, which contact was worst in it, how do I rerun it.

/** Rows of the steps that are flagged. */
export function flaggedRows(run) {
  const flagged = run.column('flagged');
  const rows = [];
  if (flagged) for (let row = 0; row < run.stepCount; ++row) if (flagged[row] !== 0) rows.push(row);
  return rows;
}

/** The hardest step: the largest error. If several have it: the most iterations, then the most time. */
export function hardestStep(run) {
  let rows = Array.from({length: run.stepCount}, (_, row) => row);
  const used = [];
  const narrow = (name, label) => {
    const values = run.column(name);
    if (!values || rows.length === 1) return;
    let largest = -Infinity;
    for (const row of rows) largest = Math.max(largest, values[row]);
    if (!(largest > 0)) return;
    rows = rows.filter((row) => values[row] === largest);
    used.push(label);
  };
  narrow('error', 'largest certified error');
  narrow('iterations', 'most iterations');
  narrow('seconds', 'longest time');
  const row = rows[0];
  return {row, by: used.length ? used.join(', then ') : 'the first: all steps are equal'};
}

/** The hardest step in words. */
export function hardestText(run, {row, by}) {
  const value = (name) => run.column(name)?.[row];
  const {tolerance} = run.page;
  const error = value('error');
  const parts = [`Step ${run.steps.number[row]} at ${short(run.steps.time[row])} s, by: ${by}.`];
  if (error !== undefined) {
    const share = tolerance > 0 && Number.isFinite(error) ? `, ${short(error / tolerance)} of the tolerance` : '';
    parts.push(`Error ${full(error)}${share}.`);
  }
  if (value('iterations') !== undefined) parts.push(`${value('iterations')} iterations.`);
  if (value('seconds') !== undefined) parts.push(`${short(1e3 * value('seconds'))} ms.`);
  return parts.join(' ');
}

/** Ways to measure how bad a contact is: [name, unit, value of contact i]. */
function measures(run, frame, contacts) {
  const length = run.column('step')?.[run.rowOfFrame[frame]] ?? run.page.step;
  const {gap, impulse, velocity, normal} = contacts;
  return [
    ['deepest penetration', 'm', (i) => -gap[i]],
    ['largest power of sliding', 'W', (i) => {
      let along = 0, dot = 0;
      for (let c = 0; c < 3; ++c) along += impulse[3 * i + c] * normal[3 * i + c];
      for (let c = 0; c < 3; ++c) dot += (impulse[3 * i + c] - along * normal[3 * i + c]) * velocity[3 * i + c];
      return length > 0 ? Math.abs(dot) / length : 0;
    }],
    ['largest impulse', 'N s', (i) => Math.hypot(impulse[3 * i], impulse[3 * i + 1], impulse[3 * i + 2])],
  ];
}

/** The worst contact of a frame by each measure that tells some: [{index, by, value, unit}]. */
export function worstContacts(run, frame, contacts) {
  const worst = [];
  for (const [by, unit, value] of measures(run, frame, contacts)) {
    let index = -1, largest = 0;
    for (let i = 0; i < contacts.state.length; ++i) {
      const one = value(i);
      if (one <= largest) continue;
      largest = one;
      index = i;
    }
    if (index >= 0) worst.push({index, by, value: largest, unit});
  }
  if (!worst.length && contacts.state.length) worst.push({index: 0, by: 'the first: all contacts are open', value: 0, unit: ''});
  return worst;
}
