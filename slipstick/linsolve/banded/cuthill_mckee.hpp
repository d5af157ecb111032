// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick::internal {

/// The reverse Cuthill-McKee order of the graph of A + A' (Cuthill and McKee 1969; George 1971). It moves the
/// entries near the diagonal (Melanz 2015: P (Q A + A' Q') P'). Row i of the reordered matrix is row order[i]
/// of A.
///
/// Each connected component is numbered breadth first, neighbours by ascending degree, from a
/// pseudo-peripheral vertex. The whole order is then reversed. The search for that vertex (George and Liu
/// 1979) starts at a vertex of least degree. It moves to a vertex of least degree in the last level while the
/// number of levels grows. Components follow each other in the order of their first rows. Ties are broken by
/// the row number.
std::vector<int> reverse_cuthill_mckee(const CsrMatrix& a);

/// Computes several such orders and returns the one with the least work to eliminate, measured by the sum of
/// the squared band widths. The candidates are the order above and the orders that start from the first 1, 2,
/// 4, ... rows as they are given. In a box of grains, a single start vertex gives curved fronts around a
/// corner. The grains of one side give flat fronts, which need two thirds of the work. Rows are often
/// numbered by place.
std::vector<int> narrow_order(const CsrMatrix& a);

/// max |i - j| over the entries of the matrix with rows and columns in the given order.
Index half_bandwidth(const CsrMatrix& a, const std::vector<int>& order);

}  // namespace slipstick::internal
