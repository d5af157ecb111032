// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/cuda/apgd_engine.hpp"
#include "slipstick/cuda/products.cuh"

// The two kernels of an APGD iteration (see ApgdEngine).
namespace slipstick::internal {

/// Buffers are chosen by k: x_k is in x[k % 3], x_(k-1) and x+ in the others; v(x_k) and v(y_k) are in number
/// k % 2.
template <class Real>
struct ApgdView {
  ContactViewOf<Real> contacts;
  Real* x[3];
  Real* v[2];
  Real* vy[2];
  double* partial;
  ApgdState* state;
};

/// Sums of a contact pass: length, uphill, slope of the ray, error, two of the compliance.
template <ContactShape shape, bool test>
inline constexpr int contact_sums = shape == ContactShape::general ? 6
                                    : test                         ? 4
                                                                   : 3;

/// Numbers of the state that a contact pass needs.
template <class Real>
struct ContactPassNumbers {
  double momentum, inverse_lipschitz, scale, previous_scale, weight, damping;
  const Real *x, *previous, *v, *vy;
  Real* next;
  double vy_scale;
};
template <class Real>
__device__ inline ContactPassNumbers<Real> contact_pass_numbers(const ApgdView<Real>& view) {
  const ApgdState& state = *view.state;
  const int k = state.iteration;
  // After a move along the ray the momentum is zero, and y = x.
  const bool moved = state.scale != 1.0;
  return {.momentum = state.momentum,
          .inverse_lipschitz = 1.0 / state.lipschitz,
          .scale = state.scale,
          .previous_scale = state.previous_scale,
          .weight = state.weight,
          .damping = state.damping,
          .x = view.x[k % 3],
          .previous = view.x[(k + 2) % 3],
          .v = view.v[k & 1],
          .vy = moved ? view.v[k & 1] : view.vy[k & 1],
          .next = view.x[(k + 1) % 3],
          .vy_scale = state.scale};
}

/// The data of one contact.
struct ContactData {
  int2 pair;
  Axis axis;
  Vec3 first_lever, second_lever;
  Vec3 load, x, previous;
  double scale;
  double2 compliance;
};

/// One contact of the contact pass. Returns x+.
template <ContactShape shape, bool test, class Real>
__device__ inline Vec3 step_contact(const ContactPassNumbers<Real>& now, const ContactData& data,
                                    double (&sums)[contact_sums<shape, test>]) {
  const auto first = static_cast<std::size_t>(data.pair.x), second = static_cast<std::size_t>(data.pair.y);
  const auto velocity = [&](const Real* v) {
    return relative_velocity<shape>(load6(v, first), load6(v, second), data.first_lever, data.second_lever);
  };
  const Vec3 x = now.scale * data.x;
  const Vec3 y = x + now.momentum * (x - now.previous_scale * data.previous);
  Vec3 g = now.vy_scale * velocity(now.vy) + data.load;
  const Vec3 n = normal_of(data.axis);
  if constexpr (shape == ContactShape::general) g = g + compliant(data.compliance, n, y);
  Vec3 next = project_on_cone(y - (now.inverse_lipschitz / data.scale) * g, data.axis);
  if (now.damping != 1.0) next = y + now.damping * (next - y);
  const Vec3 change = next - y;
  sums[0] += data.scale * dot(change, change);
  sums[1] += dot(g, next - x);
  sums[2] += dot(data.load, next);
  if constexpr (shape == ContactShape::general) {
    sums[4] += dot(change, compliant(data.compliance, n, change));
    sums[5] += dot(next, compliant(data.compliance, n, next));
  }
  if constexpr (test) {
    Vec3 w = now.scale * velocity(now.v) + data.load;
    if constexpr (shape == ContactShape::general) w = w + compliant(data.compliance, n, x);
    const Vec3 error =
        (now.weight * data.scale) * (x - project_on_cone(x - (1.0 / data.scale) * w, data.axis));
    sums[3] += dot(error, error) + 0.0 * (w.x + w.y + w.z + x.x + x.y + x.z);  // NaN if w or x is not finite
  }
  return next;
}

/// The rows of joints, limits and motors, dealt to the threads of the grid.
template <bool test, class Real>
__device__ inline void step_rows(const ContactViewOf<Real>& view, const ContactPassNumbers<Real>& now,
                                 double (&sums)[6]) {
  const auto contacts = static_cast<std::size_t>(view.contacts);
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t k = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
       k < static_cast<std::size_t>(view.rows); k += stride) {
    const std::size_t i = 3 * contacts + k;
    const int2 pair = view.row_pair[k];
    const double2 bounds = view.row_bounds[k];
    const double compliance = view.row_compliance[k], scale = view.scale[contacts + k], load = view.load[i];
    const auto velocity = [&](const Real* v) {
      return row_velocity(view.row_jacobian + 12 * k, load6(v, static_cast<std::size_t>(pair.x)),
                          load6(v, static_cast<std::size_t>(pair.y)));
    };
    const auto project = [&](double z) { return fmin(fmax(z, bounds.x), bounds.y); };
    const double x = now.scale * now.x[i];
    const double y = x + now.momentum * (x - now.previous_scale * now.previous[i]);
    const double g = now.vy_scale * velocity(now.vy) + compliance * y + load;
    double next = project(y - now.inverse_lipschitz / scale * g);
    if (now.damping != 1.0) next = y + now.damping * (next - y);
    now.next[i] = static_cast<Real>(next);
    const double change = next - y;
    sums[0] += scale * change * change;
    sums[1] += g * (next - x);
    sums[2] += load * next;
    sums[4] += compliance * change * change;
    sums[5] += compliance * next * next;
    if constexpr (test) {
      const double w = now.scale * velocity(now.v) + compliance * x + load;
      const double error = now.weight * scale * (x - project(x - w / scale));
      sums[3] += error * error + 0.0 * (w + x);
    }
  }
}

