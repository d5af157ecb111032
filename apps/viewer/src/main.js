// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {Vector3} from 'three';
import {BlockSource} from './blocks.js';
import {byId, full, say, short} from './dom.js';
import {Inspector} from './inspector.js';
import {listenToKeys} from './keyboard.js';
import {PageError} from './page_error.js';
import {Panels, Tabs} from './panels.js';
import {flaggedRows} from './questions.js';
import {Run} from './run.js';
import {Search} from './search.js';
import {Space, shellsOf} from './space.js';
import {openWebGl} from './stage.js';
import {StepCharts} from './step_charts.js';
import {Timeline} from './timeline.js';
import {ViewTools} from './view_tools.js';
import {Viewer} from './viewer.js';

/** Frames whose poses decide what the camera frames. */
const SAMPLED_FRAMES = 5;
/** Milliseconds between two updates of panels and timeline while the run plays. Text costs more than the picture. */
const PANEL_PAUSE = 150;

/** Shows that the page cannot be used, and why. Nothing of the run stays in sight. */
function giveUp(error) {
  const known = error instanceof PageError;
  byId('app').hidden = true;
  byId('loading').hidden = true;
  byId('failure').hidden = false;
  byId('failure-text').textContent = known ? error.message : `unexpected: ${error?.message ?? error}`;
  if (!known) console.error(error);
}

/** Poses of a few frames over the run, the first one first. */
async function samplePoses(run) {
  const chunks = run.page.chunks.length;
  const frames = new Set([0]);
  const large = run.page.bodies.length * run.frameCount > 2e6;
  for (let i = 1; i < SAMPLED_FRAMES && !large; ++i) {
    frames.add(run.page.chunks[Math.min(chunks - 1, Math.floor((i * chunks) / (SAMPLED_FRAMES - 1)))].first);
  }
  if (!large) frames.add(run.frameCount - 1);
  const poses = [];
  for (const frame of frames) poses.push(await run.frame('pose', frame));
  return poses;
}

