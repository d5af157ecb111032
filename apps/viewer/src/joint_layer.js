// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
import {Color, Group, Vector3} from 'three';
import {MARKS, Marks} from './marks.js';
import {heatColour} from './palette.js';

/** A point of a body's axes in the world. The world's own points (body -1) stay. */
export function worldPoint(point, body, pose) {
  if (body < 0) return point;
  const {position: p, orientation: q} = pose;
  const w = q[4 * body], x = q[4 * body + 1], y = q[4 * body + 2], z = q[4 * body + 3];
  const [lx, ly, lz] = point;
  const tx = 2 * (y * lz - z * ly), ty = 2 * (z * lx - x * lz), tz = 2 * (x * ly - y * lx);
  return [
    p[3 * body] + lx + w * tx + y * tz - z * ty,
    p[3 * body + 1] + ly + w * ty + z * tx - x * tz,
    p[3 * body + 2] + lz + w * tz + x * ty - y * tx,
  ];
}

/** Joints of a frame: a mark at both points, joined by a rod. Colour tells the error, relative to the largest of the frame. */
export class JointLayer {
  constructor(page, space, theme, software) {
    this.page = page;
    this.space = space;
    this.group = new Group();
    this.marks = new Marks(MARKS.ring(), '#ffffff', software);
    this.rods = new Marks(MARKS.rod(), '#ffffff', software);
    this.group.add(this.marks.group, this.rods.group);
    this.mark = Math.min(Math.max(0.2 * space.bodySize * space.scale, 0.06), 0.3);
    this.setTheme(theme);
  }

  setTheme(theme) {
    this.broken = new Color(theme.jointBad);
    this.calm = new Color(theme.joint);
  }

  draw(joints, pose, shown) {
    const all = this.page.joints;
    this.group.visible = shown && all.length > 0;
    if (!this.group.visible) return;
    this.marks.begin(all.length);
    this.rods.begin(all.length);
    let largest = 0;
    if (joints) for (const error of joints.error) largest = Math.max(largest, error);
    const a = new Vector3(), b = new Vector3(), heat = new Color();
    const along = new Vector3();
    all.forEach((joint, i) => {
      this.space.view(...worldPoint(joint.points[0], joint.bodies[0], pose), a);
      this.space.view(...worldPoint(joint.points[1], joint.bodies[1], pose), b);
      const broken = joints?.broken[i] === 1;
      const colour = broken ? this.broken : joints && largest > 0 ? heatColour(joints.error[i] / largest, heat) : this.calm;
      const [first] = joint.bodies;
      const axis = worldPoint(joint.axis, first, first < 0 ? null : {position: new Float64Array(3 * first + 3), orientation: pose.orientation});
      const size = broken ? 0.6 * this.mark : this.mark;
      this.marks.add(a.x, a.y, a.z, ...axis, size, size, colour);
      along.subVectors(b, a);
      const length = along.length();
      if (length > 1e-4 && !broken) this.rods.add(a.x, a.y, a.z, along.x, along.y, along.z, 0.12 * this.mark, length, colour);
    });
    this.marks.end();
    this.rods.end();
  }

  pick(pose, x, y, project, reach) {
    let best = -1, distance = reach;
    const at = new Vector3();
    this.page.joints.forEach((joint, i) => {
      const pixel = project(this.space.view(...worldPoint(joint.points[0], joint.bodies[0], pose), at));
      const away = pixel.visible ? Math.hypot(pixel.x - x, pixel.y - y) : Infinity;
      if (away >= distance) return;
      distance = away;
      best = i;
    });
    return best;
  }
}
