// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/contact/coulomb/sweeps/coulomb_contact.hpp"
#include "slipstick/cuda/bulk_copy.cuh"
#include "slipstick/cuda/contact_view.cuh"
#include "slipstick/cuda/reductions.cuh"
#include "slipstick/cuda/sweep_engine.hpp"

// A sweep over coloured contacts (see SweepEngine).
namespace slipstick::internal {

/// A body has one record of eight numbers: its velocity, 1/m and the inverse inertia (unused in the general
/// shape). Two whole sectors of memory then bring all that a contact needs.
struct SweepView {
  ContactView contacts;
  int count;              // contacts with a colour; those of resting bodies, and the padding, follow
  const int* first_list;  // the contacts of a body as the first one
  double* record;
  double* previous;     // velocities of the last iterate, for momentum
  double* r[2];         // iterate k is in r[k % 2]
  double* slip;         // mode of each contact, see CoulombContact
  const double* block;  // six numbers of each contact's block of W, about (n, t1, t2)
  double* partial;
  double2* moved;  // sums of each block of a sweep: |x+ - y|^2, (y - x+)'D(x+ - x)
  SweepState* state;

  __device__ double* current() const { return r[state->iteration & 1]; }
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
__device__ inline Twist load_velocity(const double* records, int body) {
  const double2* p = reinterpret_cast<const double2*>(records) + 4 * static_cast<std::size_t>(body);
  const double2 a = p[0], b = p[1], c = p[2];
  return {{a.x, a.y, b.x}, {b.y, c.x, c.y}};
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
    if constexpr (shape == ContactShape::general) compliance = compliance_of(view.contacts, c);
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

/// The iterates that an item of a sweep reads and writes. Without momentum they are one vector.
template <bool momentum>
struct SweepIterates {
  double* to;          // x+
  const double* from;  // x
  double share;        // of x - last x in y

  __device__ explicit SweepIterates(const SweepView& view)
      : to(view.r[momentum ? (view.state->iteration + 1) & 1 : 0]),
        from(view.r[momentum ? view.state->iteration & 1 : 0]),
        share(momentum ? view.state->momentum : 0.0) {}
};

/// Solves contact c. Adds what the momentum depends on.
template <ContactShape shape, bool momentum>
__device__ inline void sweep_contact(const SweepView& view, std::size_t c, double (&sums)[2]) {
  const SweepContact<shape> contact(view, c);
  const double weight = momentum ? view.contacts.scale[c] : 0.0;
  await_previous();
  const SweepState& state = *view.state;
  const SweepIterates<momentum> iterates(view);
  const Vec3 x = load3(iterates.from, c);
  Vec3 r = x;
  if constexpr (momentum) r = x + iterates.share * (x - load3(iterates.to, c));
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
  store3(iterates.to, c, solved);
  if constexpr (momentum) {
    sums[0] = weight * dot(change, change);
    sums[1] = -weight * dot(change, solved - x);
  }
  const auto move = [&](int body, const BodyRecord& record, Vec3 lever, bool second) {
    if (body < view.contacts.bodies)
      store_velocity(
          view.record, body,
          record.velocity + change_of<shape>(view, body, record, push<shape>(change, lever, second)));
  };
  move(contact.pair.x, a, contact.first_lever, false);
  move(contact.pair.y, b, shape == ContactShape::spheres ? contact.first_lever : contact.second_lever, true);
}

/// Keeps the sums of this block as number `part` of a sweep.
__device__ inline void keep_moved(const SweepView& view, int part, double (&sums)[2]) {
  sum_over_block(sums);
  if (threadIdx.x == 0) view.moved[part] = {sums[0], sums[1]};
}

/// Solves contacts [first, last), which share no body that moves. Its blocks are parts from `part` on.
template <ContactShape shape, bool momentum>
__global__ void __launch_bounds__(sweep_threads)
    sweep_contacts(SweepView view, int first, int last, int part) {
  allow_next();
  const int at = first + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  double sums[2] = {0.0, 0.0};
  if (at < last) {
    sweep_contact<shape, momentum>(view, static_cast<std::size_t>(at), sums);
  } else {
    await_previous();
  }
  if constexpr (momentum) keep_moved(view, part + static_cast<int>(blockIdx.x), sums);
}

/// Solves row k of a joint. Adds what the momentum depends on.
template <bool momentum>
__device__ inline void sweep_row(const SweepView& view, std::size_t row, double (&sums)[2]) {
  const ContactView& contacts = view.contacts;
  const std::size_t i = 3 * static_cast<std::size_t>(contacts.contacts) + row;
  const double diagonal = contacts.scale[static_cast<std::size_t>(contacts.contacts) + row];
  const int2 pair = contacts.row_pair[row];
  const double2 bounds = contacts.row_bounds[row];
  const double* jacobian = contacts.row_jacobian + 12 * row;
  const BodyRecord a = load_record(view.record, pair.x), b = load_record(view.record, pair.y);
  const SweepIterates<momentum> iterates(view);
  const double x = iterates.from[i], r = momentum ? x + iterates.share * (x - iterates.to[i]) : x;
  const double u =
      row_velocity(jacobian, a.velocity, b.velocity) + contacts.row_compliance[row] * r + contacts.load[i];
  const double relaxation = momentum ? 1.0 : view.state->relaxation;
  const double solved = fmin(fmax(r - relaxation * u / diagonal, bounds.x), bounds.y);
  iterates.to[i] = solved;
  sums[0] = diagonal * (solved - r) * (solved - r);
  sums[1] = diagonal * (r - solved) * (solved - x);
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

/// Solves rows [first, last) of joints, which share no body that moves.
template <bool momentum>
__global__ void __launch_bounds__(sweep_threads) sweep_rows(SweepView view, int first, int last, int part) {
  allow_next();
  await_previous();
  const int k = first + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  double sums[2] = {0.0, 0.0};
  if (k < last) sweep_row<momentum>(view, static_cast<std::size_t>(k), sums);
  if constexpr (momentum) keep_moved(view, part + static_cast<int>(blockIdx.x), sums);
}

}  // namespace slipstick::internal
