// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0

/** Time that runs. It says which frame is due; the viewer shows it. */
export class Player {
  constructor(run, changed) {
    this.run = run;
    this.changed = changed;
    this.playing = false;
    this.loop = false;
    this.speed = 1;
    this.time = run.timeOfFrame[0];
    this.last = null;
    this.measured = null;
  }

  get start() {
    return this.run.timeOfFrame[0];
  }

  get end() {
    return this.run.timeOfFrame[this.run.frameCount - 1];
  }

  play() {
    if (this.run.frameCount < 2) return;
    if (this.time >= this.end) this.time = this.start;
    this.playing = true;
    this.last = null;
    this.measured = {from: null, time: 0, factor: null};
    this.changed();
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.measured = null;
    this.changed();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Advances to a time of the wall clock (ms). While data are loading, time stands still. Returns whether there is a new time. */
  tick(now, waiting) {
    if (!this.playing) return false;
    const passed = this.last === null || waiting ? 0 : Math.min((now - this.last) / 1000, 0.5);
    this.last = now;
    if (waiting) return false;
    const before = this.time;
    this.time += passed * this.speed;
    if (this.time >= this.end) {
      if (this.loop) this.time = this.start + ((this.time - this.start) % Math.max(this.end - this.start, 1e-300));
      else {
        this.time = this.end;
        this.pause();
      }
    }
    this.measure(now, Math.max(0, this.time - before));
    return true;
  }

  /** Simulated time per time of the wall clock, over about a second. */
  measure(now, advanced) {
    const m = this.measured;
    if (!m) return;
    if (m.from === null) m.from = now;
    m.time += advanced;
    if (now - m.from < 1000) return;
    m.factor = m.time / ((now - m.from) / 1000);
    m.from = now;
    m.time = 0;
  }
}
