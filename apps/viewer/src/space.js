// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0

// From the world of the run to the space of the picture. In the picture, what the camera frames has a radius of about 10 and lies
// around the origin. So distances of light, fog and clipping are constants, and single precision suffices for any unit.

export const VIEW_RADIUS = 10;

/** Half sizes of each body about its origin, along its own axes: three for each. */
function extentsOfBodies(page) {
  const extents = new Float64Array(3 * page.bodies.length);
  const corners = page.shapes.map(cornersOfShape);
  page.parts.body.forEach((body, part) => {
    if (page.shapes[page.parts.shape[part]].kind === 'plane') return;
    const [low, high] = corners[page.parts.shape[part]];
    const turn = page.parts.orientation.slice(4 * part, 4 * part + 4);
    for (let corner = 0; corner < 8; ++corner) {
      const p = turned(turn, low.map((value, c) => (corner & (1 << c) ? high[c] : value)));
      for (let c = 0; c < 3; ++c) extents[3 * body + c] = Math.max(extents[3 * body + c], Math.abs(p[c] + page.parts.position[3 * part + c]));
    }
  });
  return extents;
}

/** The place of value number `index` if the numbers were sorted. */
function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(share * (sorted.length - 1))))];
}

/** The radius of a shape about its origin; 0 for planes. */
export function radiusOfShape(shape) {
  switch (shape.kind) {
    case 'sphere': return shape.radius;
    case 'box': return Math.hypot(...shape.size) / 2;
    case 'capsule': return shape.radius + shape.height / 2;
    case 'cylinder':
    case 'cone': return Math.hypot(shape.radius, shape.height / 2);
    case 'mesh': {
      let largest = 0;
      for (let i = 0; i < shape.points.length; i += 3) {
        largest = Math.max(largest, Math.hypot(shape.points[i], shape.points[i + 1], shape.points[i + 2]));
      }
      return largest;
    }
    default: return 0;
  }
}

/** Radius of each body about its origin. */
export function radiiOfBodies(page) {
  const shapeRadii = page.shapes.map(radiusOfShape);
  const radii = new Float64Array(page.bodies.length);
  page.parts.body.forEach((body, i) => {
    const at = Math.hypot(page.parts.position[3 * i], page.parts.position[3 * i + 1], page.parts.position[3 * i + 2]);
    const radius = shapeRadii[page.parts.shape[i]];
    if (radius > 0) radii[body] = Math.max(radii[body], at + radius);
  });
  return radii;
}

/** Low and high corner of a shape in its own axes. */
function cornersOfShape(shape) {
  if (shape.kind === 'box') return [shape.size.map((s) => -s / 2), shape.size.map((s) => s / 2)];
  if (shape.kind === 'capsule' || shape.kind === 'cylinder' || shape.kind === 'cone') {
    const half = shape.height / 2 + (shape.kind === 'capsule' ? shape.radius : 0);
    return [[-shape.radius, -shape.radius, -half], [shape.radius, shape.radius, half]];
  }
  if (shape.kind === 'mesh') {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    shape.points.forEach((value, i) => {
      low[i % 3] = Math.min(low[i % 3], value);
      high[i % 3] = Math.max(high[i % 3], value);
    });
    return [low, high];
  }
  const radius = radiusOfShape(shape);
  return [[-radius, -radius, -radius], [radius, radius, radius]];
}

/** Boxes of fixed and moved bodies in the world, without planes: a map from body to {low, high}. */
function boxesOfHolders(page, pose) {
  const boxes = new Map();
  page.parts.body.forEach((body, part) => {
    const shape = page.shapes[page.parts.shape[part]];
    if (page.bodies[body].kind === 'movable' || shape.kind === 'plane') return;
    const [low, high] = cornersOfShape(shape);
    const at = page.parts.position.slice(3 * part, 3 * part + 3);
    if (!boxes.has(body)) boxes.set(body, emptyBox());
    for (let corner = 0; corner < 8; ++corner) {
      const p = turned(page.parts.orientation.slice(4 * part, 4 * part + 4), low.map((value, c) => (corner & (1 << c) ? high[c] : value)));
      const q = turned(pose.orientation.slice(4 * body, 4 * body + 4), p.map((value, c) => value + at[c]));
      enlarge(boxes.get(body), q.map((value, c) => value + pose.position[3 * body + c]));
    }
  });
  return boxes;
}

function emptyBox() {
  return {low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity]};
}

function enlarge(box, point) {
  for (let c = 0; c < 3; ++c) {
    box.low[c] = Math.min(box.low[c], point[c]);
    box.high[c] = Math.max(box.high[c], point[c]);
  }
}

/** A vector turned by a quaternion (w, x, y, z). */
function turned([w, x, y, z], [a, b, c]) {
  const tx = 2 * (y * c - z * b), ty = 2 * (z * a - x * c), tz = 2 * (x * b - y * a);
  return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
}