/// The last block: what follows from the sums of a contact pass.
template <ContactShape shape, bool test>
__device__ inline void end_contact_pass(ApgdState& state, const double (&sums)[contact_sums<shape, test>]) {
  state.length = sums[0];
  state.uphill = state.restart != 0 && sums[1] > 0.0 ? 1 : 0;
  state.ray_slope = sums[2];
  if constexpr (shape == ContactShape::general) {
    state.step_compliance = sums[4];
    state.ray_compliance = sums[5];
  }
  const double theta = state.theta;
  state.next_theta = 0.5 * theta * (sqrt(theta * theta + 4.0) - theta);
  state.next_momentum = state.uphill != 0 || state.accelerated == 0
                            ? 0.0
                            : theta * (1.0 - theta) / (theta * theta + state.next_theta);
  if constexpr (test) {
    state.error_shares = sums[3];
    state.improved = sums[3] < state.best_shares ? 1 : 0;
    if (state.improved != 0) state.best_shares = sums[3];
  }
}

template <ContactShape shape>
inline constexpr int tile_contacts = shape == ContactShape::spheres ? 256 : 128;
template <ContactShape shape>
inline constexpr int most_contact_blocks = shape == ContactShape::spheres ? 264 : 396;

/// The contact pass. A block takes every gridDim.x-th tile of contacts, a thread one contact of each.
template <ContactShape shape, bool test, class Real>
__global__ void __launch_bounds__(tile_contacts<shape>) contact_pass(ApgdView<Real> view) {
  await_previous();
  const ContactViewOf<Real>& contacts = view.contacts;
  const ContactPassNumbers<Real> now = contact_pass_numbers(view);
  double sums[contact_sums<shape, test>] = {};
  for (int c = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); c < contacts.contacts;
       c += static_cast<int>(gridDim.x * blockDim.x)) {
    const auto i = static_cast<std::size_t>(c);
    ContactData data = {.pair = contacts.pair[i],
                        .axis = axis_from(contacts.axis[i]),
                        .first_lever = lever<shape>(contacts, i, false),
                        .second_lever = {},
                        .load = load3(contacts.load, i),
                        .x = load3(now.x, i),
                        .previous = load3(now.previous, i),
                        .scale = contacts.scale[i],
                        .compliance = {}};
    if constexpr (shape != ContactShape::spheres) data.second_lever = lever<shape>(contacts, i, true);
    if constexpr (shape == ContactShape::general) data.compliance = compliance_of(contacts, i);
    store3(now.next, i, step_contact<shape, test>(now, data, sums));
  }
  if constexpr (shape == ContactShape::general) step_rows<test>(contacts, now, sums);
  if (sum_over_grid(view.partial, view.state->arrived, sums) && threadIdx.x == 0)
    end_contact_pass<shape, test>(*view.state, sums);
}

