// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {Vector3} from 'three';
import {Bodies} from './bodies.js';
import {ContactLayer} from './contact_layer.js';
import {keyText} from './columns.js';
import {Ground} from './ground.js';
import {JointLayer, worldPoint} from './joint_layer.js';
import {MARKS, Marks} from './marks.js';
import {THEMES} from './palette.js';
import {Player} from './player.js';
import {Stage} from './stage.js';

/** The most contacts of a frame that are drawn unless the user asks for more. */
const CONTACTS_AT_FIRST = 3000;
/** The most parts with shadows that software draws in time. */
const SHADOWS_BY_SOFTWARE = 3000;
const SHADOWS_BY_DEVICE = 20000;

/** What is shown: a frame of the run, layers of the picture, and what is picked. Without WebGL there is no stage. */
export class Viewer {
  constructor(run, space, canvas, webGl, themeName, shells) {
    this.run = run;
    this.space = space;
    this.listeners = new Map();
    this.frame = -1;
    this.wanted = -1;
    this.waiting = false;
    this.between = 0;
    this.interpolate = false;
    this.follows = false;
    this.picked = null;
    this.pose = null;
    this.contacts = null;
    this.joints = null;
    this.player = new Player(run, () => this.emit('play'));
    const {page} = run;
    const most = Math.max(...page.chunks.map((chunk) => Math.max(...chunk.contacts)));
    this.show = {
      states: most <= CONTACTS_AT_FIRST, arrows: false, chains: false, joints: page.joints.length > 0 && page.joints.length <= 500,
      ghost: false, shadows: page.parts.body.length <= (webGl?.software ? SHADOWS_BY_SOFTWARE : SHADOWS_BY_DEVICE), colour: 'material',
    };
    this.theme = THEMES[themeName];
    this.stage = webGl ? this.makeStage(canvas, webGl, shells) : null;
  }

  makeStage(canvas, webGl, shells) {
    const {page} = this.run;
    const stage = new Stage(canvas, webGl, this.space, this.theme);
    this.bodies = new Bodies(page, this.space, this.theme, webGl.software, shells);
    this.ground = new Ground(page, this.space, this.theme);
    this.contactLayer = new ContactLayer(page, this.space, this.theme, webGl.software);
    this.jointLayer = new JointLayer(page, this.space, this.theme, webGl.software);
    stage.scene.add(this.ground.group, this.bodies.group);
    this.pickMark = new Marks(MARKS.ring(), this.theme.pick, webGl.software);
    stage.overlay.add(this.contactLayer.group, this.jointLayer.group, this.pickMark.group);
    return stage;
  }

  on(event, listener) {
    if (!this.listeners.has(event)) this.listeners.set(event, []);
    this.listeners.get(event).push(listener);
  }

  emit(event) {
    for (const listener of this.listeners.get(event) ?? []) listener();
  }

  setTheme(name) {
    this.theme = THEMES[name];
    if (this.stage) {
      this.stage.setTheme(this.theme);
      this.pickMark.setColour(this.theme.pick);
      for (const layer of [this.bodies, this.ground, this.contactLayer, this.jointLayer]) layer.setTheme(this.theme);
      this.renewOutline();
      if (this.frame >= 0) this.redraw();
    }
    this.emit('theme');
  }

  /** Changes layers: any members of `show`. */
  setShow(changes) {
    Object.assign(this.show, changes);
    if (this.stage) {
      this.bodies.setGhost(this.show.ghost);
      this.setShadows();
    }
    this.emit('show');
    return this.frame >= 0 ? this.goTo(this.frame, this.between) : undefined;
  }

  /** A device has shadow maps. Software has flat shadows, which need the place of the ground. */
  setShadows() {
    const on = this.show.shadows;
    this.bodies.setShadows(on, this.ground.flat());
    if (this.stage.software) return;
    this.ground.setShadows(on);
    this.stage.setShadows(on);
  }

  /** The tables that a frame needs now. */
  tables() {
    const {states, arrows, chains, joints, colour} = this.show;
    const tables = ['pose'];
    const drawn = this.stage !== null;
    if ((drawn && (states || arrows || chains || colour === 'island')) || this.picked?.kind === 'contact') tables.push('contacts');
    if ((drawn && joints && this.run.page.joints.length > 0) || this.picked?.kind === 'joint') tables.push('joints');
    if (drawn && colour === 'speed') tables.push('motion');
    return tables;
  }

  /** Shows a frame if its data are here. */
  tryShow(frame, between = 0) {
    const data = {};
    for (const table of this.tables()) {
      data[table] = this.run.now(table, frame);
      if (!data[table]) return false;
    }
    let next = null;
    if (between > 0 && frame + 1 < this.run.frameCount) {
      next = this.run.now('pose', frame + 1);
      if (!next) return false;
    }
    this.frame = frame;
    this.between = next ? between : 0;
    this.contacts = data.contacts ?? null;
    this.joints = data.joints ?? null;
    this.motion = data.motion ?? null;
    this.pose = next ? this.blend(data.pose, next, between) : data.pose;
    this.redraw();
    this.emit('frame');
    return true;
  }

