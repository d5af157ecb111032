// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// Free, nonnegative and interval rows.
inline bool has_independent_rows(const SetBlock& block) {
  return block.kind == SetKind::free || block.kind == SetKind::nonnegative || block.kind == SetKind::interval;
}

/// Whether row i of the matrix holds nothing but zeros.
bool is_empty_row(const Operator& A, Index i);

/// Empty rows decide by b alone: x_i <- the bound that the sign of b_i asks for, the point nearest 0 where
/// b_i = 0. Where that bound is infinite x_i is the point nearest 0 as well, and there is no solution: the
/// first such row with |b_i| > negligible is returned, -1 where there is none. Rows of cones, disks and
/// diamonds are not looked at.
Index place_empty_rows(const Problem& problem, const Vector& diagonal, double negligible, Vector& x);

/// The sentence about such a row.
std::string explain_empty_row(const Problem& problem, Index row);

}  // namespace slipstick::internal
