// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {Chart} from './chart.js';
import {keyText} from './columns.js';
import {byId, full, make, short, valueTable} from './dom.js';

// The panel of what is picked: its numbers as the run file has them, its history, its neighbours.

const UNITS = {
  position: 'm', velocity: 'm/s', spin: 'rad/s', point: 'm', gap: 'm', impulse: 'N s', force: 'N', torque: 'N m', error: 'm',
  angle_error: 'rad', coordinate: 'rad or m', orientation: 'w x y z',
};
const AXES = {3: ['x', 'y', 'z'], 4: ['w', 'x', 'y', 'z'], 1: ['']};
const MOST_NEIGHBOURS = 40;

export class Inspector {
  constructor(viewer) {
    this.viewer = viewer;
    this.run = viewer.run;
    this.note = '';
    this.turn = 0;
    this.title = byId('pick-title');
    this.facts = byId('pick-facts');
    this.numbers = byId('pick-numbers');
    this.neighbours = byId('pick-neighbours');
    this.history = byId('pick-history');
    this.quantity = byId('pick-quantity');
    this.quantity.addEventListener('change', () => this.startHistory());
    viewer.on('pick', () => this.picked());
    this.picked();
  }

  bodyName(body) {
    return body < 0 ? 'world' : this.run.page.bodies[body].name || `body ${body}`;
  }

  jointName(joint) {
    return this.run.page.joints[joint].name || `joint ${joint}`;
  }

  bodyButton(body) {
    if (body < 0) return make('span', {textContent: 'world'});
    const button = make('button', {type: 'button', className: 'link', textContent: this.bodyName(body)});
    button.addEventListener('click', () => this.choose({kind: 'body', index: body}));
    return button;
  }

  choose(what) {
    this.note = '';
    this.viewer.pick(what).catch((error) => this.viewer.fail(error));
  }

  /** What is picked, in words. */
  name() {
    const {picked} = this.viewer;
    if (!picked) return 'Nothing is picked';
    if (picked.kind === 'body') return `Body ${picked.index}: ${this.bodyName(picked.index)}`;
    if (picked.kind === 'joint') return `Joint ${picked.index}: ${this.jointName(picked.index)}`;
    return `Contact of ${this.bodyName(picked.bodies[0])} with ${this.bodyName(picked.bodies[1])}`;
  }

  picked() {
    const {picked} = this.viewer;
    this.title.textContent = this.name();
    byId('pick-none').hidden = picked !== null;
    byId('pick-some').hidden = picked === null;
    byId('pick-note').textContent = this.note;
    this.signature = null;
    this.stopHistory();
    if (!picked) return;
    this.showFacts();
    this.showQuantities();
    this.update().catch((error) => this.viewer.fail(error));
    this.startHistory();
  }

  showFacts() {
    const {picked, run} = this.viewer;
    const {page} = run;
    let rows = [];
    if (picked.kind === 'body') {
      const body = page.bodies[picked.index];
      rows = [['kind', body.kind], ['mass', full(body.mass), 'kg']];
      page.parts.body.forEach((owner, part) => {
        if (owner !== picked.index || rows.length > 12) return;
        const shape = page.shapes[page.parts.shape[part]];
        const material = page.materials[page.parts.material[part]];
        rows.push(['shape', this.shapeText(shape)]);
        rows.push(['material', `${material.name}: friction ${full(material.friction)}, restitution ${full(material.restitution)}`]);
      });
    } else if (picked.kind === 'joint') {
      const joint = page.joints[picked.index];
      rows = [
        ['kind', joint.kind], ['first body', this.bodyButton(joint.bodies[0])], ['second body', this.bodyButton(joint.bodies[1])],
        ['point on the first', joint.points[0].map(full), 'm'], ['point on the second', joint.points[1].map(full), 'm'],
        ['axis', joint.axis.map(full)],
      ];
    } else {
      rows = [
        ['key', picked.key], ['first body', this.bodyButton(picked.bodies[0])], ['second body', this.bodyButton(picked.bodies[1])],
      ];
    }
    this.facts.replaceChildren(valueTable('What it is', rows));
  }

