// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/measures/measures.hpp"
#include "slipstick/problem.hpp"
#include "slipstick/solvers/common/place.hpp"
#include "slipstick/solvers/common/row_system.hpp"

namespace slipstick::internal {

/// The accurate last solve of a method that has found the active set. Rows at a bound are put there exactly.
/// The other rows solve A x + b = 0 by LU with refinement. A singular system is solved by damped corrections,
/// which keep x as near to its first value as the equations allow.
class ActiveSetPolish {
 public:
  /// x <- the solution of the active set, projected on K. Returns its scaled natural map. If that is not
  /// below `error`, the scaled natural map of the given x, then x stays unchanged and `error` is returned.

  double operator()(const Problem& problem, const Ruler& ruler, RowSystem& system,
                    const std::vector<Place>& places, double error, VectorView x);

 private:
  Vector s_, t_, w_, residual_, step_, trial_, projected_;
};

}  // namespace slipstick::internal
