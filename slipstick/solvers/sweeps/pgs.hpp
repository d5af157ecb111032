// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/methods.hpp"
#include "slipstick/solvers/sweeps/sweep_solver.hpp"

namespace slipstick::internal {

/// Projected Gauss-Seidel (UIC survey, Alg. 4 and 5), for LCP, mixed and boxed problems:
///     x_i <- clamp(x_i - omega (A_i. x + b_i) / a_ii, lower_i, upper_i),  i = 1..n, with the newest x.
///
/// Deviations from the paper: The step is divided by the diagonal. The start is the warm start or the point
/// of K nearest to 0 (misprints of the survey). Alg. 5 has two loops over u and v. Here one loop takes the
/// rows in the given order, which is the same if the free rows come first. It converges for symmetric
/// positive semidefinite A with a solution and for diagonally dominant A. Divergence is detected, and the
/// best iterate is returned.
///
/// One iteration is one sweep. It costs as much as a product with A and counts as one.
class Pgs : public SweepSolver {
 public:
  explicit Pgs(const PgsSettings& settings = {});

 private:
  void run(const Run& run) override;

  PgsSettings settings_;
};

}  // namespace slipstick::internal
