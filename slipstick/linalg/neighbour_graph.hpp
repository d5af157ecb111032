// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick::internal {

/// The neighbours of every row of a square matrix in A + A'. A row is no neighbour of itself. Each list
/// ascends.
struct NeighbourGraph {
  std::vector<Index> start;
  std::vector<int> neighbours;

  Index rows() const { return static_cast<Index>(start.size()) - 1; }
  int degree(int row) const { return static_cast<int>(start[row + 1] - start[row]); }
  std::span<const int> of(int row) const {
    return {neighbours.data() + start[row], static_cast<std::size_t>(degree(row))};
  }
};

/// Looks at the clock (see Interruption).
NeighbourGraph neighbour_graph(const CsrMatrix& a);

}  // namespace slipstick::internal
