// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/catalog/driver.hpp"
#include "slipstick/measures/packed_ruler.hpp"
#include "slipstick/solvers/pivoting/sweep_pivoting.hpp"
#include "slipstick/solvers/pivoting/tiny_pivoting.hpp"

namespace slipstick {

/// Up to some dozens of rows of a complementarity problem: no method has to be chosen, and what it takes to
/// ask one is as long as the solve. Pivots and proves at once, without a clock or an observer.
class FewRows {
 public:
  /// Where it is such a problem, and a valid one.
  void prepare(const LcpProblem& problem);
  void prepare(const MixedLcp& problem);

  /// The q of a problem with just the matrix and the bounds that it is prepared for, so that nothing else can
  /// be wrong with it; null for others.
  const Vector* load(const AnyProblem& problem) const;
  bool holds(const LcpProblem& problem) const { return ready_ && problem_.holds(problem.M); }
  bool holds(const MixedLcp& problem) const;
  /// False, with anything in x, w and the measures of the result, where no answer is within the tolerance of
  /// the scaled natural map. Where `all_measures` is not set, the others stay undefined.
  bool solve(const Vector& q, double tolerance, bool all_measures, DriverResult& result);

 private:
  using Padded = SweepPivoting::Padded;
  void prepare(const Operator& M, const double* lower, const double* upper);
  const double* pivot(const double* b, double norm, double tolerance, DriverResult& result);

  bool ready_ = false;
  PackedProblem problem_;
  TinyPivoting tiny_;
  SweepPivoting sweeps_;
  PackedRuler ruler_;
};

}  // namespace slipstick
