// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/cuda/sweep_kernels.cuh"

// What sweeps need before and between them: velocities, blocks and modes of contacts, the error.
namespace slipstick::internal {

/// The records of all bodies from r.
template <ContactShape shape>
__global__ void __launch_bounds__(256) sweep_velocities(SweepView view) {
  const ContactView& contacts = view.contacts;
  const double* r = view.current();
  for (int body = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); body < contacts.bodies;
       body += static_cast<int>(gridDim.x * blockDim.x)) {
    Twist force = {};
    for (int e = contacts.first_start[body]; e < contacts.first_start[body + 1]; ++e) {
      const auto c = static_cast<std::size_t>(view.first_list[e]);
      force = force + push<shape>(load3(r, c), lever<shape>(contacts, c, false), false);
    }
    for (int e = contacts.second_start[body]; e < contacts.second_start[body + 1]; ++e) {
      const auto c = static_cast<std::size_t>(contacts.second_list[e]);
      force = force + push<shape>(load3(r, c), lever<shape>(contacts, c, true), true);
    }
    if constexpr (shape == ContactShape::general) {
      if (contacts.rows > 0) {
        const double* of_rows = r + 3 * static_cast<std::size_t>(contacts.contacts);
        for (int e = contacts.row_start[body]; e < contacts.row_start[body + 1]; ++e) {
          const int side = contacts.row_list[e];
          force =
              force + push_row(contacts.row_jacobian + 6 * static_cast<std::size_t>(side), of_rows[side / 2]);
        }
      }
    }
    const auto i = static_cast<std::size_t>(body);
    store_velocity(view.record, body, velocity_from<shape>(contacts.mass, i, force));
    double* own = view.record + 8 * i + 6;
    own[0] = contacts.mass[shape == ContactShape::general ? 14 * i : 2 * i];
    own[1] = shape == ContactShape::general ? 0.0 : contacts.mass[2 * i + 1];
  }
}

/// What one body adds to the block of a contact, about (n, t1, t2): p'M^-1 p for the push p along each axis.
template <ContactShape shape>
__device__ inline void add_block(const ContactView& contacts, int body, Vec3 lever, const Vec3 (&axes)[3],
                                 double (&block)[6]) {
  if (body >= contacts.bodies) return;
  Twist along[3], moved[3];
  for (int a = 0; a < 3; ++a) {
    along[a] = push<shape>(axes[a], lever, false);
    moved[a] = velocity_from<shape>(contacts.mass, static_cast<std::size_t>(body), along[a]);
  }
  int k = 0;
  for (int a = 0; a < 3; ++a)
    for (int b = a; b < 3; ++b) block[k++] += dot(along[a], moved[b]);
}

/// The blocks of contacts, for shapes other than spheres.
template <ContactShape shape>
__global__ void __launch_bounds__(256) make_blocks(SweepView view, double* blocks) {
  const ContactView& contacts = view.contacts;
  for (int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); at < view.count;
       at += static_cast<int>(gridDim.x * blockDim.x)) {
    const auto c = static_cast<std::size_t>(at);
    const int2 pair = contacts.pair[c];
    const Vec3 n = normal_of(contacts.axis[c]);
    const Tangents t = tangents_of(n);
    const Vec3 axes[3] = {n, t.first, t.second};
    double block[6] = {};
    add_block<shape>(contacts, pair.x, lever<shape>(contacts, c, false), axes, block);
    add_block<shape>(contacts, pair.y, lever<shape>(contacts, c, true), axes, block);
    if constexpr (shape == ContactShape::general) {
      const double2 compliance = compliance_of(contacts, c);
      block[0] += compliance.x;
      block[3] += compliance.y;
      block[5] += compliance.y;
    }
    for (int i = 0; i < 6; ++i) blocks[6 * c + static_cast<std::size_t>(i)] = block[i];
  }
}

/// The modes of contacts from r.
template <ContactShape shape>
__global__ void __launch_bounds__(256) set_modes(SweepView view) {
  for (int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); at < view.count;
       at += static_cast<int>(gridDim.x * blockDim.x)) {
    const auto c = static_cast<std::size_t>(at);
    const SweepContact<shape> contact(view, c);
    const Vec3 n = normal_of(contact.axis), r = load3(view.current(), c);
    const Tangents t = tangents_of(n);
    const Vec3 u = contact.velocity(load_record(view.record, contact.pair.x).velocity,
                                    load_record(view.record, contact.pair.y).velocity, r);
    const double* b = contact.block;
    const double D[9] = {b[0], b[1], b[2], b[1], b[3], b[4], b[2], b[4], b[5]};
    const double own[3] = {dot(n, r), dot(t.first, r), dot(t.second, r)};
    double rest[3] = {dot(n, u), dot(t.first, u), dot(t.second, u)};
    for (int i = 0; i < 3; ++i) rest[i] -= D[3 * i] * own[0] + D[3 * i + 1] * own[1] + D[3 * i + 2] * own[2];
    view.slip[c] = CoulombContact<3>(D).mode_of(rest, contact.axis.mu, own);
  }
}

