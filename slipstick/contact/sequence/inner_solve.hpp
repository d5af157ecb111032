// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>

#include "slipstick/solve/solver.hpp"

// The convex problems that a method for contacts solves as steps.
namespace slipstick::internal {

/// Watches a sequence that need not converge. If the best error has not fallen by a tenth in some iterations,
/// the relaxation of the friction bounds is halved. If that does not help either, the sequence has stalled.
class Progress {
 public:
  /// Counts one iteration. Returns true if the sequence has stalled.
  bool stalled(double best_error) {
    if (best_error < 0.9 * mark_) {
      mark_ = best_error;
      waited_ = 0;
      return false;
    }
    ++waited_;
    if (waited_ % iterations_per_step == 0) relaxation_ = std::max(smallest_relaxation, 0.5 * relaxation_);
    return waited_ >= stall_limit;
  }
  /// Share of the way from the last bounds to those of the normal impulses.
  double relaxation() const { return relaxation_; }

 private:
  static constexpr int iterations_per_step = 100;
  static constexpr int stall_limit = 800;
  static constexpr double smallest_relaxation = 1.0 / 16.0;
  int waited_ = 0;
  double relaxation_ = 1.0;
  double mark_ = std::numeric_limits<double>::infinity();
};

/// Solves `problem` from start.x to an error of `target`, in the units of its b, and leaves the answer in
/// inner.x. Adds to the counts of `result` and keeps the method's message there. Stops the monitor and
/// returns false if the method cannot take the problem or ran out of time. An answer that misses the target
/// is still used.
bool solve_inner(Solver& solver, const Problem& problem, double target, const Settings& settings,
                 const WarmStart& start, Result& inner, Result& result, Monitor& monitor);

}  // namespace slipstick::internal
