// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/world_contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace slipstick::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using RowMajorBlock =
    Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

constexpr double rounding = 16.0 * machine_epsilon;

// Where the degrees of freedom of a body are in (v, omega).
struct Embedding {
  int dofs;
  bool in_plane;  // (v_x, v_y, omega_z)
  int place(int dof) const { return in_plane && dof == 2 ? 5 : dof; }
};

bool has_planar_cones(const ProductSet& K) {
  return std::any_of(K.blocks().begin(), K.blocks().end(),
                     [](const SetBlock& block) { return block.kind == SetKind::cone && block.size == 2; });
}

// M^-1 of a body, 6 x 6.
Eigen::Matrix<double, 6, 6> inverse_mass_of(const DelassusOperator& A, const Embedding& embedding,
                                            Index body) {
  Eigen::Matrix<double, 6, 6> full = Eigen::Matrix<double, 6, 6>::Zero();
  for (int j = 0; j < embedding.dofs; ++j) {
    double unit[6] = {}, column[6] = {};
    unit[j] = 1.0;
    A.multiply_inverse_mass(body, unit, column);
    for (int i = 0; i < embedding.dofs; ++i) full(embedding.place(i), embedding.place(j)) = column[i];
  }
  return full;
}

std::string read_bodies(const DelassusOperator& A, const Embedding& embedding,
                        std::vector<WorldBody>& bodies) {
  bodies.resize(static_cast<std::size_t>(A.bodies()));
  for (Index body = 0; body < A.bodies(); ++body) {
    const Eigen::Matrix<double, 6, 6> inverse = inverse_mass_of(A, embedding, body);
    const double mass = inverse(0, 0);
    const int moved = embedding.in_plane ? 2 : std::min(embedding.dofs, 3);
    bool plain = inverse.topRightCorner<3, 3>().isZero(0.0) && inverse.bottomLeftCorner<3, 3>().isZero(0.0);
    for (int i = 0; i < moved; ++i)
      for (int j = 0; j < moved; ++j) plain = plain && inverse(i, j) == (i == j ? mass : 0.0);
    if (!plain) return fmt::format("the mass of body {} is not one number for all directions", body);
    WorldBody& to = bodies[static_cast<std::size_t>(body)];
    to.inverse_mass = mass;
    const Matrix3d turning = inverse.bottomRightCorner<3, 3>();
    to.inverse_inertia = {turning(0, 0), turning(0, 1), turning(0, 2),
                          turning(1, 1), turning(1, 2), turning(2, 2)};
  }
  return {};
}

// The arm a with G (a x omega) = turning omega. Returns false if there is none.
bool find_arm(const Matrix3d& G, const Matrix3d& turning, bool in_plane, double* arm) {
  const Matrix3d S = G.transpose() * turning;
  Vector3d a = 0.5 * Vector3d(S(2, 1) - S(1, 2), S(0, 2) - S(2, 0), S(1, 0) - S(0, 1));
  if (in_plane) a = Vector3d(-S(1, 2), S(0, 2), 0.0);  // only omega_z turns
  std::copy_n(a.data(), 3, arm);
  Matrix3d cross;
  cross << 0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0;
  Matrix3d difference = G * cross - turning;
  if (in_plane) difference.leftCols<2>().setZero();
  return difference.cwiseAbs().maxCoeff() <= rounding * turning.cwiseAbs().maxCoeff();
}

// The rows of J of a constraint for one body, in (v, omega).
Eigen::Matrix<double, Eigen::Dynamic, 6, 0, 6, 6> rows_of_side(const DelassusOperator& A,
                                                               const Embedding& embedding,
                                                               std::size_t constraint, int side) {
  const Constraint& where = A.constraints()[constraint];
  Eigen::Matrix<double, Eigen::Dynamic, 6, 0, 6, 6> rows(where.rows, 6);
  rows.setZero();
  if (where.body[static_cast<std::size_t>(side)] < 0) return rows;
  const RowMajorBlock block(A.block(constraint, side), where.rows, embedding.dofs);
  for (int j = 0; j < embedding.dofs; ++j) rows.col(embedding.place(j)) = block.col(j);
  return rows;
}

// The axes must be orthonormal. The third one is zero in the plane.
bool is_orthonormal(const double* axes, int rows) {
  for (int a = 0; a < rows; ++a)
    for (int b = a; b < rows; ++b) {
      const double* p = axes + 3 * a;
      const double* q = axes + 3 * b;
      const double product = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] - (a == b ? 1.0 : 0.0);
      if (!(std::abs(product) <= rounding)) return false;
    }
  return true;
}

