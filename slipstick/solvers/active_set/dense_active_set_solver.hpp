// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "slipstick/solvers/active_set/dense_active_set.hpp"

namespace slipstick::internal {

/// What primal-asm and dual-asm share as solvers.
class DenseActiveSetSolver : public Solver {
 protected:
  /// Why a problem is not taken: other sets than bounds, an asymmetric or a large matrix.
  static std::string explain(const Problem& problem, std::string_view method, Index max_unknowns);
  /// Violations below are rounding, in the ruler's units.
  double band(const Run& run) const;
  /// x and y of the held constraints into the result; their scaled natural map.
  double judge(const Run& run);
  /// The same after refinement, as long as that helps.
  double refine(const Run& run);

  DenseActiveSet active_;
  Vector gradient_;  // A x + b

 private:
  Vector best_x_, best_y_, w_;
};

}  // namespace slipstick::internal
