// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "slipstick/solvers/active_set/dense_active_set.hpp"

namespace slipstick::internal {

/// The common base of primal-asm and dual-asm.
class DenseActiveSetSolver : public Solver {
 protected:
  /// The reason why a problem is not accepted: sets other than bounds, an asymmetric matrix, or a matrix that
  /// is too large.
  static std::string explain(const Problem& problem, std::string_view method, Index max_unknowns);
  /// Violations below this are rounding, in the ruler's units.
  double band(const Run& run) const;
  /// Writes x and y of the held constraints into the result and returns their scaled natural map.
  double judge(const Run& run);
  /// The same after refinement. It refines while the error falls.
  double refine(const Run& run);

  DenseActiveSet active_;
  Vector gradient_;  // A x + b

 private:
  Vector best_x_, best_y_, w_;
};

}  // namespace slipstick::internal
