// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "slipstick/linsolve/sparse/sparse_cholesky.hpp"
#include "slipstick/solvers/interior_point/qp/standard_qp.hpp"

namespace slipstick::internal {

/// The symmetric quasi-definite system of a QP,
///
///     K = [ H + D, G' ; G, -E ]   in z = (x, -y),   D >= 0 and E >= 0 diagonal.
///
/// The factor L S L' is that of K + diag(r, -r) with a small r > 0, which exists for every order of the
/// pivots (Vanderbei 1995). Minimal residuals with that factor as preconditioner remove the effect of r, also
/// along directions in which K is much smaller than r. If K is singular, z moves no further than the
/// equations ask (a proximal step; Friedlander and Orban 2012). A dense row or column of G costs no fill: it
/// is pivoted late. One symbolic analysis serves all D, E and active sets.
class QpSystem {
 public:
  /// Takes the pattern of H and G, and their values.
  void prepare(const StandardQp& qp);
  /// r of the next factorizations, and the least one that did not make pivots of the wrong sign.
  struct Shift {
    double now = 0.0;
    double least = 1e-15;
  };
  const Shift& shift() const { return shift_; }
  /// It grows if a pivot has the wrong sign.
  void set_shift(const Shift& shift) { shift_ = shift; }
  /// Divides r by ten, but not if the pivots would have wrong signs or be rounding errors.
  void lower_shift() { shift_.now = std::min(shift_.now, std::max(shift_.now / 10.0, shift_.least)); }
  /// Rows that are not `inside` become rows of the identity; empty: all are inside. Returns false if no
  /// r makes the pivots right, which needs values that are not finite or an indefinite H.
  bool factorize(const Vector& diagonal, const Vector& compliance, const std::vector<char>& inside = {});
  /// z <- K^-1 z, refined. z is zero outside.
  void solve(Vector& z);

  /// Factorizations since prepare().
  int factorizations() const { return factorizations_; }
  /// Cost of a factorization over that of a solve.
  double factor_to_solve() const;

 private:
  void build(const StandardQp& qp);
  bool is_inside(std::size_t k) const { return inside_.empty() || inside_[k] != 0; }
  void subtract_product(const Vector& z, Vector& residual) const;
  int build_krylov_space(double first, double enough);
  double solve_small(int count, double first);

  Index unknowns_ = 0;
  CsrMatrix lower_;              // lower triangle; the diagonal with r
  std::vector<double> entries_;  // of H and G, in the order of lower_
  Vector true_diagonal_;         // without r
  std::vector<signed char> signs_;
  std::vector<char> inside_;
  SparseCholesky factor_{std::nullopt};
  Vector right_side_, residual_, step_, correction_;
  Vector weight_;  // of residuals: large diagonal entries make large residuals
  static constexpr int most_steps = 20;
  using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 2 * most_steps + 1, most_steps>;
  using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 2 * most_steps + 1, 1>;
  DenseMatrix basis_, steps_;
  Eigen::Matrix<double, most_steps + 1, most_steps> small_;
  Eigen::Matrix<double, most_steps, 1> coefficients_;
  int factorizations_ = 0;
  Shift shift_;
};

}  // namespace slipstick::internal