// The same for an operator that has found the arms of its contacts.
bool copy_contact(const CompactContactJacobian& compact, const Constraint& where, std::size_t constraint,
                  WorldContact& to) {
  to.body = where.body;
  to.row = where.row;
  to.rows = where.rows;
  std::copy_n(compact.axes(constraint), 9, to.axes);
  for (int side = 0; side < 2; ++side) std::copy_n(compact.arm(constraint, side), 3, to.arm[side]);
  return is_orthonormal(to.axes, 3);
}

bool read_contact(const DelassusOperator& A, const Embedding& embedding, std::size_t constraint,
                  WorldContact& to) {
  const Constraint& where = A.constraints()[constraint];
  to.body = where.body;
  to.row = where.row;
  to.rows = where.rows;
  Matrix3d G[2], turning[2];
  for (int side = 0; side < 2; ++side) {
    const auto rows = rows_of_side(A, embedding, constraint, side);
    const double sign = side == 0 ? 1.0 : -1.0;
    G[side].setZero();
    turning[side].setZero();
    G[side].topRows(where.rows) = sign * rows.leftCols<3>();
    turning[side].topRows(where.rows) = sign * rows.rightCols<3>();
  }
  const auto [first, second] = where.body;
  const Matrix3d& axes = first >= 0 ? G[0] : G[1];
  if (first >= 0 && second >= 0 && G[0] != G[1]) return false;
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < 3; ++i) to.axes[3 * a + i] = axes(a, i);
  if (!is_orthonormal(to.axes, where.rows)) return false;
  for (int side = 0; side < 2; ++side) {
    if (where.body[static_cast<std::size_t>(side)] < 0) continue;
    if (!find_arm(axes, turning[side], embedding.in_plane, to.arm[side])) return false;
  }
  return true;
}

}  // namespace

std::string read_world_contacts(const DelassusOperator& A, const ProductSet& K, WorldContacts& to) {
  const int dofs = A.dofs_per_body();
  if (dofs != 6 && dofs > 3) return fmt::format("bodies have {} degrees of freedom, not 6, or up to 3", dofs);
  const Embedding embedding{dofs, dofs == 3 && has_planar_cones(K)};
  to.contacts.clear();
  to.rows.clear();
  if (std::string reason = read_bodies(A, embedding, to.bodies); !reason.empty()) return reason;

  std::vector<Index> cone_size(static_cast<std::size_t>(K.rows()), 0);  // 0: a row with bounds
  for (const SetBlock& block : K.blocks()) {
    if (block.kind == SetKind::diamond || block.kind == SetKind::disk)
      return fmt::format("the rows from {} on form a {}", block.start, name(block.kind));
    if (block.kind == SetKind::cone) std::fill_n(cone_size.begin() + block.start, block.size, block.size);
  }
  const std::span<const Constraint> constraints = A.constraints();
  to.contacts.reserve(constraints.size());
  for (std::size_t k = 0; k < constraints.size(); ++k) {
    const Constraint& where = constraints[k];
    if (where.body[0] == where.body[1] && where.body[0] >= 0)
      return fmt::format("the rows from {} on are between body {} and itself", where.row, where.body[0]);
    const Index cone = where.rows > 0 ? cone_size[static_cast<std::size_t>(where.row)] : 0;
    if (cone > 0) {
      WorldContact contact;
      const bool in_place = cone == where.rows && (cone == 3 || embedding.in_plane);
      const CompactContactJacobian& compact = A.compact_jacobian();
      const auto read = [&] {
        return compact.empty() ? read_contact(A, embedding, k, contact)
                               : copy_contact(compact, where, k, contact);
      };
      if (!in_place || !read())
        return fmt::format("the rows from {} on are no contact between points of two rigid bodies",
                           where.row);
      const double* compliance = A.compliance().data() + where.row;
      if (cone == 3 && compliance[1] != compliance[2])
        return fmt::format("the compliance of the rows from {} on differs between the tangents", where.row);
      to.contacts.push_back(contact);
      continue;
    }
    const auto first = rows_of_side(A, embedding, k, 0), second = rows_of_side(A, embedding, k, 1);
    for (int a = 0; a < where.rows; ++a) {
      WorldRow row{.body = where.body, .row = where.row + a};
      if (cone_size[static_cast<std::size_t>(row.row)] > 0)
        return fmt::format("row {} of a friction cone is not with the others of its contact", row.row);
      for (int j = 0; j < 6; ++j) {
        row.jacobian[0][j] = first(a, j);
        row.jacobian[1][j] = second(a, j);
      }
      to.rows.push_back(row);
    }
  }
  return {};
}

}  // namespace slipstick::internal
