// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick::internal {

/// True if METIS is linked.
bool has_metis();

/// METIS's nested dissection of the graph of A + A', for at least two rows. The order is the same on every
/// call. Call it only if has_metis().
std::vector<int> nested_dissection(const CsrMatrix& a);

}  // namespace slipstick::internal