  /** Shows a frame, after its data are loaded. Only the latest wish counts. */
  async goTo(frame, between = 0) {
    const k = Math.min(this.run.frameCount - 1, Math.max(0, Math.round(frame)));
    this.wanted = k;
    if (!this.player.playing) this.player.time = this.run.timeOfFrame[k];
    for (;;) {
      if (this.tryShow(k, between)) return;
      this.waiting = true;
      try {
        const loads = this.tables().map((table) => this.run.frame(table, k));
        if (between > 0 && k + 1 < this.run.frameCount) loads.push(this.run.frame('pose', k + 1));
        await Promise.all(loads);
      } finally {
        this.waiting = false;
      }
      if (this.wanted !== k) return;
    }
  }

  /** Loads what comes after this frame, if it is near. */
  prefetch(frame) {
    const next = this.run.chunkOfFrame[frame] + 1;
    const index = next < this.run.page.chunks.length ? next : this.player.loop ? 0 : -1;
    if (index < 0) return;
    for (const table of this.tables()) this.run.load(table, index).catch(() => {});
  }

  /** A pose between two frames. */
  blend(a, b, share) {
    const mix = (from, to) => {
      const out = new Float64Array(from.length);
      for (let i = 0; i < out.length; ++i) out[i] = from[i] + share * (to[i] - from[i]);
      return out;
    };
    const position = mix(a.position, b.position);
    const orientation = new Float64Array(a.orientation.length);
    for (let i = 0; i < orientation.length; i += 4) {
      let dot = 0, norm = 0;
      for (let c = 0; c < 4; ++c) dot += a.orientation[i + c] * b.orientation[i + c];
      for (let c = 0; c < 4; ++c) {
        const value = (1 - share) * a.orientation[i + c] + (dot < 0 ? -share : share) * b.orientation[i + c];
        orientation[i + c] = value;
        norm += value * value;
      }
      for (let c = 0; c < 4; ++c) orientation[i + c] /= Math.sqrt(norm);
    }
    return {position, orientation};
  }

  redraw() {
    if (!this.stage) return;
    this.bodies.place(this.pose);
    this.ground.place(this.pose);
    if (this.stage.software) this.bodies.setShadows(this.show.shadows, this.ground.flat());
    this.contactLayer.draw(this.contacts, this.pose, this.show);
    this.jointLayer.draw(this.joints, this.pose, this.show.joints);
    this.colourBodies();
    this.placePick();
    this.stage.moved();
  }

  colourBodies() {
    const {colour} = this.show;
    if (colour === 'island' && this.contacts) this.bodies.colour('island', this.islands());
    else if (colour === 'speed' && this.motion) this.bodies.colour('speed', this.speeds());
    else if (this.bodies.mode !== colour) this.bodies.colour(colour, null);
  }

  /** The island of each body: that of its contacts. -1: it has none, or it cannot move. */
  islands() {
    const islands = new Int32Array(this.run.page.bodies.length).fill(-1);
    this.contacts.bodies.forEach((body, i) => {
      const island = this.contacts.island[i >> 1];
      if (body >= 0 && island >= 0 && this.run.page.bodies[body].kind === 'movable') islands[body] = island;
    });
    return islands;
  }

  /** Speeds of bodies relative to the largest of the frame. */
  speeds() {
    const {velocity} = this.motion;
    const speeds = new Float64Array(velocity.length / 3);
    let largest = 0;
    for (let i = 0; i < speeds.length; ++i) {
      speeds[i] = Math.hypot(velocity[3 * i], velocity[3 * i + 1], velocity[3 * i + 2]);
      largest = Math.max(largest, speeds[i]);
    }
    this.largestSpeed = largest;
    return largest > 0 ? speeds.map((speed) => speed / largest) : speeds;
  }

  /** Picks {kind: 'body' | 'joint', index} or {kind: 'contact', index of the shown frame}; null picks nothing. */
  async pick(what) {
    this.picked = what;
    if (what?.kind === 'contact') {
      const contacts = await this.run.frame('contacts', this.frame);
      if (this.picked !== what || !(what.index < contacts.state.length)) return;
      what.key = keyText(contacts.key, what.index);
      what.halves = contacts.key.slice(2 * what.index, 2 * what.index + 2);
      what.bodies = [contacts.bodies[2 * what.index], contacts.bodies[2 * what.index + 1]];
    }
    if (!what) this.follows = false;
    this.renewOutline();
    await this.goTo(this.frame, this.between);
    this.emit('pick');
  }

