// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/problems/problem.hpp"

namespace slipstick {

/// A island of a problem that has nothing to do with the rest: a connected component of its matrix, or
/// several small ones.
struct Island {
  std::vector<int> rows;  ///< of the problem, ascending
  AnyProblem problem;     ///< a mixed problem where the set is a box

  /// b <- the island's rows of the whole b.
  void set_load(const Vector& whole);
};

/// The islands of a problem without linear rows that is large enough for it to pay; none where there is but
/// one, or where the matrix is not stored by rows.
std::vector<Island> find_islands(const Problem& problem);

}  // namespace slipstick
