// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick {

/// Orders in which the rows of a symmetric matrix can be eliminated.
enum class Ordering {
  natural,  ///< as they are
  cm,       ///< Cuthill and McKee's: near the diagonal (Ho 2022, 2.5.4); see cuthill_mckee.hpp
  rcm,      ///< the reverse of it: the same band, less fill inside
  amd,      ///< approximate minimum degree (Amestoy, Davis and Duff 1996): little fill
  metis,    ///< nested dissection (Karypis and Kumar 1998): least fill on large grids; where METIS is linked
};

std::string_view name(Ordering ordering);
/// Those that this build has.
std::span<const Ordering> available_orderings();
bool is_available(Ordering ordering);
/// Fails where it is not.
void check_available(Ordering ordering);

/// Row i of the reordered matrix is row order[i] of A; by the pattern of A + A' alone. Fails where A is not
/// square, or where the ordering is not available.
std::vector<int> order_rows(const CsrMatrix& a, Ordering ordering);

}  // namespace slipstick