function startTheme(viewer, charts, timeline) {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const set = (name) => {
    document.documentElement.dataset.theme = name;
    byId('theme').textContent = name === 'dark' ? 'Light' : 'Dark';
    byId('theme').setAttribute('aria-label', name === 'dark' ? 'Change to light colours' : 'Change to dark colours');
    viewer.setTheme(name);
    charts.redraw();
    timeline.drawMarks();
  };
  const toggle = () => set(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
  byId('theme').addEventListener('click', toggle);
  dark.addEventListener('change', () => set(dark.matches ? 'dark' : 'light'));
  set(dark.matches ? 'dark' : 'light');
  return toggle;
}

function startHeader(run) {
  const {page} = run;
  byId('title').textContent = page.scene || page.run;
  document.title = `${page.scene || page.run} - Slipstick`;
  byId('facts').textContent = `${page.bodies.length} bodies \u00b7 ${run.stepCount} steps \u00b7 ${page.law} \u00b7 ${page.solver} \u00b7 tolerance ${full(page.tolerance)}`;
  const notes = [];
  if (!page.finished) notes.push('This run is not finished.');
  if (page.thinned) {
    notes.push(`This page is thinned in time: it has ${run.frameCount} of ${page.thinned.frames} frames, one of every ${page.thinned.every}. The numbers of a frame are exact.`);
  }
  byId('notice').textContent = notes.join(' ');
  byId('notice').hidden = notes.length === 0;
}

/** The next or previous thing of a kind, for people without a mouse. */
function startStepping(viewer, inspector, tabs) {
  return (kind, by) => async () => {
    const {page} = viewer.run;
    const contacts = kind === 'contact' ? await viewer.run.frame('contacts', viewer.frame) : null;
    const count = kind === 'body' ? page.bodies.length : kind === 'joint' ? page.joints.length : contacts.state.length;
    if (count === 0) return say(`There are no ${{body: 'bodies', joint: 'joints', contact: 'contacts'}[kind]} in this step`);
    const {picked} = viewer;
    const now = picked?.kind !== kind ? -1 : kind === 'contact' ? inspector.indexOf(contacts, picked) : picked.index;
    const next = now < 0 ? (by > 0 ? 0 : count - 1) : (now + by + count) % count;
    inspector.note = '';
    await viewer.pick({kind, index: next});
    tabs.open('pick');
    say(inspector.name());
  };
}

function startPicking(viewer, canvas, inspector, tabs) {
  let down = null;
  canvas.addEventListener('pointerdown', (event) => (down = [event.clientX, event.clientY]));
  canvas.addEventListener('pointerup', async (event) => {
    if (!down || event.button !== 0 || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4) return;
    inspector.note = '';
    try {
      await viewer.pickAt(event.clientX, event.clientY);
    } catch (error) {
      viewer.fail(error);
    }
    if (viewer.picked) tabs.open('pick');
    say(inspector.name());
  });
}

function startResizing(viewer, canvas) {
  const fit = () => {
    const {clientWidth, clientHeight} = canvas.parentElement;
    if (clientWidth > 0 && clientHeight > 0) viewer.stage.resize(clientWidth, clientHeight, window.devicePixelRatio || 1);
  };
  new ResizeObserver(fit).observe(canvas.parentElement);
  fit();
}

function startDialogs() {
  for (const [button, dialog] of [['help', 'help-dialog'], ['licences', 'licences-dialog']]) {
    byId(button).addEventListener('click', () => byId(dialog).showModal());
  }
  for (const button of document.querySelectorAll('[data-close]')) button.addEventListener('click', () => button.closest('dialog').close());
}

/** The frame that the address asks for: page.html#step=12. */
function frameOfAddress(run) {
  const step = Number(/^#step=(\d+)$/.exec(location.hash)?.[1] ?? NaN);
  const row = step - run.steps.number[0];
  return row >= 0 && row < run.stepCount ? run.frameNearRow(row) : -1;
}

async function start() {
  const source = new BlockSource(document);
  if (source.empty()) throw new PageError('this is the template of a page: it holds no run');
  performance.mark('slipstick: opened');
  const run = await Run.open(source);
  performance.mark('slipstick: steps decoded');
  const space = new Space(run.page, await samplePoses(run));
  performance.mark('slipstick: framed');
  const shells = shellsOf(run.page, await run.frame('pose', 0));
  const canvas = byId('canvas');
  byId('loading').hidden = true;
  byId('app').hidden = false;
  const webGl = openWebGl(canvas, location.hash === '#draw=device' ? 'device' : '');
  let viewer;
  try {
    viewer = new Viewer(run, space, canvas, webGl, 'light', shells);
  } catch (error) {
    if (!webGl) throw error;
    viewer = new Viewer(run, space, canvas, null, 'light', shells);
  }
  performance.mark('slipstick: stage');
  byId('no-webgl').hidden = viewer.stage !== null;
  byId('view').classList.toggle('blank', viewer.stage === null);
  const flagged = flaggedRows(run);
  const tabs = new Tabs();
  const timeline = new Timeline(viewer, flagged);
  const inspector = new Inspector(viewer);
  const panels = new Panels(viewer, timeline, inspector, tabs, flagged);
  const charts = new StepCharts(run, flagged, (row) => panels.goToRow(row));
  viewer.on('fail', () => giveUp(viewer.error));
  startHeader(run);
  startDialogs();
  tabs.open('charts');
  if (viewer.stage) {
    new ViewTools(viewer);
    startResizing(viewer, canvas);
    startPicking(viewer, canvas, inspector, tabs);
  }
  const toggleTheme = startTheme(viewer, charts, timeline);
  const search = new Search(run.page, async (what) => {
    inspector.note = '';
    await viewer.pick(what);
    viewer.centrePick();
    tabs.open('pick');
    byId('panel-pick').focus();
    say(inspector.name());
  });
  startKeys({viewer, timeline, panels, inspector, tabs, search, toggleTheme});
  startUpdates({viewer, timeline, panels, inspector, tabs, charts});
  const asked = frameOfAddress(run);
  performance.mark('slipstick: panels');
  await viewer.setShow({});
  await viewer.goTo(Math.max(0, asked));
  viewer.stage?.preset('slanted');
  performance.mark('slipstick: frame');
  const loop = (now) => {
    try {
      viewer.tick(now);
    } catch (error) {
      viewer.fail(error);
    }
    if (!viewer.error) requestAnimationFrame(loop);
  };
  requestAnimationFrame(loop);
  if (asked < 0 && viewer.stage && !matchMedia('(prefers-reduced-motion: reduce)').matches) viewer.player.play();
  return viewer;
}

function startKeys({viewer, timeline, panels, inspector, tabs, search, toggleTheme}) {
  const next = startStepping(viewer, inspector, tabs);
  const guard = (action) => () => Promise.resolve(action()).catch((error) => viewer.fail(error));
  const {stage} = viewer;
  const look = (name) => () => stage?.preset(name);
  const actions = {
    ' ': () => viewer.player.toggle(),
    ArrowLeft: () => timeline.step(-1), ArrowRight: () => timeline.step(1),
    Home: () => timeline.jump(0), End: () => timeline.jump(viewer.run.frameCount - 1),
    b: next('body', 1), B: next('body', -1), c: next('contact', 1), C: next('contact', -1), j: next('joint', 1), J: next('joint', -1),
    h: () => panels.hardest(), w: () => panels.worst(), r: () => panels.rerun(), '/': () => search.input.focus(),
    f: () => viewer.setFollow(!viewer.follows), x: () => viewer.centrePick(), Escape: () => viewer.pick(null),
    l: () => byId('loop').click(), t: toggleTheme, '?': () => byId('help-dialog').showModal(),
    1: look('slanted'), 2: look('front'), 3: look('side'), 4: look('top'),
    'Shift+ArrowLeft': () => stage?.turn(-0.1, 0), 'Shift+ArrowRight': () => stage?.turn(0.1, 0),
    'Shift+ArrowUp': () => stage?.turn(0, 0.1), 'Shift+ArrowDown': () => stage?.turn(0, -0.1),
    '+': () => stage?.zoom(0.85), '-': () => stage?.zoom(1.18),
    m: () => byId('app').classList.toggle('wide'),
  };
  for (const [key, action] of Object.entries(actions)) actions[key] = guard(action);
  listenToKeys(actions, () => byId('keys').checked);
  byId('wide').addEventListener('click', actions.m);
}

/** Keeps the panels with the shown frame. While the run plays they are updated a few times a second. */
function startUpdates({viewer, timeline, panels, inspector, tabs, charts}) {
  let last = -Infinity, later = 0;
  const update = () => {
    last = performance.now();
    timeline.update();
    const row = viewer.run.rowOfFrame[viewer.frame];
    charts.at(row, !viewer.player.playing);
    if (tabs.name === 'step') panels.showStep();
    if (tabs.name === 'pick') inspector.update().catch((error) => viewer.fail(error));
  };
  const soon = () => {
    clearTimeout(later);
    if (performance.now() - last >= PANEL_PAUSE) update();
    else later = setTimeout(update, PANEL_PAUSE);
  };
  viewer.on('frame', () => {
    if (viewer.player.playing) soon();
    else update();
  });
  viewer.on('play', () => {
    if (viewer.frame < 0) return;
    update();
  });
  for (const tab of tabs.tabs) tab.addEventListener('click', update);
}

window.addEventListener('unhandledrejection', (event) => {
  event.preventDefault();
  giveUp(event.reason);
});

// What tests and scripts may use. It shows and asks; it changes no data.
let started = null;
const ready = start().then((viewer) => {
  started = viewer;
  document.documentElement.dataset.ready = 'true';
}).catch((error) => {
  giveUp(error);
  document.documentElement.dataset.ready = 'false';
});

window.slipstick = Object.freeze({
  ready,
  get frames() {
    return started?.run.frameCount ?? 0;
  },
  goTo(frame) {
    started.player.pause();
    return started.goTo(Number(frame));
  },
  /** The pixel of the page where the origin of a body is drawn. */
  project(body) {
    const {position} = started.pose;
    return started.stage.project(started.space.view(position[3 * body], position[3 * body + 1], position[3 * body + 2], new Vector3()));
  },
  /** The colour of a body without light, such as #c08060. */
  colour(body) {
    return `#${started.bodies.colours[body].getHexString()}`;
  },
  state() {
    if (!started) return null;
    const {frame, picked, player, run, stage, show, between} = started;
    return {
      frame, step: run.page.frames[frame], time: run.timeOfFrame[frame], playing: player.playing, speed: player.speed,
      picked: picked && {kind: picked.kind, index: picked.index, key: picked.key ?? null}, drawn: stage ? stage.drawn : 0,
      show: {...show}, interpolated: between > 0, software: stage ? stage.software : null, waiting: started.waiting,
    };
  },
});
