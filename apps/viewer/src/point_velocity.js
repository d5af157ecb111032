// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The velocity of the first body against the second at each contact. The program computes the same, operation by operation, when
 * it writes a page, so that the page needs differences only. `centres`: of mass, in the axes of each body, or null.
 */
export function relativeVelocities(contacts, pose, motion, centres) {
  const {bodies, point} = contacts;
  const {position, orientation} = pose;
  const {velocity, spin} = motion;
  const result = new Float64Array(point.length);
  for (let row = 0; row < bodies.length / 2; ++row) {
    const at = 3 * row;
    for (let side = 0; side < 2; ++side) {
      const body = bodies[2 * row + side];
      if (body < 0) continue;
      const b = 3 * body;
      let x = point[at] - position[b], y = point[at + 1] - position[b + 1], z = point[at + 2] - position[b + 2];
      const centre = centres[body];
      if (centre) {
        const [cx, cy, cz] = centre;
        const qw = orientation[4 * body], qx = orientation[4 * body + 1], qy = orientation[4 * body + 2], qz = orientation[4 * body + 3];
        const tx = 2 * (qy * cz - qz * cy), ty = 2 * (qz * cx - qx * cz), tz = 2 * (qx * cy - qy * cx);
        x -= cx + (qw * tx + (qy * tz - qz * ty));
        y -= cy + (qw * ty + (qz * tx - qx * tz));
        z -= cz + (qw * tz + (qx * ty - qy * tx));
      }
      const vx = velocity[b] + (spin[b + 1] * z - spin[b + 2] * y);
      const vy = velocity[b + 1] + (spin[b + 2] * x - spin[b] * z);
      const vz = velocity[b + 2] + (spin[b] * y - spin[b + 1] * x);
      result[at] = side === 0 ? vx : result[at] - vx;
      result[at + 1] = side === 0 ? vy : result[at + 1] - vy;
      result[at + 2] = side === 0 ? vz : result[at + 2] - vz;
    }
  }
  return result;
}
