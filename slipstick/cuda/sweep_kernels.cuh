// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/contact/coulomb/sweeps/coulomb_contact.hpp"
#include "slipstick/cuda/bulk_copy.cuh"
#include "slipstick/cuda/contact_view.cuh"
#include "slipstick/cuda/reductions.cuh"
#include "slipstick/cuda/sweep_engine.hpp"

// The kernels of a sweep over coloured contacts (see SweepEngine).
namespace slipstick::internal {

/// A body has one record of eight numbers: its velocity, 1/m and the inverse inertia (unused in the general
/// shape). Two whole sectors of memory then bring all that a contact needs.
struct SweepView {
  ContactView contacts;
  int count;              // contacts with a colour; those of resting bodies, and the padding, follow
  const int* first_list;  // the contacts of a body as the first one
  double* record;
  double* r;
  double* slip;         // mode of each contact, see CoulombContact
  const double* block;  // six numbers of each contact's block of W, about (n, t1, t2)
  double* partial;
  SweepState* state;
};

struct BodyRecord {
  Twist velocity;
  double inverse_mass, inverse_inertia;
};
__device__ inline BodyRecord load_record(const double* records, int body) {
  const double2* p = reinterpret_cast<const double2*>(records) + 4 * static_cast<std::size_t>(body);
  const double2 a = p[0], b = p[1], c = p[2], d = p[3];
  return {{{a.x, a.y, b.x}, {b.y, c.x, c.y}}, d.x, d.y};
}
__device__ inline void store_velocity(double* records, int body, Twist v) {
  double2* p = reinterpret_cast<double2*>(records) + 4 * static_cast<std::size_t>(body);
  p[0] = {v.linear.x, v.linear.y};
  p[1] = {v.linear.z, v.angular.x};
  p[2] = {v.angular.y, v.angular.z};
}

/// M^-1 f of a body.
template <ContactShape shape>
__device__ inline Twist change_of(const SweepView& view, int body, const BodyRecord& record, Twist force) {
  if constexpr (shape == ContactShape::general) {
    return velocity_from<shape>(view.contacts.mass, static_cast<std::size_t>(body), force);
  } else {
    return {record.inverse_mass * force.linear, record.inverse_inertia * force.angular};
  }
}

/// Tangents of a normal (Duff et al. 2017).
struct Tangents {
  Vec3 first, second;
};
__device__ inline Tangents tangents_of(Vec3 n) {
  const double sign = copysign(1.0, n.z), a = -1.0 / (sign + n.z), b = n.x * n.y * a;
  return {{1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}};
}

/// Coulomb's law at a contact of spheres, whose block is `normal` along n and `tangent` across: closed.
__device__ inline Vec3 solve_isotropic(Vec3 u, Vec3 r, const Axis& axis, double normal, double tangent) {
  const Vec3 n = normal_of(axis);
  const double along = dot(r, n), speed = dot(u, n);
  const double pressure = along - speed / normal;
  if (!(pressure > 0.0)) return {0.0, 0.0, 0.0};
  const Vec3 stick = (r - along * n) - (1.0 / tangent) * (u - speed * n);
  const double squared = dot(stick, stick), limit = axis.mu * pressure;
  return pressure * n + (squared <= limit * limit ? 1.0 : limit * rsqrt(squared)) * stick;
}

/// The data of a contact that no sweep changes.
template <ContactShape shape>
struct SweepContact {
  int2 pair;
  Axis axis;
  Vec3 load, first_lever, second_lever;
  double scale;
  double block[6];
  double2 compliance;

