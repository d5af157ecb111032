// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {byId, icon, make, short} from './dom.js';
import {cellOf} from './ground.js';
import {STATE_COLOURS} from './palette.js';

// The controls over the picture and the legend of its marks.

const STATE_PATHS = {
  open: ['M8 3.2a4.8 4.8 0 1 0 .01 0zM8 5.4a2.6 2.6 0 1 1-.01 0z'],
  stick: ['M8 1.5L14 8 8 14.5 2 8z'],
  slip: ['M2 4L14.5 8 2 12z'],
};

function stateIcon(state) {
  return icon(STATE_PATHS[state] ?? STATE_PATHS.open, {fill: STATE_COLOURS[state] ?? '#999999', 'fill-rule': 'evenodd'});
}

export class ViewTools {
  constructor(viewer) {
    this.viewer = viewer;
    const {stage} = viewer;
    for (const button of document.querySelectorAll('[data-preset]')) {
      button.addEventListener('click', () => {
        viewer.setFollow(false);
        stage.preset(button.dataset.preset);
      });
    }
    byId('follow').addEventListener('click', () => viewer.setFollow(!viewer.follows));
    this.boxes = [...document.querySelectorAll('[data-show]')];
    for (const box of this.boxes) {
      box.addEventListener('change', () => this.change({[box.dataset.show]: box.checked}));
    }
    byId('colour').addEventListener('change', (event) => this.change({colour: event.target.value}));
    byId('mark-size').addEventListener('input', (event) => {
      viewer.contactLayer.size = 2 ** Number(event.target.value);
      this.change({});
    });
    if (viewer.run.page.joints.length === 0) byId('show-joints').closest('label').hidden = true;
    viewer.on('show', () => this.update());
    viewer.on('pick', () => this.update());
    this.update();
  }

  change(changes) {
    this.viewer.setShow(changes)?.catch((error) => this.viewer.fail(error));
  }

  update() {
    const {show, follows, picked} = this.viewer;
    for (const box of this.boxes) box.checked = show[box.dataset.show];
    byId('colour').value = show.colour;
    const follow = byId('follow');
    follow.setAttribute('aria-pressed', String(follows));
    follow.disabled = !picked;
    this.legend();
  }

  legend() {
    const {show, run, space} = this.viewer;
    const items = [];
    const item = (sign, text, id) => items.push(make('li', id ? {id} : {}, sign, make('span', {textContent: text})));
    const bar = (name) => make('i', {className: `bar ${name}`});
    if (show.states) run.page.states.forEach((state) => item(stateIcon(state), {open: 'open', stick: 'sticking', slip: 'sliding'}[state] ?? state));
    if (show.arrows) item(bar('arrow'), 'impulse on the first body; length by its square root');
    if (show.chains) item(bar('chain'), 'force chain; width by the impulse');
    if (show.joints && run.page.joints.length) item(bar('heat'), 'joint error, from 0 to the largest of the step');
    if (show.colour === 'island') items.push(make('li', {textContent: 'bodies of one colour: one island'}));
    if (show.colour === 'speed') item(bar('heat'), 'speed, from 0 to the largest of the step');
    if (this.viewer.ground?.planes.length) items.push(make('li', {textContent: `grid ${short(cellOf(space))} m`}));
    byId('legend').replaceChildren(...items);
  }
}
