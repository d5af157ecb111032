// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "slipstick/contact/coulomb/coulomb_method.hpp"

namespace slipstick::internal {

/// Lowers the error of an answer that nearly meets its target, by least squares over both rulers:
///
///     f(r) = sum_i ||d_i e_i||^2 / scaled^2 + ||e'_i||^2 / published^2,   e_i = r_i - P(r_i - u^_i / d_i),
///
/// e'_i the same with d_i = 1, and the bounds of CoulombTarget. A step is one of Gauss and Newton's: r + x
/// with the least ||e + J x||, J = B + C W. B and C are block diagonal. Some iterations of conjugate
/// gradients find it. Their system is
///
///     (G + K W + W K' + W L W) x = -(B'e + W C'e).
///
/// Here G = B'B, K = B'C and L = C'C.
///
/// Sweeps change one contact after the other and leave errors in all of them. Many of these errors cancel by
/// a tiny change of r: five iterations lower the error of a heap by a sixth, a hundred by a quarter. More is
/// not gained, because J is badly conditioned, and e has kinks wherever a contact changes its state.
///
/// W is taken as symmetric. If it is not, steps are worse, but none that raises f is taken.
class ErrorDescent {
 public:
  /// An error of at most this many times the target can be lowered to the target.
  static constexpr double reach = 1.4;

  /// Improves r and returns its error relative to the target. It is at most `error`, that of r before. Does
  /// nothing if the error is out of reach, or under the law of boxes.
  double run(const CoulombMethod::Context& context, double error, Vector& r);

 private:
  template <int d>
  using Block = Eigen::Matrix<double, d, d>;
  // A node's parts of f. The first is half of its gradient by r, at a constant u, the second that by u.
  template <int d>
  struct Node {
    Block<d> G, K, L;
    Eigen::Matrix<double, d, 1> by_r, by_u;
  };
  template <int d>
  double descend(const CoulombMethod::Context& context, double error, Vector& r);
  template <int d>
  void linearize(const CoulombMethod::Context& context, const Vector& r);
  template <int d>
  void find_step(const CoulombMethod::Context& context, int iterations);
  template <int d>
  void multiply(const CoulombMethod::Context& context, const Vector& x, Vector& product);
  void respond(const CoulombMethod::Context& context, const Vector& x, Vector& u) const;
  template <int d>
  std::vector<Node<d>>& nodes();

  std::vector<Node<2>> plane_;
  std::vector<Node<3>> space_;
  Vector u_, step_, trial_, residual_, direction_, product_, response_, forces_;
};

}  // namespace slipstick::internal
