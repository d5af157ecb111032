// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/cuda/contact_arrays.hpp"
#include "slipstick/cuda/vectors.cuh"

namespace slipstick::internal {

/// The arrays of a ContactLayout on the device, as kernels see them. Vectors over contacts and rows have
/// three numbers per padded contact, then one per row. `bodies` is the number of the resting body. The arrays
/// of rows, which are few, are always of double.
template <class Real>
struct ContactViewOf {
  int bodies, contacts, rows, heavies;
  const int2* pair;
  const StoredAxis<Real>* axis;
  const Real *first_arm, *second_arm;
  const Real* load;              // b
  const Real* scale;             // d, by contact, then by row
  const Pair<Real>* compliance;  // (normal, tangents), by contact; null if all are zero
  const int2* row_pair;
  const double* row_jacobian;
  const double2* row_bounds;
  const double* row_compliance;
  const int *first_start, *second_start, *second_list, *row_start, *row_list, *heavy;
  const Real* mass;

  __device__ int degree(int body) const {
    int count = first_start[body + 1] - first_start[body] + second_start[body + 1] - second_start[body];
    if (rows > 0) count += row_start[body + 1] - row_start[body];
    return count;
  }
};

using ContactView = ContactViewOf<double>;

/// The lever of a contact: what gives a moment with the force. For spheres it is the normal on both sides.
template <ContactShape shape, class Real>
__device__ inline Vec3 lever(const ContactViewOf<Real>& view, std::size_t contact, bool second) {
  if constexpr (shape == ContactShape::spheres) {
    return normal_of(axis_from(view.axis[contact]));
  } else {
    return load3(second ? view.second_arm : view.first_arm, contact);
  }
}

/// What the force of a contact does to its first or second body.
template <ContactShape shape>
__device__ inline Twist push(Vec3 force, Vec3 lever, bool second) {
  const Vec3 moment = cross(force, lever);
  if (!second) return {force, moment};
  const Vec3 reaction = {-force.x, -force.y, -force.z};
  if constexpr (shape == ContactShape::spheres) {
    return {reaction, moment};
  } else {
    return {reaction, {-moment.x, -moment.y, -moment.z}};
  }
}

/// The relative velocity of the points in contact.
template <ContactShape shape>
__device__ inline Vec3 relative_velocity(Twist first, Twist second, Vec3 first_lever, Vec3 second_lever) {
  const Vec3 linear = first.linear - second.linear;
  if constexpr (shape == ContactShape::spheres) {
    return linear + cross(first_lever, first.angular + second.angular);
  } else {
    return linear + cross(first_lever, first.angular) - cross(second_lever, second.angular);
  }
}

template <class Real>
__device__ inline double2 compliance_of(const ContactViewOf<Real>& view, std::size_t contact) {
  if (view.compliance == nullptr) return {0.0, 0.0};
  const Pair<Real> compliance = view.compliance[contact];
  return {compliance.x, compliance.y};
}

/// C x of a contact.
__device__ inline Vec3 compliant(double2 compliance, Vec3 n, Vec3 x) {
  return compliance.y * x + ((compliance.x - compliance.y) * dot(n, x)) * n;
}

/// The force of a row on one of its bodies, and the velocity of a row.
__device__ inline Twist push_row(const double* jacobian, double x) {
  return {x * load3(jacobian, 0), x * load3(jacobian, 1)};
}
__device__ inline double row_velocity(const double* jacobian, Twist first, Twist second) {
  return dot(Twist{load3(jacobian, 0), load3(jacobian, 1)}, first) +
         dot(Twist{load3(jacobian, 2), load3(jacobian, 3)}, second);
}

/// W a for a symmetric W of six numbers.
template <class Real>
__device__ inline Vec3 multiply_symmetric(const Real* W, Vec3 a) {
  return {W[0] * a.x + W[1] * a.y + W[2] * a.z, W[1] * a.x + W[3] * a.y + W[4] * a.z,
          W[2] * a.x + W[4] * a.y + W[5] * a.z};
}

/// M^-1 f of a body.
template <ContactShape shape, class Real>
__device__ inline Twist velocity_from(const Real* mass, std::size_t body, Twist force) {
  if constexpr (shape == ContactShape::general) {
    const Real* m = mass + 14 * body;
    return {m[0] * force.linear, multiply_symmetric(m + 1, force.angular)};
  } else {
    const Pair<Real> m = reinterpret_cast<const Pair<Real>*>(mass)[body];
    return {m.x * force.linear, m.y * force.angular};
  }
}

/// v'M v of a body.
template <ContactShape shape, class Real>
__device__ inline double squared_in_mass(const Real* mass, std::size_t body, Twist v) {
  if constexpr (shape == ContactShape::general) {
    const Real* m = mass + 14 * body + 7;
    return m[0] * dot(v.linear, v.linear) + dot(v.angular, multiply_symmetric(m + 1, v.angular));
  } else {
    const Pair<Real> m = reinterpret_cast<const Pair<Real>*>(mass)[body];
    const double linear = m.x > 0.0 ? dot(v.linear, v.linear) / m.x : 0.0;
    return m.y > 0.0 ? linear + dot(v.angular, v.angular) / m.y : linear;
  }
}

/// J'x of a body: all its contacts and rows, by one thread. Three contacts are loaded before the first is
/// used.
template <ContactShape shape, class Real>
__device__ inline Twist gather(const ContactViewOf<Real>& view, const Real* x, int body) {
  constexpr int ahead = 3;
  Twist sum = {};
  const int first = view.first_start[body], firsts = view.first_start[body + 1] - first;
  const int second = view.second_start[body], seconds = view.second_start[body + 1] - second;
  int listed[ahead];
#pragma unroll
  for (int u = 0; u < ahead; ++u) listed[u] = u < seconds ? view.second_list[second + u] : 0;
  for (int e = 0; e < firsts; e += ahead) {
    Vec3 force[ahead], arm[ahead];
#pragma unroll
    for (int u = 0; u < ahead; ++u) {
      const auto contact = static_cast<std::size_t>(min(first + e + u, view.contacts - 1));
      force[u] = load3(x, contact);
      arm[u] = lever<shape>(view, contact, false);
    }
#pragma unroll
    for (int u = 0; u < ahead; ++u)
      if (e + u < firsts) sum = sum + push<shape>(force[u], arm[u], false);
  }
  for (int e = 0; e < seconds; e += ahead) {
    Vec3 force[ahead], arm[ahead];
#pragma unroll
    for (int u = 0; u < ahead; ++u) {
      force[u] = load3(x, static_cast<std::size_t>(listed[u]));
      arm[u] = lever<shape>(view, static_cast<std::size_t>(listed[u]), true);
    }
#pragma unroll
    for (int u = 0; u < ahead; ++u)
      if (const int next = e + ahead + u; next < seconds) listed[u] = view.second_list[second + next];
#pragma unroll
    for (int u = 0; u < ahead; ++u)
      if (e + u < seconds) sum = sum + push<shape>(force[u], arm[u], true);
  }
  if constexpr (shape == ContactShape::general) {
    if (view.rows > 0) {
      const Real* of_rows = x + 3 * static_cast<std::size_t>(view.contacts);
      for (int e = view.row_start[body]; e < view.row_start[body + 1]; ++e) {
        const int side = view.row_list[e];
        sum = sum + push_row(view.row_jacobian + 6 * static_cast<std::size_t>(side), of_rows[side / 2]);
      }
    }
  }
  return sum;
}

/// The share of one thread in J'x of a body whose contacts are divided among `threads` of them.
template <ContactShape shape, class Real>
__device__ inline Twist gather_share(const ContactViewOf<Real>& view, const Real* x, int body, int thread,
                                     int threads) {
  Twist sum = {};
  for (int contact = view.first_start[body] + thread; contact < view.first_start[body + 1];
       contact += threads) {
    const auto c = static_cast<std::size_t>(contact);
    sum = sum + push<shape>(load3(x, c), lever<shape>(view, c, false), false);
  }
  for (int e = view.second_start[body] + thread; e < view.second_start[body + 1]; e += threads) {
    const auto c = static_cast<std::size_t>(view.second_list[e]);
    sum = sum + push<shape>(load3(x, c), lever<shape>(view, c, true), true);
  }
  if constexpr (shape == ContactShape::general) {
    if (view.rows > 0) {
      const Real* of_rows = x + 3 * static_cast<std::size_t>(view.contacts);
      for (int e = view.row_start[body] + thread; e < view.row_start[body + 1]; e += threads) {
        const int side = view.row_list[e];
        sum = sum + push_row(view.row_jacobian + 6 * static_cast<std::size_t>(side), of_rows[side / 2]);
      }
    }
  }
  return sum;
}

}  // namespace slipstick::internal