  shapeText(shape) {
    switch (shape.kind) {
      case 'sphere': return `sphere, radius ${full(shape.radius)} m`;
      case 'box': return `box, ${shape.size.map(full).join(' \u00d7 ')} m`;
      case 'mesh': return `mesh, ${shape.points.length / 3} points, ${shape.triangles.length / 3} triangles`;
      case 'plane': return 'plane';
      default: return `${shape.kind}, radius ${full(shape.radius)} m, height ${full(shape.height)} m`;
    }
  }

  /** Tables and columns of the picked kind of thing. */
  columns() {
    const {columns} = this.run.page;
    const of = (table) => columns[table].filter(([, type]) => type === 'f64').map(([name, , width]) => ({table, name, width}));
    switch (this.viewer.picked.kind) {
      case 'body': return [...of('pose'), ...of('motion')];
      case 'joint': return of('joints');
      default: return of('contacts');
    }
  }

  showQuantities() {
    const names = this.columns().map(({name}) => name);
    const before = this.quantity.value;
    const usual = {contact: 'impulse', joint: 'error', body: 'position'}[this.viewer.picked.kind];
    const chosen = names.includes(before) && this.kind === this.viewer.picked.kind ? before : usual;
    this.kind = this.viewer.picked.kind;
    this.quantity.replaceChildren(...names.map((name) => make('option', {value: name, textContent: name, selected: name === chosen})));
  }

  /** Shows the numbers of the shown frame. */
  async update() {
    const {picked, frame, player} = this.viewer;
    if (!picked || frame < 0) return;
    const turn = ++this.turn;
    const tables = picked.kind === 'body' ? ['pose', 'motion'] : picked.kind === 'joint' ? ['joints'] : ['contacts'];
    const data = await Promise.all(tables.map((table) => this.run.now(table, frame) ?? this.run.frame(table, frame)));
    if (turn !== this.turn) return;
    const row = picked.kind === 'contact' ? this.indexOf(data[0], picked) : picked.index;
    this.chart?.at(frame);
    const step = this.run.steps.number[this.run.rowOfFrame[frame]];
    if (row < 0) {
      this.numbers.replaceChildren(make('p', {className: 'note', textContent: `This contact is not there in step ${step}.`}));
    } else {
      const rows = [];
      tables.forEach((table, i) => {
        for (const [name, type, width] of this.run.page.columns[table]) {
          if (type === 'u64' || name === 'bodies') continue;
          const values = Array.from(data[i][name].slice(row * width, (row + 1) * width));
          rows.push([name, values.map((value) => this.valueText(name, value)), UNITS[name]]);
        }
      });
      this.numbers.replaceChildren(valueTable(`In step ${step}`, rows));
    }
    if (player.playing) return;
    this.chart?.describe();
    const contacts = await this.run.frame('contacts', frame);
    if (turn === this.turn) this.showNeighbours(contacts);
  }

  valueText(name, value) {
    if (name === 'state') return this.run.page.states[value];
    if (name === 'island') return value < 0 ? 'none' : full(value);
    if (name === 'broken') return value ? 'yes' : 'no';
    return full(value);
  }

  indexOf(contacts, picked) {
    const [low, high] = picked.halves;
    for (let i = 0; i < contacts.key.length; i += 2) if (contacts.key[i] === low && contacts.key[i + 1] === high) return i / 2;
    return -1;
  }

