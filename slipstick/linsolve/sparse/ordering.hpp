// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/methods.hpp"

namespace slipstick::internal {

std::string_view name(Ordering ordering);
/// The orderings of this build.
std::span<const Ordering> available_orderings();
bool is_available(Ordering ordering);
/// Nested dissection if the build has it, otherwise minimum degree. On large packings the first takes two
/// thirds of the operations. It takes longer to compute, so it pays for many factorizations.
Ordering least_fill_ordering();
/// Throws Error if the ordering is not available.
void check_available(Ordering ordering);

/// Row i of the reordered matrix is row order[i] of A. The order depends only on the pattern of A + A'.
/// Throws Error if A is not square, or if the ordering is not available.
std::vector<int> order_rows(const CsrMatrix& a, Ordering ordering);

}  // namespace slipstick::internal
