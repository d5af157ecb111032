// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

/// The dense factors of Goldfarb and Idnani (1983) for the normals N = (n_1, ..., n_q) of held constraints
/// and a positive definite H:
///
///     J'HJ = I,   J'N = [R; 0]   with J = (J_1, J_2) square and R upper triangular, q x q.
///
/// J_2 spans the directions along the held constraints. A Householder reflection of J_2 appends a normal.
/// Givens rotations of J_1 and R remove one. Both cost O(n^2), and nothing is factorized again.
class ActiveFactor {
 public:
  /// J = L^-T of H = L L'. Returns false if H is not positive definite to working precision.
  bool set_metric(const DenseMatrix& h);
  /// H = diag(d), d > 0.
  void set_diagonal_metric(const Vector& d);
  /// Removes all normals.
  void clear();

  Index rows() const { return start_.rows(); }
  Index count() const { return count_; }

  /// d = J'n for the normal n with the given entries. The next three functions use d.
  template <class ForEach>
  void transform_entries(const ForEach& for_each_entry) {
    transformed_.setZero();
    for_each_entry([&](Index j, double value) { transformed_ += value * j_.row(j).transpose(); });
  }
  void transform_vector(ConstVectorView v) { transformed_.noalias() = j_.transpose() * v; }
  const Vector& transformed() const { return transformed_; }
  /// ||d_2||^2 = z'n. It is 0 if the normal depends on the held normals.
  double independent_part() const;
  /// z = J_2 d_2
  void along(VectorView z) const;
  /// r = R^-1 d_1
  void coefficients(VectorView r) const;
  /// Appends n as the last normal. z is the result of along() for n.
  void append(ConstVectorView z);
  void remove(Index position);

  /// Solves H x - N u = x_0, N'x = u_0. The arguments hold (x_0, u_0) at first and (x, u) at the end.
  void solve(VectorView x, VectorView u);

 private:
  DenseMatrix start_, j_, r_;
  Index count_ = 0;
  Vector transformed_, work_;
};

}  // namespace slipstick::internal
