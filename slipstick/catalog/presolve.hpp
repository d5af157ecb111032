// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/problem.hpp"
#include "slipstick/result.hpp"

namespace slipstick::internal {

/// Finds problems that have no solution because of an empty row: it has w_i = b_i for every x. If b_i points
/// out through a bound that is not there, nothing solves it.
class Presolve {
 public:
  /// Finds the empty rows of a matrix.
  void prepare(const Problem& problem);
  /// The diagonal of that matrix, if K is a box and there are no linear rows.
  const Vector& diagonal() const { return diagonal_; }
  /// For a problem with that matrix: true if there is no solution, with a status, a message, P_K(0) and
  /// its measures in the result.
  bool proves_infeasible(const Problem& problem, Result& result) const;

 private:
  std::vector<Index> empty_rows_;
  Vector diagonal_;
};

}  // namespace slipstick::internal
