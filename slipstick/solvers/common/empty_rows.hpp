// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "slipstick/problems/sets.hpp"

namespace slipstick::internal {

/// True if all entries of row i are zero.
bool is_empty_row(const Operator& A, Index i);

/// In an empty row only b_i matters: x_i <- the bound that the sign of b_i demands, or the point nearest to 0
/// if b_i = 0. If that bound is infinite, x_i is also the point nearest to 0, and there is no solution.
/// Returns the first such row with |b_i| > negligible, or -1 if there is none. Rows of cones, disks and
/// diamonds are not considered.
Index place_empty_rows(const Problem& problem, const Vector& diagonal, double negligible, Vector& x);

/// A sentence about such a row for a message.
std::string explain_empty_row(const Problem& problem, Index row);

}  // namespace slipstick::internal
