// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/neighbour_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "slipstick/base/interruption.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/matrix.hpp"

namespace slipstick::internal::neighbour_graph_test {

TEST(NeighbourGraph, HasBothHalvesWithoutTheDiagonal) {
  const CsrMatrix a = csr_from_triplets(
      5, 5,
      std::vector<Triplet>{{0, 0, 1.0}, {0, 3, 1.0}, {1, 0, 1.0}, {0, 1, 1.0}, {3, 2, 0.0}, {2, 2, 1.0}});
  const NeighbourGraph graph = neighbour_graph(a);
  ASSERT_EQ(graph.rows(), 5);
  const std::vector<std::vector<int>> expected = {{1, 3}, {0}, {3}, {0, 2}, {}};
  for (int i = 0; i < 5; ++i)
    EXPECT_TRUE(std::ranges::equal(graph.of(i), expected[static_cast<std::size_t>(i)])) << i;
}

TEST(NeighbourGraph, IsSymmetricAndAscends) {
  Random random(7);
  std::vector<Triplet> t;
  for (int k = 0; k < 300; ++k)
    t.push_back({static_cast<int>(60 * random.uniform()), static_cast<int>(60 * random.uniform()), 1.0});
  const CsrMatrix a = csr_from_triplets(60, 60, t);
  const NeighbourGraph graph = neighbour_graph(a);
  for (int i = 0; i < 60; ++i) {
    const auto list = graph.of(i);
    EXPECT_TRUE(std::ranges::is_sorted(list, std::ranges::less_equal())) << i;
    for (int j = 0; j < 60; ++j) {
      const bool wanted = i != j && (entry(a, i, j) != 0.0 || entry(a, j, i) != 0.0);
      EXPECT_EQ(std::ranges::binary_search(list, j), wanted) << i << ' ' << j;
    }
  }
}

TEST(NeighbourGraph, NothingIsANeighbourInAnEmptyMatrix) {
  EXPECT_EQ(neighbour_graph(CsrMatrix(0, 0)).rows(), 0);
  EXPECT_TRUE(neighbour_graph(CsrMatrix(3, 3)).neighbours.empty());
}

TEST(NeighbourGraph, IsInterrupted) {
  const CsrMatrix a = csr_from_dense(DenseMatrix::Ones(9, 9));
  const Interruption interruption(0.0, nullptr, 1.0);
  EXPECT_THROW(neighbour_graph(a), Interrupted);
}

}  // namespace slipstick::internal::neighbour_graph_test
