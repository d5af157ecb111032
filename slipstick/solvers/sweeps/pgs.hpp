// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/methods.hpp"
#include "slipstick/solvers/sweeps/sweep_solver.hpp"

namespace slipstick::internal {

/// Projected Gauss-Seidel (UIC survey, Alg. 4 and 5), for LCP, mixed and boxed problems:
///     x_i <- clamp(x_i - omega (A_i. x + b_i) / a_ii, lower_i, upper_i),  i = 1..n, with the newest x.
///
/// Deviations: divided by the diagonal and started at the warm start or at the point of K nearest 0
/// (misprints of the survey); Alg. 5's two loops over u and v are one loop over the rows in the order they
/// are given, which is the same where the free rows come first. Converges for symmetric positive semidefinite
/// A with a solution and for diagonally dominant A; divergence is noticed and the best iterate returned.
///
/// One iteration is one sweep and costs as much as a product with A; it counts as one.
class Pgs : public SweepSolver {
 public:
  explicit Pgs(const PgsSettings& settings = {});

 private:
  void run(const Run& run) override;

  PgsSettings settings_;
};

}  // namespace slipstick::internal
