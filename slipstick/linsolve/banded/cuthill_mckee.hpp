// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick::internal {

/// The reverse Cuthill-McKee order of the graph of A + A' (Cuthill and McKee 1969; George 1971), which
/// gathers the entries near the diagonal (Melanz 2015: P (Q A + A' Q') P'): row i of the reordered matrix is
/// row order[i] of A.
///
/// Each connected component is numbered breadth first, neighbours by ascending degree, from a
/// pseudo-peripheral vertex (George and Liu 1979: from a vertex of least degree to one of least degree in
/// the last level, as long as that makes more levels), and the whole is reversed. Components follow each
/// other in the order of their first rows. Ties are broken by the row number.
std::vector<int> reverse_cuthill_mckee(const CsrMatrix& a);

/// The one that takes the least work to eliminate, the sum of the squared widths of the band, of several such
/// orders: the one above, and those that start from the first 1, 2, 4, ... rows as they are given. A box of
/// grains is swept in fronts around a corner from a single vertex, and in flat ones, two thirds of the work,
/// from the grains of a side; rows are often numbered by place.
std::vector<int> narrow_order(const CsrMatrix& a);

/// max |i - j| over the entries of the matrix with rows and columns in the given order.
Index half_bandwidth(const CsrMatrix& a, const std::vector<int>& order);

}  // namespace slipstick::internal
