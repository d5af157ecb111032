// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {byId, command, full, make, short, valueTable} from './dom.js';
import {hardestStep, hardestText, worstContacts} from './questions.js';

const UNITS = {
  time: 's', step: 's', penetration: 'm', joint_error: 'm', joint_angle_error: 'rad', momentum: 'N s', angular_momentum: 'N m s',
  angular_defect: 'N m s', restitution_gain: 'J', energy_kinetic: 'J', energy_potential: 'J', seconds: 's', solver_seconds: 's',
};
const MOST_FLAGGED = 500;

/** The tabs beside the picture: one panel is shown; arrows move between the tabs. */
export class Tabs {
  constructor() {
    this.tabs = [...document.querySelectorAll('[role=tab]')];
    this.tabs.forEach((tab, i) => {
      tab.addEventListener('click', () => this.open(tab.id.replace('tab-', '')));
      tab.addEventListener('keydown', (event) => {
        const to = {ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: this.tabs.length - 1}[event.key];
        if (to === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        const next = this.tabs[(to + this.tabs.length) % this.tabs.length];
        next.click();
        next.focus();
      });
    });
  }

  open(name) {
    this.name = name;
    for (const tab of this.tabs) {
      const chosen = tab.id === `tab-${name}`;
      tab.setAttribute('aria-selected', String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      byId(tab.getAttribute('aria-controls')).hidden = !chosen;
    }
  }
}

/** Everything about the run and its steps in words and tables, and the answers to the three questions. */
export class Panels {
  constructor(viewer, timeline, inspector, tabs, flagged) {
    Object.assign(this, {viewer, timeline, inspector, tabs, flagged, run: viewer.run});
    this.showRun();
    this.showFlagged();
    byId('hardest').addEventListener('click', () => this.hardest());
    for (const id of ['worst', 'worst-here']) byId(id).addEventListener('click', () => this.worst().catch((error) => viewer.fail(error)));
    for (const id of ['rerun', 'rerun-here']) byId(id).addEventListener('click', () => this.rerun());
  }

  /** All columns of the shown step. */
  showStep() {
    const row = this.run.rowOfFrame[this.viewer.frame];
    const rows = [];
    for (const [name, , width] of this.run.page.steps.columns) {
      const values = this.run.column(name);
      if (values instanceof Uint32Array) continue;
      const words = Array.from(values.slice(row * width, (row + 1) * width), full);
      const named = name === 'remedies' ? words.map((word, i) => `${this.run.page.remedies[i] ?? i}: ${word}`) : words;
      rows.push([name, named, UNITS[name] ?? (name.startsWith('work_') ? 'J' : '')]);
    }
    byId('step-table').replaceChildren(valueTable(`Step ${this.run.steps.number[row]}`, rows));
  }

  /** Goes to the frame of a row of the steps, or the one nearest to it. */
  async goToRow(row) {
    const frame = this.run.frameNearRow(row);
    await this.timeline.jump(frame);
    const shown = this.run.rowOfFrame[frame];
    return shown === row ? '' : `This step has no frame on the page; the nearest one, of step ${this.run.steps.number[shown]}, is shown.`;
  }

  async hardest() {
    const answer = hardestStep(this.run);
    const note = await this.goToRow(answer.row);
    byId('answer').hidden = false;
    byId('answer-text').textContent = hardestText(this.run, answer);
    byId('answer-note').textContent = note;
    this.tabs.open('step');
    this.showStep();
    byId('live').textContent = `Hardest step. ${byId('answer-text').textContent} ${note}`;
  }

  async worst() {
    this.viewer.player.pause();
    const {frame} = this.viewer;
    const contacts = await this.run.frame('contacts', frame);
    const worst = worstContacts(this.run, frame, contacts);
    const step = this.run.steps.number[this.run.rowOfFrame[frame]];
    this.tabs.open('pick');
    const list = byId('worst-list');
    list.replaceChildren();
    if (!worst.length) {
      await this.viewer.pick(null);
      byId('pick-note').textContent = `Step ${step} has no contacts.`;
      return;
    }
    const text = ({by, value, unit}) => `${by}, ${full(value)} ${unit}`.trim();
    this.inspector.note = `Worst contact of step ${step} by: ${text(worst[0])}`;
    await this.viewer.pick({kind: 'contact', index: worst[0].index});
    this.viewer.centrePick();
    for (const other of worst.slice(1)) {
      const button = make('button', {type: 'button', className: 'link', textContent: `by ${text(other)}`});
      button.addEventListener('click', () => {
        this.inspector.note = `Worst contact of step ${step} by: ${text(other)}`;
        this.viewer.pick({kind: 'contact', index: other.index}).catch((error) => this.viewer.fail(error));
      });
      list.append(make('li', {}, button));
    }
    byId('live').textContent = `${this.inspector.note}. ${this.inspector.name()}`;
  }

  /** The commands that repeat the run, and the shown step. */
  rerun() {
    this.viewer.player.pause();
    const {page, steps} = this.run;
    const step = steps.number[this.run.rowOfFrame[this.viewer.frame]];
    const parts = [make('h3', {textContent: 'The whole run'}), command(page.rerun, 'command that repeats the run')];
    const dumps = page.dumps.filter((dump) => dump.step === step);
    parts.push(make('h3', {textContent: `The problem of step ${step}`}));
    for (const dump of dumps) {
      parts.push(make('p', {}, `Island ${dump.island} was dumped to `, make('code', {textContent: dump.file}), '. To solve it again:'));
      parts.push(command(dump.command, `command for island ${dump.island}`));
    }
    if (!dumps.length) {
      parts.push(make('p', {textContent: 'No island of this step was dumped. This command gets its problem:'}));
      parts.push(command(page.replay.replaceAll('{step}', String(step)), `command for step ${step}`));
    }
    byId('rerun-content').replaceChildren(...parts);
    byId('rerun-dialog').showModal();
  }

  showFlagged() {
    const {page, steps} = this.run;
    byId('flag-count').textContent = this.flagged.length ? String(this.flagged.length) : '';
    const list = byId('flagged-list');
    const summary = this.flagged.length ? `${this.flagged.length} of ${this.run.stepCount} steps are flagged: something in them needs a look.`
                                        : `All ${this.run.stepCount} steps are certified. None is flagged.`;
    byId('flagged-summary').textContent = summary;
    const remedies = this.run.column('remedies');
    for (const row of this.flagged.slice(0, MOST_FLAGGED)) {
      const go = make('button', {type: 'button', className: 'link', textContent: `step ${steps.number[row]}`});
      go.addEventListener('click', async () => {
        byId('flagged-note').textContent = await this.goToRow(row);
      });
      const error = this.run.column('error')?.[row];
      const used = remedies ? page.remedies.filter((_, i) => i > 0 && remedies[6 * row + i] > 0) : [];
      const text = ` at ${short(steps.time[row])} s, error ${error === undefined ? 'unknown' : short(error)}${used.length ? ', ' + used.join(', ') : ''}`;
      list.append(make('li', {}, go, text, ...this.dumpsOf(steps.number[row])));
    }
    if (this.flagged.length > MOST_FLAGGED) list.append(make('li', {textContent: `and ${this.flagged.length - MOST_FLAGGED} more`}));
    const flaggedSteps = new Set(this.flagged.map((row) => steps.number[row]));
    const others = page.dumps.filter((dump) => !flaggedSteps.has(dump.step));
    byId('other-dumps').hidden = others.length === 0;
    for (const dump of others.slice(0, MOST_FLAGGED)) {
      byId('other-dumps-list').append(make('li', {}, `step ${dump.step}, island ${dump.island}: `, make('code', {textContent: dump.file}),
                                           command(dump.command, `command for step ${dump.step}, island ${dump.island}`)));
    }
  }

  dumpsOf(step) {
    return this.run.page.dumps.filter((dump) => dump.step === step).flatMap((dump) => [
      make('div', {}, `island ${dump.island}: `, make('code', {textContent: dump.file})),
      command(dump.command, `command for step ${step}, island ${dump.island}`),
    ]);
  }

  showRun() {
    const {page} = this.run;
    const count = (kind) => page.bodies.filter((body) => body.kind === kind).length;
    byId('run-table').replaceChildren(valueTable('The run', [
      ['file', page.run], ['finished', page.finished ? 'yes' : 'no'], ['scene', page.scene], ['summary', page.summary],
      ['law of friction', page.law], ['solver', page.solver], ['tolerance', full(page.tolerance)], ['step', full(page.step), 's'],
      ['gravity', page.gravity.map(full), 'm/s\u00b2'], ['seed', full(page.seed)],
      ['bodies', `${count('movable')} movable, ${count('fixed')} fixed, ${count('moved')} moved`], ['joints', full(page.joints.length)],
      ['steps', full(this.run.stepCount)], ['frames', full(this.run.frameCount)], ['written by', `slipstick ${page.program}`],
      ['settings', page.settings],
    ]), make('h3', {textContent: 'Materials'}), valueTable('Materials of the scene', page.materials.map(({name, friction, restitution}) => [
      name, `friction ${full(friction)}, restitution ${full(restitution)}`,
    ])), make('h3', {textContent: 'Run it again'}), command(page.rerun, 'command that repeats the run'));
  }
}