/// A tile of contacts in shared memory. x+ replaces the previous x.
template <ContactShape shape, class Real>
struct alignas(128) ContactTile {
  static constexpr int size = tile_contacts<shape>;
  static constexpr bool has_arms = shape != ContactShape::spheres;
  static constexpr bool has_compliance = shape == ContactShape::general;
  Real x[3 * size], previous[3 * size], load[3 * size];
  StoredAxis<Real> axis[size];
  Real scale[size];
  int2 pair[size];
  Real first_arm[has_arms ? 3 * size : 4], second_arm[has_arms ? 3 * size : 4];
  Pair<Real> compliance[has_compliance ? size : 2];

  static constexpr unsigned number = sizeof(Real), triples = 3 * number * size;
  static constexpr unsigned compliances = has_compliance ? 2 * number * size : 0;
  static constexpr unsigned bytes = (has_arms ? 5 : 3) * triples + size * (5 * number + sizeof(int2));

  __device__ void fill(const ContactViewOf<Real>& from, const ContactPassNumbers<Real>& now,
                       std::size_t first, CopyBarrier* barrier) {
    const bool compliant = has_compliance && from.compliance != nullptr;
    expect_bytes(barrier, bytes + (compliant ? compliances : 0));
    load_bulk_once(pair, from.pair + first, sizeof(int2) * size, barrier);
    load_bulk(axis, from.axis + first, 4 * number * size, barrier);
    load_bulk(x, now.x + 3 * first, triples, barrier);
    load_bulk_once(previous, now.previous + 3 * first, triples, barrier);
    load_bulk_once(load, from.load + 3 * first, triples, barrier);
    load_bulk_once(scale, from.scale + first, number * size, barrier);
    if constexpr (has_arms) {
      load_bulk(first_arm, from.first_arm + 3 * first, triples, barrier);
      load_bulk(second_arm, from.second_arm + 3 * first, triples, barrier);
    }
    if (compliant) load_bulk_once(compliance, from.compliance + first, compliances, barrier);
  }
  __device__ ContactData read(int i, bool compliant) const {
    const auto k = static_cast<std::size_t>(i);
    ContactData data = {.pair = pair[i],
                        .axis = axis_from(axis[i]),
                        .first_lever = normal_of(axis_from(axis[i])),
                        .second_lever = {},
                        .load = load3(load, k),
                        .x = load3(x, k),
                        .previous = load3(previous, k),
                        .scale = scale[i],
                        .compliance = {}};
    if constexpr (has_arms) {
      data.first_lever = load3(first_arm, k);
      data.second_lever = load3(second_arm, k);
    }
    if constexpr (has_compliance)
      if (compliant) data.compliance = {compliance[i].x, compliance[i].y};
    return data;
  }
};

inline constexpr int tiles_in_flight = 3;

/// The same pass, with the same tiles and sums. The copy engine fetches tiles ahead and stores x+.
template <ContactShape shape, bool test, class Real>
__global__ void __launch_bounds__(tile_contacts<shape>, shape == ContactShape::spheres ? 2 : 3)
    contact_pass_bulk(ApgdView<Real> view) {
  using Tile = ContactTile<shape, Real>;
  __shared__ CopyBarrier barrier[tiles_in_flight];
  Tile* ring = reinterpret_cast<Tile*>(dynamic_shared_memory());
  const int thread = static_cast<int>(threadIdx.x), block = static_cast<int>(blockIdx.x);
  const int blocks = static_cast<int>(gridDim.x), tiles = view.contacts.contacts / Tile::size;
  if (thread == 0) create_barriers(barrier, tiles_in_flight);
  __syncthreads();
  await_previous();
  const ContactPassNumbers<Real> now = contact_pass_numbers(view);
  const bool compliant = view.contacts.compliance != nullptr;
  const auto fill = [&](int turn) {
    const int tile = block + turn * blocks;
    if (tile >= tiles) return;
    const int place = turn % tiles_in_flight;
    ring[place].fill(view.contacts, now, static_cast<std::size_t>(tile) * Tile::size, barrier + place);
  };
  if (thread == 0) {
    for (int turn = 0; turn < tiles_in_flight - 1; ++turn) fill(turn);
  }
  double sums[contact_sums<shape, test>] = {};
  for (int turn = 0; block + turn * blocks < tiles; ++turn) {
    Tile& tile = ring[turn % tiles_in_flight];
    await_bytes(barrier + turn % tiles_in_flight, static_cast<unsigned>(turn / tiles_in_flight) & 1U);
    const Vec3 next = step_contact<shape, test>(now, tile.read(thread, compliant), sums);
    store3(tile.previous, static_cast<std::size_t>(thread), next);
    publish_to_copies();
    __syncthreads();
    if (thread == 0) {
      const std::size_t first = static_cast<std::size_t>(block + turn * blocks) * Tile::size;
      store_bulk(now.next + 3 * first, tile.previous, Tile::triples);
      await_reads_but_last();
      fill(turn + tiles_in_flight - 1);
    }
  }
  if (thread == 0) await_stores();
  if constexpr (shape == ContactShape::general) step_rows<test>(view.contacts, now, sums);
  __syncthreads();
  if (sum_over_grid(view.partial, view.state->arrived, sums) && thread == 0)
    end_contact_pass<shape, test>(*view.state, sums);
}

