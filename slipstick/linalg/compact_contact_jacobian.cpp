// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/compact_contact_jacobian.hpp"

#include <algorithm>
#include <limits>

#include "slipstick/linalg/prefetch.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using JacobianBlock = Eigen::Map<const Eigen::Matrix<double, 3, 6, Eigen::RowMajor>>;

constexpr int body_dofs = 6;
constexpr double rounding = 8.0 * std::numeric_limits<double>::epsilon();

// [a]x
Matrix3d cross_matrix(const Vector3d& a) {
  Matrix3d matrix;
  matrix << 0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0;
  return matrix;
}

// Finds the arm with G a x = turning. Returns false if there is none.
bool find_arm(const Matrix3d& G, const Matrix3d& turning, double* arm) {
  const Matrix3d S = G.transpose() * turning;
  const Vector3d a = 0.5 * Vector3d(S(2, 1) - S(1, 2), S(0, 2) - S(2, 0), S(1, 0) - S(0, 1));
  std::copy_n(a.data(), 3, arm);
  return (G * cross_matrix(a) - turning).cwiseAbs().maxCoeff() <= rounding * turning.cwiseAbs().maxCoeff();
}

// Three numbers in registers. Eigen's vectors would go through memory, which is too slow for the loops below.
struct Triple {
  double x, y, z;
  friend Triple operator+(const Triple& a, const Triple& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Triple operator-(const Triple& a, const Triple& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  Triple operator-() const { return {-x, -y, -z}; }
};

Triple triple(const double* a) {
  return {a[0], a[1], a[2]};
}

Triple cross(const Triple& a, const Triple& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// G a and G'a
Triple product(const double* G, const Triple& a) {
  return {G[0] * a.x + G[1] * a.y + G[2] * a.z, G[3] * a.x + G[4] * a.y + G[5] * a.z,
          G[6] * a.x + G[7] * a.y + G[8] * a.z};
}
Triple transposed_product(const double* G, const Triple& a) {
  return {G[0] * a.x + G[3] * a.y + G[6] * a.z, G[1] * a.x + G[4] * a.y + G[7] * a.z,
          G[2] * a.x + G[5] * a.y + G[8] * a.z};
}

template <class Number>
Number* velocity_of(Number* v, int body) {
  return v + static_cast<std::ptrdiff_t>(body) * body_dofs;
}

void prefetch_velocities(const Constraint& constraint, const double* v) {
  for (const int body : constraint.body) prefetch(velocity_of(v, std::max(body, 0)));
}

// Adds a force at the end of the arm, and its moment.
void push(const Triple& force, const Triple& arm, double* v) {
  const Triple moment = cross(force, arm);
  v[0] += force.x;
  v[1] += force.y;
  v[2] += force.z;
  v[3] += moment.x;
  v[4] += moment.y;
  v[5] += moment.z;
}

// The velocity of the end of the arm. The ground is at rest.
Triple point_velocity(const double* v, int body, const Triple& arm) {
  static constexpr double rest[body_dofs] = {};
  const double* velocity = body < 0 ? rest : velocity_of(v, body);
  return triple(velocity) + cross(arm, triple(velocity + 3));
}

}  // namespace

void CompactContactJacobian::set(std::span<const Constraint> contacts, const double* first,
                                 const double* second) {
  contacts_.assign(contacts.size(), Contact());
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const auto [first_body, second_body] = contacts[k].body;
    const JacobianBlock blocks[2] = {JacobianBlock(first + k * 3 * body_dofs),
                                     JacobianBlock(second + k * 3 * body_dofs)};
    Matrix3d G = blocks[0].leftCols<3>();
    if (first_body < 0) G = -blocks[1].leftCols<3>();
    bool fits = true;
    if (first_body >= 0) fits = find_arm(G, blocks[0].rightCols<3>(), contacts_[k].arm[0]);
    if (second_body >= 0) {
      fits = fits && G == -blocks[1].leftCols<3>() &&
             find_arm(G, -blocks[1].rightCols<3>(), contacts_[k].arm[1]);
    }
    if (!fits) {
      clear();
      return;
    }
    G.transposeInPlace();
    std::copy_n(G.data(), 9, contacts_[k].axes);
  }
}

void CompactContactJacobian::scatter(std::span<const Constraint> contacts, const double* x, double* v) const {
  const auto count = static_cast<Index>(contacts.size());
  const Constraint* constraint = contacts.data();
  const Contact* contact = contacts_.data();
  for (Index k = 0; k < count; ++k) {
    const Contact& c = contact[k];
    prefetch_next_page(&c);
    prefetch_next_page(c.axes + 8);
    prefetch_velocities(constraint[std::min(k + constraints_ahead, count - 1)], v);
    const Triple force = transposed_product(c.axes, triple(x + 3 * k));
    const auto [first_body, second_body] = constraint[k].body;
    if (first_body >= 0) push(force, triple(c.arm[0]), velocity_of(v, first_body));
    if (second_body >= 0) push(-force, triple(c.arm[1]), velocity_of(v, second_body));
  }
}

void CompactContactJacobian::add_impulse(Index contact, int side, const double* x, double* v) const {
  const Contact& c = contacts_[static_cast<std::size_t>(contact)];
  const Triple force = transposed_product(c.axes, triple(x + 3 * contact));
  push(side == 0 ? force : -force, triple(c.arm[side]), v);
}

void CompactContactJacobian::gather(std::span<const Constraint> contacts, const double* v,
                                    const double* compliance, const double* x, double* y, Index first,
                                    Index last) const {
  const Constraint* constraint = contacts.data();
  const Contact* contact = contacts_.data();
  in_two_streams(first, last, [=](Index k) {
    const Contact& c = contact[k];
    prefetch_next_page(&c);
    prefetch_next_page(c.axes + 8);
    prefetch_velocities(constraint[std::min(k + constraints_ahead, last - 1)], v);
    const auto [first_body, second_body] = constraint[k].body;
    const Triple between =
        point_velocity(v, first_body, triple(c.arm[0])) - point_velocity(v, second_body, triple(c.arm[1]));
    const Triple velocity = product(c.axes, between);
    y[3 * k] = velocity.x;
    y[3 * k + 1] = velocity.y;
    y[3 * k + 2] = velocity.z;
    if (compliance == nullptr) return;
    for (Index i = 3 * k; i < 3 * k + 3; ++i) y[i] += compliance[i] * x[i];
  });
}

}  // namespace slipstick::internal
