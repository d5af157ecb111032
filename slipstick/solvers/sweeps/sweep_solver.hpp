// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "slipstick/solve/solver.hpp"

namespace slipstick::internal {

/// What projected Gauss-Seidel, projected Jacobi and their subspace variants share: the rows as a sweep sees
/// them, and a stop rule that costs next to nothing.
///
/// All of them repeat, row by row or all rows at once,
///     x_i <- clamp(x_i - relaxation (A x + b)_i / a_ii, lower_i, upper_i)
/// over the bounds of K (UIC survey, Alg. 4-6, with the division by the diagonal that is missing in print).
/// A one-sided row is a row of an LCP, a free row one of the equations of a mixed LCP; equal bounds fix it.
///
/// Rows that cannot be divided by their diagonal: an empty row goes once and for all to the bound that b_i
/// asks for (the point nearest 0 for b_i = 0), and where that bound is infinite there is no solution. A
/// bounded row with a diagonal <= 0 that is not empty stays where it started; a free one is refused.
///
/// The stop rule: the root of the sum of (d_i step_i)^2 over ||b|| estimates the scaled natural map. Only
/// where that promises the tolerance, and every 50 sweeps, is w = A x + b computed and the ruler asked. Those
/// checks also keep the best iterate and notice divergence, stagnation and, for symmetric A, a steady drift
/// along a direction of K in which the objective falls without end.
class SweepSolver : public Solver {
 public:
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  static constexpr int default_max_sweeps = 1'000'000;

  enum class Needs { symmetry, nothing };
  enum class Sets { bounds, any };
  SweepSolver(std::string_view method, Needs needs, Sets sets = Sets::bounds)
      : method_(method), needs_(needs), sets_(sets) {}

  /// The rows of the problem of a run, as the kernels of sweep.hpp read them.
  struct Rows {
    Vector step;    ///< relaxation / a_ii; 0 for rows that are not swept
    Vector weight;  ///< of a change in the estimate: d_i / (relaxation ||b||)
    const double* b = nullptr;
    const double* lower = nullptr;
    const double* upper = nullptr;
  };

  /// x <- the starting point, and the rows with relaxation 1.
  void begin(const Run& run, Monitor& monitor);
  /// Once after begin().
  void relax(double relaxation);
  /// The true error of x and whether to end.
  bool finished(const Run& run, Monitor& monitor);
  /// After a sweep over all rows that estimated the error: whether to ask finished() now.
  bool due(double estimate, const Run& run, Monitor& monitor);
  /// True error / estimate at the last check.
  double calibration() const { return calibration_; }
  /// result.x <- the best iterate.
  void conclude(const Run& run, const Monitor& monitor);

  Rows rows_;
  Vector velocities_;  // of the bodies of a matrix-free operator
  Vector w_;           // A x + b at the last check

 private:
  bool falls_without_end(const Run& run);

  std::string_view method_;
  Needs needs_;
  Sets sets_;
  BestIterate best_;
  double estimate_ = 0.0;     // of the last sweep
  double calibration_ = 1.0;  // true error / estimate at the last check
  double start_error_ = 0.0;
  int checks_ = 0;
  int checks_since_best_ = 0;
  int sweeps_until_check_ = 0;
  Vector previous_x_;  // at the check before
  Vector previous_w_;
};

}  // namespace slipstick::internal
