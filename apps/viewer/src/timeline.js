// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {byId, make, say, short} from './dom.js';

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

/** A speed with one or two digits that shows so much time in about ten seconds. */
function fitting(duration) {
  return Number((duration / 10).toPrecision(1));
}

/** The bar below: play, step, scrub, loop, speed, marks of flagged steps. */
export class Timeline {
  constructor(viewer, flaggedRows) {
    this.viewer = viewer;
    this.run = viewer.run;
    this.flagged = flaggedRows;
    const {player} = viewer;
    this.range = byId('scrub');
    this.range.max = String(this.run.frameCount - 1);
    this.range.addEventListener('input', () => {
      player.pause();
      this.goTo(Number(this.range.value));
    });
    this.playButton = byId('play');
    this.playButton.addEventListener('click', () => player.toggle());
    for (const [id, step] of [['back', -1], ['forward', 1]]) byId(id).addEventListener('click', () => this.step(step));
    byId('first').addEventListener('click', () => this.jump(0));
    byId('last').addEventListener('click', () => this.jump(this.run.frameCount - 1));
    byId('loop').addEventListener('click', (event) => {
      player.loop = !player.loop;
      event.currentTarget.setAttribute('aria-pressed', String(player.loop));
    });
    byId('smooth').addEventListener('change', (event) => {
      viewer.interpolate = event.target.checked;
      byId('between').hidden = !event.target.checked;
      if (!event.target.checked && viewer.between) this.goTo(viewer.frame);
    });
    this.speeds();
    viewer.on('play', () => this.playing());
    new ResizeObserver(() => this.drawMarks()).observe(this.range);
    this.playing();
  }

  speeds() {
    const {player} = this.viewer;
    const select = byId('speed');
    const duration = player.end - player.start;
    const choices = new Set(SPEEDS);
    if (duration > 0 && (duration < 0.7 || duration > 90)) {
      player.speed = fitting(duration);
      choices.add(player.speed);
    }
    for (const speed of [...choices].sort((a, b) => a - b)) {
      select.append(make('option', {value: String(speed), textContent: `${speed} \u00d7`, selected: speed === player.speed}));
    }
    select.addEventListener('change', () => (player.speed = Number(select.value)));
  }

  goTo(frame) {
    return this.viewer.goTo(frame).catch((error) => this.viewer.fail(error));
  }

  /** Goes to a frame, paused. */
  jump(frame) {
    this.viewer.player.pause();
    return this.goTo(frame);
  }

  step(by) {
    const from = this.viewer.frame;
    return this.jump(Math.min(this.run.frameCount - 1, Math.max(0, from + by)));
  }

  playing() {
    const {playing} = this.viewer.player;
    this.playButton.setAttribute('aria-label', playing ? 'Pause' : 'Play');
    this.playButton.title = playing ? 'Pause (space)' : 'Play (space)';
    this.playButton.classList.toggle('playing', playing);
    if (!playing && this.viewer.frame >= 0) this.announce();
    this.showFactor();
  }

  announce() {
    const row = this.run.rowOfFrame[this.viewer.frame];
    say(`Step ${this.run.steps.number[row]}, ${short(this.run.steps.time[row])} seconds`);
  }

  showFactor() {
    const {player} = this.viewer;
    const factor = player.measured?.factor;
    const text = player.playing && factor !== null && factor !== undefined ? `plays at ${factor.toPrecision(2)} \u00d7 real time` : '';
    const place = byId('factor');
    if (place.textContent !== text) place.textContent = text;
  }

  /** Shows where the viewer is. */
  update() {
    const {frame, player} = this.viewer;
    const row = this.run.rowOfFrame[frame];
    this.range.value = String(frame);
    const time = this.run.steps.time[row];
    const number = this.run.steps.number[row];
    byId('time').textContent = `${time.toFixed(3)} s`;
    byId('step').textContent = `step ${number}`;
    byId('frame').textContent = `frame ${frame + 1} of ${this.run.frameCount}`;
    if (player.playing) this.showFactor();
    else this.range.setAttribute('aria-valuetext', `step ${number}, ${short(time)} s, frame ${frame + 1} of ${this.run.frameCount}`);
  }

  /** Marks of flagged steps over the scrub bar. */
  drawMarks() {
    const canvas = byId('marks');
    const ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (width === 0) return;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext('2d');
    context.scale(ratio, ratio);
    context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--bad');
    // The middle of the thumb travels between half its width from each end.
    const thumb = 14;
    const last = Math.max(1, this.run.frameCount - 1);
    for (const row of this.flagged) {
      const frame = this.run.frameNearRow(row);
      context.fillRect(thumb / 2 + ((width - thumb) * frame) / last - 1, 0, 2, height);
    }
  }
}
