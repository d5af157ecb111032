// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "slipstick/solve/solver.hpp"
#include "slipstick/solvers/interior_point/cone_unknowns.hpp"

namespace slipstick::internal {

/// The common base of the interior point methods on cones, bounds and free rows. It judges the iterates,
/// chooses the size of the starting point, and proves that there is no solution. y may grow without limit
/// along a direction d of K with b'd < 0 and a very small A d. Then no solution of reasonable size exists.
class InteriorPoint : public Solver {
 protected:
  /// Starts near the warm start, if there is one. If that stalls, it starts again without the warm start.
  void run(const Run& run) override;
  virtual int default_max_iterations() const = 0;
  /// Prepares for the problem and sets y to the begin of the path: near the point of judge_start(), or
  /// inside.
  virtual void start(const Run& run, bool near) = 0;
  /// Iterates until the monitor ends the solve. best_ holds the best iterate by the measure.
  virtual void follow_path(const Run& run, Monitor& monitor) = 0;

  /// The measure of x, with w = A x + b.
  double judge(const Run& run, const Vector& x);
  /// Copies the warm start, or the point nearest to the origin, to x and judges it. Returns true if it is
  /// already a solution.
  bool judge_start(const Run& run, Monitor& monitor);
  /// Computes y of that point, its gradient and its margin: the size of the gradient per barrier function.
  void find_margin(const Run& run, const ConeUnknowns& unknowns, Index degree, Vector& y);
  /// True if y proves that there is no solution.
  bool is_unbounded(const Run& run, const ConeUnknowns& unknowns, const Vector& y);

  Vector x_, w_, product_;
  Vector gradient_;        // gradient at y = 0: the scaled b
  Vector start_gradient_;  // gradient at the starting point
  double margin_ = 1.0;    // margin of the starting point
  BestIterate best_;
};

}  // namespace slipstick::internal