/// The t that minimizes the objective at t x+; 1 if that t is not to be used.
__device__ inline double ray_minimum(const ApgdState& state, double curvature, bool fresh) {
  if (!(state.ray_slope < 0.0) || !(curvature > 0.0)) return 1.0;
  const double t = -state.ray_slope / curvature;
  return isfinite(t) && (fresh || t < 0.67 || t > 1.5) ? t : 1.0;
}

/// The last block of a body pass: accepts x+, or raises L.
__device__ inline void end_body_pass(ApgdState& state, double step_curvature, double ray_curvature) {
  if (state.accelerated == 0) {
    ++state.iteration;
    return;
  }
  const double curvature = step_curvature + state.step_compliance;
  // Stored numbers are rounded, and so is the change whose curvature this is.
  const double noise = state.rounding * state.rounding * (ray_curvature + state.ray_compliance);
  if (curvature > state.lipschitz * (1.0 + 1e-12) * state.length + noise) {
    state.lipschitz = fmax(state.growth * state.lipschitz, curvature / state.length);
    ++state.redone;
    return;
  }
  bool fresh = state.uphill != 0;
  const double t = state.conic != 0 ? ray_minimum(state, ray_curvature + state.ray_compliance, fresh) : 1.0;
  fresh = fresh || t != 1.0;
  state.previous_scale = state.scale;
  state.scale = t;
  state.momentum = fresh ? 0.0 : state.next_momentum;
  state.theta = fresh ? 1.0 : state.next_theta;
  state.lipschitz *= state.shrinkage;
  state.restarts += fresh ? 1 : 0;
  ++state.iteration;
}

/// The body pass.
template <ContactShape shape, class Real>
__global__ void __launch_bounds__(body_threads, 3) body_pass(ApgdView<Real> view) {
  await_previous();
  const ApgdState& state = *view.state;
  const int k = state.iteration;
  const double momentum = state.next_momentum, scale = state.scale;
  const bool moved = scale != 1.0;
  const Real *x = view.x[(k + 1) % 3], *v = view.v[k & 1], *vy = moved ? v : view.vy[k & 1];
  Real *next_v = view.v[(k + 1) & 1], *next_vy = view.vy[(k + 1) & 1];
  const Real* mass = view.contacts.mass;
  double sums[2] = {0.0, 0.0};
  for_each_body<shape>(view.contacts, x, [&](int body, Twist force) {
    const auto i = static_cast<std::size_t>(body);
    const Twist velocity = velocity_from<shape>(mass, i, force);
    const Twist before = scale * load6(v, i), from = scale * load6(vy, i);
    store6(next_v, i, velocity);
    store6(next_vy, i, velocity + momentum * (velocity - before));
    sums[0] += squared_in_mass<shape>(mass, i, velocity - from);
    sums[1] += dot(force, velocity);
  });
  if (sum_over_grid(view.partial, view.state->arrived + 1, sums) && threadIdx.x == 0)
    end_body_pass(*view.state, sums[0], sums[1]);
}

/// Keeps the tested iterate if it is the best.
template <class Real>
__global__ void __launch_bounds__(256) keep_best(ApgdView<Real> view, Real* best, std::size_t size) {
  if (view.state->improved == 0) return;
  const Real* x = view.x[view.state->iteration % 3];
  const double scale = view.state->scale;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < size;
       i += static_cast<std::size_t>(gridDim.x) * blockDim.x)
    best[i] = static_cast<Real>(scale * x[i]);
}

}  // namespace slipstick::internal
