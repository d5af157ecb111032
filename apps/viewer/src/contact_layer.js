// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {Group, Vector3} from 'three';
import {MARKS, Marks} from './marks.js';
import {STATE_COLOURS} from './palette.js';

const MARK_OF_STATE = {open: 'ring', stick: 'octahedron', slip: 'cone'};

function median(numbers) {
  const sorted = numbers.sort((a, b) => a - b);
  return sorted.length ? sorted[sorted.length >> 1] : 0;
}

/** Contacts of a frame: marks by state, impulses as arrows, force chains as rods between bodies. */
export class ContactLayer {
  constructor(page, space, theme, software) {
    this.page = page;
    this.space = space;
    this.group = new Group();
    this.states = page.states.map((state) => new Marks(MARKS[MARK_OF_STATE[state] ?? 'ring'](), STATE_COLOURS[state] ?? '#999999', software));
    this.rods = new Marks(MARKS.rod(), theme.arrow, software);
    this.tips = new Marks(MARKS.tip(), theme.arrow, software);
    this.chains = new Marks(MARKS.rod(), theme.chain, software);
    for (const marks of [...this.states, this.rods, this.tips, this.chains]) this.group.add(marks.group);
    this.body = Math.min(space.bodySize * space.scale, 4);
    this.mark = Math.min(Math.max(0.11 * this.body, 0.05), 0.25);
    // A usual impulse: the weight of a usual body during a step. It does not depend on the frame, so lengths do not jump.
    const mass = median(page.bodies.filter((body) => body.kind === 'movable' && body.mass > 0).map((body) => body.mass));
    this.usual = mass * Math.hypot(...page.gravity) * page.step;
    this.size = 1;
  }

  setTheme(theme) {
    this.rods.setColour(theme.arrow);
    this.tips.setColour(theme.arrow);
    this.chains.setColour(theme.chain);
  }

  /** Square root of an impulse relative to the usual one. */
  strength(impulse, largest) {
    const usual = this.usual > 0 ? this.usual : largest;
    return usual > 0 ? Math.sqrt(impulse / usual) : 0;
  }

  /** Draws the contacts of a frame. `show` says what: {states, arrows, chains}. */
  draw(contacts, pose, show) {
    const count = contacts ? contacts.state.length : 0;
    this.group.visible = count > 0;
    const perState = this.states.map(() => 0);
    if (contacts) for (const state of contacts.state) ++perState[state];
    this.states.forEach((marks, state) => marks.begin(show.states ? perState[state] : 0));
    this.rods.begin(show.arrows ? count : 0);
    this.tips.begin(show.arrows ? count : 0);
    this.chains.begin(show.chains ? 2 * count : 0);
    if (contacts) {
      let largest = 0;
      for (let i = 0; i < count; ++i) largest = Math.max(largest, this.impulse(contacts, i));
      const at = new Vector3();
      for (let i = 0; i < count; ++i) {
        this.space.view(contacts.point[3 * i], contacts.point[3 * i + 1], contacts.point[3 * i + 2], at);
        if (show.states) this.addMark(contacts, i, at);
        const impulse = this.impulse(contacts, i);
        if (impulse > 0 && show.arrows) this.addArrow(contacts, i, at, this.strength(impulse, largest));
        if (impulse > 0 && show.chains) this.addChain(contacts, i, at, pose, this.strength(impulse, largest));
      }
    }
    for (const marks of [...this.states, this.rods, this.tips, this.chains]) marks.end();
  }

  impulse(contacts, i) {
    return Math.hypot(contacts.impulse[3 * i], contacts.impulse[3 * i + 1], contacts.impulse[3 * i + 2]);
  }

  addMark(contacts, i, at) {
    const slides = this.page.states[contacts.state[i]] === 'slip';
    const along = slides ? contacts.velocity : contacts.normal;
    const size = this.mark * this.size;
    this.states[contacts.state[i]].add(at.x, at.y, at.z, along[3 * i], along[3 * i + 1], along[3 * i + 2], size, size);
  }

  addArrow(contacts, i, at, strength) {
    const length = Math.min(0.7 * this.body * strength, 6 * this.body, 10) * this.size;
    const head = Math.min(0.5 * this.mark, 0.2 * length) * this.size;
    const x = contacts.impulse[3 * i], y = contacts.impulse[3 * i + 1], z = contacts.impulse[3 * i + 2];
    const shaft = Math.max(length - 2.2 * head, 0.01 * length);
    const share = shaft / Math.hypot(x, y, z);
    this.rods.add(at.x, at.y, at.z, x, y, z, 0.34 * head, shaft);
    this.tips.add(at.x + share * x, at.y + share * y, at.z + share * z, x, y, z, head, head);
  }

  /** A rod from the contact to the centre of each body that can move. */
  addChain(contacts, i, at, pose, strength) {
    const width = Math.min(0.16 * this.mark + 0.22 * this.mark * strength, 0.3 * this.body) * this.size;
    for (let side = 0; side < 2; ++side) {
      const body = contacts.bodies[2 * i + side];
      if (body < 0 || this.page.bodies[body].kind === 'fixed') continue;
      const {position} = pose;
      const centre = this.space.view(position[3 * body], position[3 * body + 1], position[3 * body + 2], new Vector3());
      const x = centre.x - at.x, y = centre.y - at.y, z = centre.z - at.z;
      this.chains.add(at.x, at.y, at.z, x, y, z, width, Math.hypot(x, y, z));
    }
  }

  /** The contact nearest to a point of the page among those drawn within some pixels, or -1. `project` gives pixels. */
  pick(contacts, x, y, project, reach) {
    let best = -1, distance = reach;
    const at = new Vector3();
    for (let i = 0; i < contacts.state.length; ++i) {
      this.space.view(contacts.point[3 * i], contacts.point[3 * i + 1], contacts.point[3 * i + 2], at);
      const pixel = project(at);
      const away = pixel.visible ? Math.hypot(pixel.x - x, pixel.y - y) : Infinity;
      if (away >= distance) continue;
      distance = away;
      best = i;
    }
    return best;
  }
}