/** Fixed and moved bodies that stand around most of the movable ones, as walls of a bucket do. One sees through them. */
export function shellsOf(page, pose) {
  const movable = page.bodies.map((_, i) => i).filter((i) => page.bodies[i].kind === 'movable');
  const pile = emptyBox(), walls = emptyBox();
  for (const i of movable) enlarge(pile, Array.from(pose.position.slice(3 * i, 3 * i + 3)));
  const shells = new Set();
  for (const [body, box] of boxesOfHolders(page, pose)) {
    const tall = Math.min(box.high[2], pile.high[2]) - Math.max(box.low[2], pile.low[2]);
    if (!(tall > 0.4 * (pile.high[2] - pile.low[2]))) continue;
    shells.add(body);
    enlarge(walls, box.low);
    enlarge(walls, box.high);
  }
  const inside = movable.filter((i) => [0, 1, 2].every((c) => pose.position[3 * i + c] > walls.low[c] && pose.position[3 * i + c] < walls.high[c]));
  return movable.length > 1 && inside.length > 0.6 * movable.length ? shells : new Set();
}

export class Space {
  /** `poses` are positions of some frames: the first one first. */
  constructor(page, poses) {
    this.radii = radiiOfBodies(page);
    this.extents = extentsOfBodies(page);
    const movable = [];
    page.bodies.forEach((body, i) => {
      if (body.kind !== 'fixed') movable.push(i);
    });
    const all = page.bodies.map((_, i) => i).filter((i) => this.radii[i] > 0);
    this.bodySize = this.sizeOf(movable.length ? movable : all);
    // Fixed bodies count if they are not much larger than what moves.
    const first = this.box(movable.length ? movable : all, poses.slice(0, 1));
    const reach = Math.max(first.radius, this.bodySize);
    const framed = page.bodies.map((_, i) => i).filter((i) => {
      if (page.bodies[i].kind === 'movable') return true;
      if (!(this.radii[i] > 0) || this.radii[i] > 3 * reach) return false;
      return Math.hypot(...[0, 1, 2].map((c) => poses[0].position[3 * i + c] - first.centre[c])) < 6 * reach;
    });
    const start = this.box(framed, poses.slice(0, 1));
    // Bodies that fall out of the scene do not count. Those that leave it must not make the rest tiny.
    const weight = Math.hypot(...page.gravity);
    const fallen = (i, pose) => weight > 0 && page.gravity.reduce((sum, g, c) => sum + (g / weight) * (pose.position[3 * i + c] - start.centre[c]), 0) > 2.5 * start.radius;
    let box = this.box(framed, poses, fallen);
    const factor = framed.length <= 4 ? 12 : 4;
    if (box.radius > factor * start.radius) box = this.limited(start, box, factor);
    this.low = box.low;
    this.high = box.high;
    this.origin = box.centre;
    const radius = box.radius > 0 ? box.radius : 1;
    this.scale = VIEW_RADIUS / radius;
  }

  /** The median radius of these bodies. */
  sizeOf(bodies) {
    const sorted = Float64Array.from(bodies, (i) => this.radii[i]).filter((r) => r > 0).sort();
    return sorted.length ? quantile(sorted, 0.5) : 0.1;
  }

  /** The box of nearly all of these bodies in these frames. */
  box(all, poses, leftOut = () => false) {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (const pose of poses) {
      const bodies = all.filter((i) => !leftOut(i, pose));
      const rest = bodies.length > 20 ? Math.max(0.005, 1 / bodies.length) : 0;
      for (let c = 0; c < 3; ++c) {
        const reach = Float64Array.from(bodies, (i) => this.reach(pose.orientation, i, c));
        const lows = Float64Array.from(bodies, (i, k) => pose.position[3 * i + c] - reach[k]).sort();
        const highs = Float64Array.from(bodies, (i, k) => pose.position[3 * i + c] + reach[k]).sort();
        if (!lows.length) continue;
        low[c] = Math.min(low[c], quantile(lows, rest));
        high[c] = Math.max(high[c], quantile(highs, 1 - rest));
      }
    }
    if (!(low[0] <= high[0])) return {low: [-1, -1, -1], high: [1, 1, 1], centre: [0, 0, 0], radius: 1};
    return this.around(low, high);
  }

  /** Half the size of a body along an axis of the world. */
  reach(q, i, c) {
    const w = q[4 * i], x = q[4 * i + 1], y = q[4 * i + 2], z = q[4 * i + 3];
    const row = c === 0 ? [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)]
              : c === 1 ? [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)]
                        : [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)];
    return Math.abs(row[0]) * this.extents[3 * i] + Math.abs(row[1]) * this.extents[3 * i + 1] + Math.abs(row[2]) * this.extents[3 * i + 2];
  }

  around(low, high) {
    const centre = low.map((value, c) => (value + high[c]) / 2);
    return {low, high, centre, radius: Math.hypot(...high.map((value, c) => value - low[c])) / 2};
  }

  limited(start, box, factor) {
    const reach = (factor * start.radius) / 2;
    const low = box.low.map((value, c) => Math.max(value, start.low[c] - reach));
    const high = box.high.map((value, c) => Math.min(value, start.high[c] + reach));
    return this.around(low, high);
  }

  /** A point of the world in the picture. */
  view(x, y, z, target) {
    const {origin, scale} = this;
    return target.set((x - origin[0]) * scale, (y - origin[1]) * scale, (z - origin[2]) * scale);
  }
}