  /** Things that touch the picked thing in this frame. The list is made anew only if it changes, so that the focus stays. */
  showNeighbours(contacts) {
    const {picked, run} = this.viewer;
    const bodies = this.viewer.pickedBodies();
    const mine = new Set(picked.kind === 'body' ? bodies : bodies.filter((body) => run.page.bodies[body].kind !== 'fixed'));
    const touching = [];
    for (let i = 0; i < contacts.state.length; ++i) {
      const [a, b] = [contacts.bodies[2 * i], contacts.bodies[2 * i + 1]];
      if ((mine.has(a) || mine.has(b)) && !(picked.kind === 'contact' && this.isPicked(contacts, i))) touching.push(i);
    }
    const joints = [];
    run.page.joints.forEach((joint, i) => {
      if (joint.bodies.some((body) => mine.has(body)) && !(picked.kind === 'joint' && picked.index === i)) joints.push(i);
    });
    const signature = JSON.stringify([touching.map((i) => [keyText(contacts.key, i), contacts.state[i]]), joints]);
    if (signature === this.signature) return;
    this.signature = signature;
    const list = make('ul', {className: 'neighbours'});
    for (const i of touching.slice(0, MOST_NEIGHBOURS)) list.append(this.contactItem(contacts, i, mine));
    for (const i of joints.slice(0, MOST_NEIGHBOURS)) {
      const button = make('button', {type: 'button', className: 'link', textContent: this.jointName(i)});
      button.addEventListener('click', () => this.choose({kind: 'joint', index: i}));
      list.append(make('li', {}, 'joint ', button));
    }
    const count = touching.length + joints.length;
    const rest = count - list.children.length;
    const heading = count ? `Neighbours in this step: ${touching.length} contacts, ${joints.length} joints` : 'No neighbours in this step';
    this.neighbours.replaceChildren(make('h3', {textContent: heading}), list);
    if (rest > 0) this.neighbours.append(make('p', {className: 'note', textContent: `and ${rest} more`}));
  }

  isPicked(contacts, i) {
    const {halves} = this.viewer.picked;
    return contacts.key[2 * i] === halves[0] && contacts.key[2 * i + 1] === halves[1];
  }

  contactItem(contacts, i, mine) {
    const [a, b] = [contacts.bodies[2 * i], contacts.bodies[2 * i + 1]];
    const other = mine.has(a) && !mine.has(b) ? b : mine.has(b) && !mine.has(a) ? a : b;
    const impulse = Math.hypot(contacts.impulse[3 * i], contacts.impulse[3 * i + 1], contacts.impulse[3 * i + 2]);
    const state = this.run.page.states[contacts.state[i]];
    const button = make('button', {
      type: 'button', className: 'link', textContent: `${state}, ${short(impulse)} N s`, 'aria-label': `Contact with ${this.bodyName(other)}, ${state}`,
    });
    button.addEventListener('click', () => this.choose({kind: 'contact', index: i}));
    return make('li', {className: `state-${state}`}, this.bodyButton(other), ' ', button);
  }

  stopHistory() {
    this.historyTurn = (this.historyTurn ?? 0) + 1;
    this.chart?.destroy();
    this.chart = null;
    this.history.replaceChildren();
  }

  /** Fills the chart of a quantity over the run, chunk by chunk. */
  async startHistory() {
    this.stopHistory();
    const turn = this.historyTurn;
    const {run, viewer} = this;
    const {picked} = viewer;
    const column = this.columns().find(({name}) => name === this.quantity.value);
    const lines = AXES[column.width].map((axis) => ({name: axis || column.name, values: new Float64Array(run.frameCount).fill(NaN)}));
    const unit = UNITS[column.name] ?? '1';
    this.chart = new Chart(`${column.name}, ${unit}`, run.timeOfFrame, lines, {chosen: (frame) => {
      viewer.player.pause();
      viewer.goTo(frame).catch((error) => viewer.fail(error));
    }});
    this.history.append(this.chart.element);
    this.chart.at(Math.max(0, viewer.frame));
    this.chart.mount();
    try {
      for (let index = 0; index < run.page.chunks.length; ++index) {
        const chunk = run.page.chunks[index];
        const frames = await run.load(column.table, index);
        if (turn !== this.historyTurn) return;
        if (picked.kind !== 'contact') {
          const values = frames.history(column.name, picked.index);
          lines.forEach((line, c) => {
            for (let k = 0; k < chunk.contacts.length; ++k) line.values[chunk.first + k] = values[k * column.width + c];
          });
        } else {
          for (let k = 0; k < chunk.contacts.length; ++k) {
            const contacts = frames.frame(k);
            const i = this.indexOf(contacts, picked);
            lines.forEach((line, c) => (line.values[chunk.first + k] = i < 0 ? NaN : contacts[column.name][i * column.width + c]));
          }
        }
        this.chart.update();
        await new Promise((done) => setTimeout(done));
        if (turn !== this.historyTurn) return;
      }
      this.history.dataset.complete = 'true';
      this.chart.describe();
    } catch (error) {
      if (turn === this.historyTurn) viewer.fail(error);
    }
  }
}
