// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>

#include "slipstick/solve/options.hpp"
#include "slipstick/solvers/sweeps/sweep_solver.hpp"

namespace slipstick {

struct PgsSettings {
  double relaxation = 1.0;  ///< omega in (0, 2): above 1 over-relaxed; UIC survey: 1
  bool symmetric = false;   ///< every second sweep runs backward

  static constexpr auto fields = std::tuple{
      Field{"relaxation", &PgsSettings::relaxation, 0.0, 2.0, "omega, between 0 and 2 (exclusive)"},
      Field{"symmetric", &PgsSettings::symmetric, 0.0, 1.0, "every second sweep runs backward"},
  };
};

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

}  // namespace slipstick
