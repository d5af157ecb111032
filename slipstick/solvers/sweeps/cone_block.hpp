// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

/// The problem of one contact, solved to rounding without an iteration over sets:
///     minimize 1/2 x'Bx + c'x  over  ||x_T|| <= mu x_N,   B symmetric positive definite, 3 rows.
///
/// x = 0 if c is in the dual cone. x = -B^-1 c if that is in the cone. Otherwise x is on the boundary with (B
/// - nu Q) x = -c, x'Qx = 0, Q = diag(mu^2, -1, -1), nu >= 0. Coordinates y turn B into the identity and Q
/// into diag(q_1, -q_2, -q_3). They need one eigenproblem, solved once. In them the condition is one equation
/// in y_1,
///     sum_{i=2,3} q_i c_i^2 / (y_1 (1 + q_i/q_1) + c_1 q_i/q_1)^2 = q_1,
/// with a convex falling left side. Newton's method on its inverse square root solves it within a bracket. If
/// mu or the eigenvalues of B are far apart, the coordinates lose digits. Newton steps on the angle, with the
/// original B, therefore improve the direction of x_T.
///
/// A plane contact gets an independent third row. A frictionless contact has x_T = 0.
class ConeBlock {
 public:
  using Block = Eigen::Matrix3d;
  using Rows = Eigen::Vector3d;

  /// `block` is the 3x3 or 2x2 block of A. Its diagonal is raised by 1e-13 of the trace, or by more if it is
  /// singular. A step from x that minimizes with c = g - B x still has the same fixed points.
  void prepare(const Eigen::Ref<const DenseMatrix>& block, double mu);
  /// The B in use, with the third row of a plane contact.
  const Block& matrix() const { return matrix_; }
  /// True if the block is zero. solve() must not be called then.
  bool empty() const { return empty_; }
  Rows solve(const Rows& c) const;

 private:
  Rows on_boundary(const Rows& load) const;
  Rows polish(Rows x, const Rows& c) const;

  double mu_ = 0.0;
  bool empty_ = true;
  Block matrix_ = Block::Identity();
  Block to_loads_ = Block::Identity();  // c in the coordinates of y; its transpose maps y to x
  Rows q_ = Rows::Zero();               // q_1, q_2, q_3 > 0
};

}  // namespace slipstick::internal
