// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/linalg/neighbour_graph.hpp"

namespace slipstick::internal {

/// True if METIS is linked.
bool has_metis();

/// METIS's nested dissection of a graph of at least two rows. The order is the same on every call. METIS
/// cannot be interrupted. A graph with more than `largest_piece` rows and neighbours is therefore cut by
/// METIS's separators first, with a look at the clock after each (see Interruption). Call it only if
/// has_metis().
inline constexpr Index largest_dissected_piece = 500'000;
std::vector<int> nested_dissection(const NeighbourGraph& graph,
                                   Index largest_piece = largest_dissected_piece);

}  // namespace slipstick::internal
