// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/catalog/driver.hpp"
#include "slipstick/measures/packed_ruler.hpp"
#include "slipstick/solvers/tiny_pivoting.hpp"

namespace slipstick {

/// A handful of rows of a complementarity problem: no method has to be chosen, and what it takes to ask one
/// is longer than the solve. Pivots and proves at once, without a clock or an observer.
class FewRows {
 public:
  /// For the matrix and the bounds of the problem, where they are few enough.
  void prepare(const Problem& problem);
  bool ready() const { return ready_; }

  /// The q of a problem with just that matrix and those bounds, so that nothing else can be wrong with it;
  /// null for others.
  const Vector* load(const AnyProblem& problem) const;
  /// False, with anything in x, w and the measures of the result, where no answer is within the tolerance of
  /// the scaled natural map.
  bool solve(const Vector& q, double tolerance, DriverResult& result);

 private:
  bool ready_ = false;
  TinyPivoting pivoting_;
  PackedRuler ruler_;
};

}  // namespace slipstick
