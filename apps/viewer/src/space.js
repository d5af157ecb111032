// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0

// From the world of the run to the space of the picture. In the picture, what the camera frames has a radius of about 10 and lies
// around the origin. So distances of light, fog and clipping are constants, and single precision suffices for any unit.

export const VIEW_RADIUS = 10;

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

export class Space {
  /** `poses` are positions of some frames: the first one first. */
  constructor(page, poses) {
    this.radii = radiiOfBodies(page);
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
      return Math.hypot(...[0, 1, 2].map((c) => poses[0][3 * i + c] - first.centre[c])) < 6 * reach;
    });
    let box = this.box(framed, poses);
    const start = this.box(framed, poses.slice(0, 1));
    // Bodies that leave the scene must not make the rest tiny.
    if (box.radius > 4 * start.radius) box = this.limited(start, box, 4);
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
  box(bodies, poses) {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    const rest = bodies.length > 50 ? 0.005 : 0;
    for (const pose of poses) {
      for (let c = 0; c < 3; ++c) {
        const lows = Float64Array.from(bodies, (i) => pose[3 * i + c] - this.radii[i]).sort();
        const highs = Float64Array.from(bodies, (i) => pose[3 * i + c] + this.radii[i]).sort();
        if (!lows.length) continue;
        low[c] = Math.min(low[c], quantile(lows, rest));
        high[c] = Math.max(high[c], quantile(highs, 1 - rest));
      }
    }
    if (!(low[0] <= high[0])) return {low: [-1, -1, -1], high: [1, 1, 1], centre: [0, 0, 0], radius: 1};
    return this.around(low, high);
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
