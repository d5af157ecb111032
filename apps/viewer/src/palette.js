// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {Color, Vector3} from 'three';

// Colours of both themes. Those of the states are of Okabe and Ito, which people with any colour vision can tell apart.

export const STATE_COLOURS = {open: '#56b4e9', stick: '#009e73', slip: '#e69f00'};
export const STATE_SHAPES = {open: 'ring', stick: 'octahedron', slip: 'cone along the sliding'};

export const THEMES = {
  light: {
    background: '#e9edf2', ground: '#dfe4ea', line: '#aab5c2', sky: '#ffffff', earth: '#aab2bd', fixed: '#b4bcc6', moved: '#7d8fa8',
    chain: '#0072b2', arrow: '#8a2f6b', pick: '#d6006e', joint: '#3b4652', jointBad: '#d55e00', shadow: 0.24, sun: 1.9, fill: 1.25,
  },
  dark: {
    background: '#12161b', ground: '#181d23', line: '#3a4552', sky: '#dfe8f5', earth: '#39414c', fixed: '#5a6470', moved: '#6f86a6',
    chain: '#f0e442', arrow: '#e79fc6', pick: '#ff5fae', joint: '#d7dee6', jointBad: '#ff8a3d', shadow: 0.5, sun: 1.8, fill: 0.95,
  },
};

/** Towards the sun. */
export const SUN = new Vector3(-0.55, -1.1, 2.2);

/** Muted hues of materials, as HSL. */
const MATERIALS = [
  [0.04, 0.5, 0.52], [0.57, 0.42, 0.5], [0.12, 0.56, 0.52], [0.42, 0.26, 0.48], [0.95, 0.3, 0.56], [0.72, 0.24, 0.58],
  [0.3, 0.3, 0.5], [0.08, 0.24, 0.46],
];

/** A number from 0 to 1 that depends on an integer only. */
function scatter(i) {
  let x = Math.imul(i + 1, 0x9e3779b1);
  x ^= x >>> 15;
  x = Math.imul(x, 0x85ebca6b);
  x ^= x >>> 13;
  return (x >>> 0) / 4294967296;
}

/** The colour of a body by its material, a little different from body to body. */
export function materialColour(material, body, target = new Color()) {
  const [hue, saturation, lightness] = MATERIALS[material % MATERIALS.length];
  const shift = scatter(body);
  return target.setHSL((hue + 1 + 0.035 * (scatter(body + 7919) - 0.5)) % 1, saturation, lightness + 0.16 * (shift - 0.5));
}

/** Colours that are far from their neighbours: of bodies or islands. Bodies of one colour differ a little in lightness. */
export function distinctColour(i, body, target = new Color()) {
  return target.setHSL((0.57 + i * 0.61803398875) % 1, 0.45, 0.5 + 0.05 * ((i % 3) - 1) + 0.12 * (scatter(body) - 0.5));
}

/** From blue through white-yellow to red-orange, for 0 to 1. */
export function heatColour(share, target = new Color()) {
  const t = Math.min(1, Math.max(0, share));
  return target.setHSL(0.6 - 0.52 * t, 0.75, 0.5 + 0.08 * Math.sin(Math.PI * t));
}
