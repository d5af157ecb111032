// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "slipstick/methods.hpp"
#include "slipstick/solvers/sweeps/sweep_solver.hpp"

namespace slipstick::internal {

/// rho(D^-1 A), a little above rather than below, by power iterations on D^-1/2 A D^-1/2 with A symmetric.
/// Kept for the next call with the same matrix.
class JacobiRadius {
 public:
  /// inverse_diagonal: zero for the rows to leave out. `products` grows by the products taken.
  double operator()(const Operator& A, const Vector& inverse_diagonal, int threads, std::int64_t& products);
  /// The relaxation asked for, or 1.9 / rho where that is 0.
  double relaxation(double asked, const Operator& A, const Vector& inverse_diagonal, int threads,
                    std::int64_t& products);

 private:
  // What radius_ belongs to.
  Operator known_;
  Vector known_diagonal_;
  double radius_ = 0.0;
  Vector direction_;
  Vector scaled_;
  Vector product_;
};

/// Projected Jacobi (UIC survey, Alg. 6; Heyn 2012, eq. 12 with its sign mended), relaxed:
///     x <- clamp(x - omega D^-1 (A x + b), lower, upper).
///
/// Deviations as for Pgs. Converges for symmetric positive semidefinite A with a solution and
/// omega < 2 / rho(D^-1 A). One iteration is one product with A, on settings.threads threads, and the bits
/// do not depend on their number where those of the product do not.
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
