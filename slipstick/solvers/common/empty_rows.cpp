// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/common/empty_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/linalg/row_entries.hpp"

namespace slipstick::internal {

bool is_empty_row(const Operator& A, Index i) {
  return A.visit([i](const auto& a) {
    if constexpr (ThroughBodies<std::decay_t<decltype(a)>>) {
      // J M^-1 J' + C is positive semidefinite, so a row with a zero diagonal is empty.
      return a.entry(i, i) == 0.0;
    } else {
      bool empty = true;
      for_row(a, i, [&](Index, double value) { empty = empty && value == 0.0; });
      return empty;
    }
  });
}

Index place_empty_rows(const Problem& problem, const Vector& diagonal, double negligible, Vector& x) {
  Index without_solution = -1;
  const auto lower = problem.K.lower();
  const auto upper = problem.K.upper();
  for (const SetBlock& block : problem.K.blocks()) {
    if (!has_independent_rows(block)) continue;
    for (Index i = block.start; i < block.start + block.size; ++i) {
      if (diagonal[i] != 0.0 || !is_empty_row(problem.A, i)) continue;
      const double b = problem.b[i];
      const double wanted = b > 0.0 ? lower[i] : upper[i];
      x[i] = b != 0.0 && std::isfinite(wanted) ? wanted : std::min(std::max(0.0, lower[i]), upper[i]);
      if (!std::isfinite(wanted) && std::abs(b) > negligible && without_solution < 0) without_solution = i;
    }
  }
  return without_solution;
}

std::string explain_empty_row(const Problem& problem, Index row) {
  return fmt::format("no solution: row {} of the matrix is empty, and b is {} where the bound is infinite",
                     row, problem.b[row]);
}

}  // namespace slipstick::internal