  __device__ SweepContact(const SweepView& view, std::size_t c)
      : pair(view.contacts.pair[c]), axis(view.contacts.axis[c]), load(load3(view.contacts.load, c)) {
    first_lever = lever<shape>(view.contacts, c, false);
    if constexpr (shape != ContactShape::spheres) {
      second_lever = lever<shape>(view.contacts, c, true);
      scale = view.contacts.scale[c];
      for (int i = 0; i < 6; ++i) block[i] = view.block[6 * c + static_cast<std::size_t>(i)];
    }
    if constexpr (shape == ContactShape::general) compliance = view.contacts.compliance[c];
  }
  __device__ Vec3 velocity(Twist first, Twist second, Vec3 r) const {
    Vec3 u = relative_velocity<shape>(first, second, first_lever, second_lever) + load;
    if constexpr (shape == ContactShape::general) u = u + compliant(compliance, normal_of(axis), r);
    return u;
  }
};

/// r of a contact that obeys the law with all others at rest. `slip` is its mode.
template <ContactShape shape>
__device__ inline Vec3 solve_contact(const SweepContact<shape>& contact, const SweepState& state, Vec3 u,
                                     Vec3 r, double& slip) {
  constexpr double small_step = 1e-2;  // a contact is solved again in the next sweep
  const Vec3 n = normal_of(contact.axis);
  const Tangents t = tangents_of(n);
  const double shift = state.proximal * contact.scale;
  const double* b = contact.block;
  const double D[9] = {b[0] + shift, b[1], b[2], b[1], b[3] + shift, b[4], b[2], b[4], b[5] + shift};
  double own[3] = {dot(n, r), dot(t.first, r), dot(t.second, r)};
  // What is left of u without r: with the shift, D r - shift r is the share of r.
  double rest[3] = {dot(n, u), dot(t.first, u), dot(t.second, u)};
  for (int i = 0; i < 3; ++i) rest[i] -= D[3 * i] * own[0] + D[3 * i + 1] * own[1] + D[3 * i + 2] * own[2];
  CoulombContact<3>(D).solve(rest, contact.axis.mu, slip, own, small_step);
  return own[0] * n + own[1] * t.first + own[2] * t.second;
}

inline constexpr int sweep_threads = 128;

/// Solves contacts [first, last), which share no body that moves.
template <ContactShape shape>
__global__ void __launch_bounds__(sweep_threads) sweep_contacts(SweepView view, int first, int last) {
  allow_next();
  const int at = first + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (at >= last) {
    await_previous();
    return;
  }
  const auto c = static_cast<std::size_t>(at);
  const SweepContact<shape> contact(view, c);
  await_previous();
  const SweepState& state = *view.state;
  const Vec3 r = load3(view.r, c);
  const BodyRecord a = load_record(view.record, contact.pair.x), b = load_record(view.record, contact.pair.y);
  const Vec3 u = contact.velocity(a.velocity, b.velocity, r);
  Vec3 solved;
  if constexpr (shape == ContactShape::spheres) {
    const double normal = a.inverse_mass + b.inverse_mass,
                 tangent = normal + a.inverse_inertia + b.inverse_inertia;
    const double shift = state.proximal == 0.0 ? 0.0 : state.proximal * view.contacts.scale[c];
    solved = solve_isotropic(u, r, contact.axis, normal + shift, tangent + shift);
  } else {
    double slip = view.slip[c];
    solved = solve_contact<shape>(contact, state, u, r, slip);
    view.slip[c] = slip;
  }
  Vec3 change = solved - r;
  if (state.relaxation != 1.0) {
    change = state.relaxation * change;
    solved = r + change;
  }
  store3(view.r, c, solved);
  const auto move = [&](int body, const BodyRecord& record, Vec3 lever, bool second) {
    if (body < view.contacts.bodies)
      store_velocity(
          view.record, body,
          record.velocity + change_of<shape>(view, body, record, push<shape>(change, lever, second)));
  };
  move(contact.pair.x, a, contact.first_lever, false);
  move(contact.pair.y, b, shape == ContactShape::spheres ? contact.first_lever : contact.second_lever, true);
}

/// Solves rows [first, last) of joints, which share no body that moves.
__global__ void __launch_bounds__(sweep_threads) sweep_rows(SweepView view, int first, int last) {
  allow_next();
  await_previous();
  const int k = first + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (k >= last) return;
  const ContactView& contacts = view.contacts;
  const auto row = static_cast<std::size_t>(k), i = 3 * static_cast<std::size_t>(contacts.contacts) + row;
  const double diagonal = contacts.scale[static_cast<std::size_t>(contacts.contacts) + row];
  const int2 pair = contacts.row_pair[row];
  const double2 bounds = contacts.row_bounds[row];
  const double* jacobian = contacts.row_jacobian + 12 * row;
  const BodyRecord a = load_record(view.record, pair.x), b = load_record(view.record, pair.y);
  const double r = view.r[i];
  const double u =
      row_velocity(jacobian, a.velocity, b.velocity) + contacts.row_compliance[row] * r + contacts.load[i];
  const double solved = fmin(fmax(r - view.state->relaxation * u / diagonal, bounds.x), bounds.y);
  view.r[i] = solved;
  const auto move = [&](int body, const BodyRecord& record, const double* side) {
    if (body < contacts.bodies)
      store_velocity(
          view.record, body,
          record.velocity + velocity_from<ContactShape::general>(
                                contacts.mass, static_cast<std::size_t>(body), push_row(side, solved - r)));
  };
  move(pair.x, a, jacobian);
  move(pair.y, b, jacobian + 6);
}

/// The records of all bodies from r.
template <ContactShape shape>
__global__ void __launch_bounds__(256) sweep_velocities(SweepView view) {
  const ContactView& contacts = view.contacts;
  for (int body = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); body < contacts.bodies;
       body += static_cast<int>(gridDim.x * blockDim.x)) {
    Twist force = {};
    for (int e = contacts.first_start[body]; e < contacts.first_start[body + 1]; ++e) {
      const auto c = static_cast<std::size_t>(view.first_list[e]);
      force = force + push<shape>(load3(view.r, c), lever<shape>(contacts, c, false), false);
    }
    for (int e = contacts.second_start[body]; e < contacts.second_start[body + 1]; ++e) {
      const auto c = static_cast<std::size_t>(contacts.second_list[e]);
      force = force + push<shape>(load3(view.r, c), lever<shape>(contacts, c, true), true);
    }
    if constexpr (shape == ContactShape::general) {
      if (contacts.rows > 0) {
        const double* of_rows = view.r + 3 * static_cast<std::size_t>(contacts.contacts);
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
      const double2 compliance = contacts.compliance[c];
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
    const Vec3 n = normal_of(contact.axis), r = load3(view.r, c);
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
    const Vec3 n = normal_of(axis), r = load3(view.r, c);
    const double scale = contacts.scale[c];
    Vec3 u = relative_velocity<shape>(load_record(view.record, pair.x).velocity,
                                      load_record(view.record, pair.y).velocity,
                                      lever<shape>(contacts, c, false), lever<shape>(contacts, c, true)) +
             load3(contacts.load, c);
    if constexpr (shape == ContactShape::general) u = u + compliant(contacts.compliance[c], n, r);
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
      const double scale = contacts.scale[static_cast<std::size_t>(contacts.contacts) + row], r = view.r[i];
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
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < size;
       i += static_cast<std::size_t>(gridDim.x) * blockDim.x)
    best[i] = view.r[i];
}

}  // namespace slipstick::internal
