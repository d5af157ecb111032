// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "slipstick/solve/solver.hpp"
#include "slipstick/solvers/interior_point/cone_unknowns.hpp"

namespace slipstick::internal {

/// What the interior point methods on cones, bounds and free rows share: the judgement of iterates, the size
/// of the starting point, and the proof that there is no solution. Where y grows beyond bounds along a
/// direction d of K with next to no A d and b'd < 0, there is none of any sensible size.
class InteriorPoint : public Solver {
 protected:
  /// From near the given start, if there is one; where that leads nowhere it is forgotten.
  void run(const Run& run) override;
  virtual int default_max_iterations() const = 0;
  /// Prepares for the problem and puts y where the path begins: near the point of judge_start(), or inside.
  virtual void start(const Run& run, bool near) = 0;
  /// Iterates until the monitor has a reason to end; the best iterate by the measure is in best_.
  virtual void follow_path(const Run& run, Monitor& monitor) = 0;

  /// Empty where the rows form cones, bounds and free rows, A is symmetric, and there are no linear rows.
  static std::string needs_cones_and_bounds(const Problem& problem, std::string_view method);

  /// The measure of x, with w = A x + b.
  double judge(const Run& run, const Vector& x);
  /// Takes the given point, or that next to the origin, into x and judges it: it may do as it is.
  bool judge_start(const Run& run, Monitor& monitor);
  /// y of that point, its gradient and its margin: the size of the gradient per barrier function.
  void find_margin(const Run& run, const ConeUnknowns& unknowns, Index degree, Vector& y);
  /// Whether y is a proof that there is no solution.
  bool is_unbounded(const Run& run, const ConeUnknowns& unknowns, const Vector& y);

  Vector x_, w_, product_;
  Vector gradient_;        // at y = 0: the scaled b
  Vector start_gradient_;  // at the starting point
  double margin_ = 1.0;    // of the starting point
  BestIterate best_;
};

}  // namespace slipstick::internal
