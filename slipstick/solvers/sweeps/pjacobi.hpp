// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "slipstick/methods.hpp"
#include "slipstick/solvers/sweeps/sweep_solver.hpp"

namespace slipstick::internal {

/// rho(D^-1 A), slightly overestimated, by power iterations on D^-1/2 A D^-1/2 with A symmetric. The result
/// is kept for the next call with the same matrix.
class JacobiRadius {
 public:
  /// inverse_diagonal is zero for the rows to leave out. The number of products is added to `products`.
  double operator()(const Operator& A, const Vector& inverse_diagonal, int threads, std::int64_t& products);
  /// Returns `asked`, or 1.9 / rho if it is 0.
  double relaxation(double asked, const Operator& A, const Vector& inverse_diagonal, int threads,
                    std::int64_t& products);

 private:
  // The matrix and the diagonal of radius_.
  Operator known_;
  Vector known_diagonal_;
  double radius_ = 0.0;
  Vector direction_;
  Vector scaled_;
  Vector product_;
};

/// Projected Jacobi (UIC survey, Alg. 6; Heyn 2012, eq. 12 with the correct sign), relaxed:
///     x <- clamp(x - omega D^-1 (A x + b), lower, upper).
///
/// Deviations as for Pgs. It converges for symmetric positive semidefinite A with a solution and omega < 2 /
/// rho(D^-1 A). One iteration is one product with A, on settings.threads threads. If the bits of the product
/// do not depend on the number of threads, the result does not either.
class Pjacobi : public SweepSolver {
 public:
  explicit Pjacobi(const PjacobiSettings& settings = {});

 private:
  void run(const Run& run) override;

  PjacobiSettings settings_;
  JacobiRadius radius_;
  Vector partial_sums_;
};

}  // namespace slipstick::internal