  /** The picked contact's index in the shown frame, or -1 if it is not there. */
  pickedContact() {
    if (this.picked?.kind !== 'contact' || !this.contacts) return -1;
    const {key} = this.contacts;
    const [low, high] = this.picked.halves;
    for (let i = 0; i < key.length; i += 2) if (key[i] === low && key[i + 1] === high) return i / 2;
    return -1;
  }

  pickedBodies() {
    const {picked} = this;
    if (!picked) return [];
    if (picked.kind === 'body') return [picked.index];
    const bodies = picked.kind === 'joint' ? this.run.page.joints[picked.index].bodies : picked.bodies ?? [];
    return bodies.filter((body) => body >= 0);
  }

  renewOutline() {
    if (!this.stage) return;
    for (const {outline} of this.outlines ?? []) {
      this.stage.overlay.remove(outline);
      for (const lines of outline.children) {
        lines.geometry.dispose();
        lines.material.dispose();
      }
    }
    const bodies = this.pickedBodies().filter((body) => this.picked.kind === 'body' || this.run.page.bodies[body].kind !== 'fixed');
    this.outlines = bodies.map((body) => ({body, outline: this.bodies.outline(body, this.theme.pick)}));
    for (const {outline} of this.outlines) this.stage.overlay.add(outline);
    this.stage.invalidate();
  }

  /** Where the picked thing is in the world, or null. */
  pickedPlace() {
    const {picked, pose} = this;
    if (!picked || !pose) return null;
    if (picked.kind === 'body') return [0, 1, 2].map((c) => pose.position[3 * picked.index + c]);
    if (picked.kind === 'joint') {
      const joint = this.run.page.joints[picked.index];
      return worldPoint(joint.points[0], joint.bodies[0], pose);
    }
    const i = this.pickedContact();
    return i < 0 ? null : [0, 1, 2].map((c) => this.contacts.point[3 * i + c]);
  }

  /** A ring around the picked contact or joint, and outlines of bodies, where they are now. */
  placePick() {
    const spot = this.picked && this.picked.kind !== 'body' ? this.pickedPlace() : null;
    this.pickMark.begin(spot ? 1 : 0);
    if (spot) {
      const at = this.space.view(...spot, new Vector3());
      const i = this.pickedContact();
      const towards = i < 0 ? [0, 0, 1] : [0, 1, 2].map((c) => this.contacts.normal[3 * i + c]);
      const size = 2.6 * this.contactLayer.mark * this.contactLayer.size;
      this.pickMark.add(at.x, at.y, at.z, ...towards, size, size);
    }
    this.pickMark.end();
    for (const {body, outline} of this.outlines ?? []) this.bodies.moveOutline(outline, body);
    if (!this.follows) return;
    const place = this.pickedPlace();
    if (place) this.stage.centre(this.space.view(...place, new Vector3()));
  }

  setFollow(on) {
    this.follows = on && this.picked !== null;
    if (this.follows && this.stage) this.placePick();
    this.emit('show');
  }

  /** Turns the camera so that the picked thing is in the middle. */
  centrePick() {
    const place = this.pickedPlace();
    if (place && this.stage) this.stage.centre(this.space.view(...place, new Vector3()));
  }

  /** Picks what is at a pixel of the page. Marks are before bodies. */
  pickAt(x, y) {
    if (!this.stage || this.frame < 0) return;
    const project = (point) => this.stage.project(point);
    if (this.contacts && this.show.states) {
      const index = this.contactLayer.pick(this.contacts, x, y, project, 7);
      if (index >= 0) return this.pick({kind: 'contact', index});
    }
    if (this.show.joints) {
      const index = this.jointLayer.pick(this.pose, x, y, project, 7);
      if (index >= 0) return this.pick({kind: 'joint', index});
    }
    const body = this.bodies.pick(this.stage.pointAt(x, y), this.stage.camera);
    return this.pick(body >= 0 ? {kind: 'body', index: body} : null);
  }

  /** One round of the loop: time, frame, picture. */
  tick(now) {
    const {player} = this;
    if (player.tick(now, this.waiting)) {
      const frame = this.run.frameAt(player.time);
      let between = 0;
      if (this.interpolate && frame + 1 < this.run.frameCount) {
        const [from, to] = [this.run.timeOfFrame[frame], this.run.timeOfFrame[frame + 1]];
        between = to > from ? Math.min(0.999, Math.max(0, (player.time - from) / (to - from))) : 0;
      }
      if (frame !== this.frame || between !== this.between) {
        if (!this.tryShow(frame, between)) this.goTo(frame, between).catch((error) => this.fail(error));
        this.prefetch(frame);
      }
    }
    return this.stage ? this.stage.draw(now, player.playing) : false;
  }

  fail(error) {
    this.player.pause();
    this.error = error;
    this.emit('fail');
  }
}