/// d (r - P(r - u^ / d)) of a contact, squared.
__device__ inline double squared_error(Vec3 r, Vec3 shifted, const Axis& axis, double d) {
  const Vec3 error = d * r - project_on_cone(d * r - shifted, axis);
  return dot(error, error);
}

/// Both errors of Coulomb's law, relative (see ContactRuler).
template <ContactShape shape>
__global__ void __launch_bounds__(256) test_sweeps(SweepView view) {
  const ContactView& contacts = view.contacts;
  double sums[4] = {};  // scaled, published, impulses, velocities
  const bool weigh = view.state->weigh_by_scale != 0;
  for (int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); at < contacts.contacts;
       at += static_cast<int>(gridDim.x * blockDim.x)) {
    const auto c = static_cast<std::size_t>(at);
    const int2 pair = contacts.pair[c];
    const Axis axis = contacts.axis[c];
    const Vec3 n = normal_of(axis), r = load3(view.current(), c);
    const double scale = contacts.scale[c];
    Vec3 u = relative_velocity<shape>(load_record(view.record, pair.x).velocity,
                                      load_record(view.record, pair.y).velocity,
                                      lever<shape>(contacts, c, false), lever<shape>(contacts, c, true)) +
             load3(contacts.load, c);
    if constexpr (shape == ContactShape::general) u = u + compliant(compliance_of(contacts, c), n, r);
    const double normal = dot(n, u);
    const Vec3 tangent = u - normal * n;
    const Vec3 shifted = u + (axis.mu * sqrt(dot(tangent, tangent))) * n;
    const double squared = dot(r, r);
    sums[2] += squared;
    sums[3] += dot(u, u);
    if (squared == 0.0 && normal >= 0.0) continue;  // open
    sums[0] += (weigh ? 1.0 / scale : 1.0) * squared_error(r, shifted, axis, scale);
    sums[1] += squared_error(r, shifted, axis, 1.0);
  }
  if constexpr (shape == ContactShape::general) {
    for (int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); k < contacts.rows;
         k += static_cast<int>(gridDim.x * blockDim.x)) {
      const auto row = static_cast<std::size_t>(k), i = 3 * static_cast<std::size_t>(contacts.contacts) + row;
      const double scale = contacts.scale[static_cast<std::size_t>(contacts.contacts) + row],
                   r = view.current()[i];
      const int2 pair = contacts.row_pair[row];
      const double2 bounds = contacts.row_bounds[row];
      const double u =
          row_velocity(contacts.row_jacobian + 12 * row, load_record(view.record, pair.x).velocity,
                       load_record(view.record, pair.y).velocity) +
          contacts.row_compliance[row] * r + contacts.load[i];
      const auto error = [&](double d) { return fmin(fmax(u, d * (r - bounds.y)), d * (r - bounds.x)); };
      sums[0] += error(scale) / scale * error(scale);
      sums[1] += error(1.0) * error(1.0);
      sums[2] += r * r;
    }
  }
  if (!sum_over_grid(view.partial, &view.state->arrived, sums) || threadIdx.x != 0) return;
  SweepState& state = *view.state;
  const auto ratio = [](double squared, double by) { return squared == 0.0 ? 0.0 : sqrt(squared) / by; };
  const double poison = 0.0 * (sums[2] + sums[3]);  // NaN if r or u is not finite
  const double largest = fmax(state.norm, sqrt(fmax(sums[2], sums[3])));
  state.error = fmax(ratio(sums[0], state.weighted_norm), ratio(sums[1], largest)) + poison;
  state.improved = state.error < state.best_error ? 1 : 0;
  if (state.improved != 0) state.best_error = state.error;
}

__global__ void __launch_bounds__(256) keep_best_impulses(SweepView view, double* best, std::size_t size) {
  if (view.state->improved == 0) return;
  const double* r = view.current();
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < size;
       i += static_cast<std::size_t>(gridDim.x) * blockDim.x)
    best[i] = r[i];
}

}  // namespace slipstick::internal
