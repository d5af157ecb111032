// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/measures/measures.hpp"
#include "slipstick/problem.hpp"
#include "slipstick/solvers/common/place.hpp"
#include "slipstick/solvers/common/row_system.hpp"

namespace slipstick::internal {

/// The accurate end of a method that has found the active set: rows at a bound are put there exactly, and the
/// others solve A x + b = 0 by LU with refinement. A singular system is solved by damped corrections, which
/// keep x as near to where it was as the equations allow.
class ActiveSetPolish {
 public:
  /// x <- the solution of the active set, projected on K; returns its scaled natural map. x is left alone
  /// where that is not below `error`, the scaled natural map of x, which is returned then.

  double operator()(const Problem& problem, const Ruler& ruler, RowSystem& system,
                    const std::vector<Place>& places, double error, VectorView x);

 private:
  Vector s_, t_, w_, residual_, step_, trial_, projected_;
};

}  // namespace slipstick::internal
