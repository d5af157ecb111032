// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "slipstick/solve/solver.hpp"

namespace slipstick::internal {

/// The common base of projected Gauss-Seidel, projected Jacobi and their subspace variants. It has the rows
/// as the sweeps need them, and a stop rule that costs almost nothing.
///
/// All these methods repeat this step, row by row or for all rows at once:
///     x_i <- clamp(x_i - relaxation (A x + b)_i / a_ii, lower_i, upper_i)
/// It is over the bounds of K (UIC survey, Alg. 4-6, with the division by the diagonal that is missing
/// there). A one-sided row is a row of an LCP. A free row is an equation of a mixed LCP. Equal bounds fix a
/// row.
///
/// Rows without a positive diagonal: an empty row goes once to the bound that b_i demands (the point nearest
/// to 0 if b_i = 0). If that bound is infinite, there is no solution. A bounded row that is not empty and has
/// a diagonal <= 0 keeps its starting value. A free row of this kind is refused.
///
/// Stop rule: the root of the sum of (d_i step_i)^2, divided by ||b||, estimates the scaled natural map. w =
/// A x + b and the ruler are computed only if the estimate is below the tolerance, and every 50 sweeps. These
/// checks also keep the best iterate and detect divergence and stagnation. For symmetric A they detect a
/// steady drift along a direction of K in which the objective falls without end.
class SweepSolver : public Solver {
 public:
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  static constexpr int default_max_sweeps = 1'000'000;

  SweepSolver(std::string_view method, const Needs& needs) : method_(method), needs_(needs) {}

  /// The rows of the problem, as the kernels of sweep.hpp read them.
  struct Rows {
    Vector step;    ///< relaxation / a_ii; 0 for rows that are not swept
    Vector weight;  ///< weight of a change in the estimate: d_i / (relaxation ||b||)
    const double* b = nullptr;
    const double* lower = nullptr;
    const double* upper = nullptr;
  };

  /// x <- the starting point. Sets the rows with relaxation 1.
  void begin(const Run& run, Monitor& monitor);
  /// Call it once after begin().
  void relax(double relaxation);
  /// Computes the true error of x. Returns true if the solve must end.
  bool finished(const Run& run, Monitor& monitor);
  /// Call it after a sweep over all rows with its estimate of the error. Returns true if finished() should be
  /// called now.
  bool due(double estimate, const Run& run, Monitor& monitor);
  /// True error / estimate at the last check.
  double calibration() const { return calibration_; }
  /// result.x <- the best iterate.
  void conclude(const Run& run, const Monitor& monitor);

  Rows rows_;
  Vector velocities_;  // velocities of the bodies of a matrix-free operator
  Vector w_;           // A x + b at the last check

 private:
  bool falls_without_end(const Run& run);

  std::string_view method_;
  Needs needs_;
  BestIterate best_;
  double estimate_ = 0.0;     // estimate of the last sweep
  double calibration_ = 1.0;  // true error / estimate at the last check
  double start_error_ = 0.0;
  int checks_ = 0;
  int checks_since_best_ = 0;
  int sweeps_until_check_ = 0;
  Vector previous_x_;  // x at the check before
  Vector previous_w_;
};

}  // namespace slipstick::internal
