// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/sparse/ordering.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "slipstick/base/error.hpp"
#include "slipstick/base/interruption.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linsolve/banded/cuthill_mckee.hpp"
#include "slipstick/linsolve/sparse/metis_ordering.hpp"
#include "tests/linsolve/krylov_testing.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::ordering_test {

// The five-point stencil on m x m cells, numbered at random.
CsrMatrix shuffled_grid(int m) {
  const std::vector<int> number = random_order(m * m, 3);
  std::vector<Triplet> t;
  const CsrMatrix grid = testing::convection_diffusion(m, 0.0);
  for (int i = 0; i < m * m; ++i) {
    for (CsrMatrix::InnerIterator it(grid, i); it; ++it)
      t.push_back({number[i], number[it.col()], it.value()});
  }
  return csr_from_triplets(m * m, m * m, t);
}

// Entries of Cholesky's factor below the diagonal, by elimination of the graph.
Index fill(const CsrMatrix& a, const std::vector<int>& order) {
  const Index n = a.rows();
  std::vector<int> place(order.size());
  for (Index k = 0; k < n; ++k) place[order[k]] = static_cast<int>(k);
  std::vector<std::vector<char>> entry(order.size(), std::vector<char>(order.size(), 0));
  for (Index i = 0; i < n; ++i) {
    for (CsrMatrix::InnerIterator it(a, i); it; ++it) entry[place[i]][place[it.col()]] = 1;
  }
  Index count = 0;
  for (Index k = 0; k < n; ++k) {
    for (Index i = k + 1; i < n; ++i) {
      if (entry[i][k] == 0) continue;
      ++count;
      for (Index j = k + 1; j < n; ++j) entry[i][j] |= entry[k][j];
    }
  }
  return count;
}

TEST(Ordering, EachIsAPermutation) {
  const CsrMatrix a = shuffled_grid(9);
  for (const Ordering ordering : available_orderings()) {
    std::vector<int> order = order_rows(a, ordering);
    EXPECT_EQ(order, order_rows(a, ordering)) << name(ordering);  // the same one every time
    std::sort(order.begin(), order.end());
    for (int i = 0; i < 81; ++i) ASSERT_EQ(order[i], i) << name(ordering);
  }
}

TEST(Ordering, NaturalIsTheIdentityAndCmTheReverseOfRcm) {
  const CsrMatrix a = shuffled_grid(5);
  EXPECT_EQ(order_rows(a, Ordering::natural)[7], 7);
  std::vector<int> order = order_rows(a, Ordering::cm);
  std::reverse(order.begin(), order.end());
  EXPECT_EQ(order, order_rows(a, Ordering::rcm));
  EXPECT_LE(half_bandwidth(a, order), 5);
}

TEST(Ordering, EachFillsLessThanTheShuffledOrder) {
  const CsrMatrix a = shuffled_grid(14);
  const Index natural = fill(a, order_rows(a, Ordering::natural));
  const Index rcm = fill(a, order_rows(a, Ordering::rcm));
  EXPECT_LT(fill(a, order_rows(a, Ordering::cm)), natural / 2);
  EXPECT_LT(rcm, natural / 2);
  EXPECT_LT(fill(a, order_rows(a, Ordering::amd)), 0.7 * static_cast<double>(rcm));
  if (is_available(Ordering::metis)) {
    EXPECT_LT(fill(a, order_rows(a, Ordering::metis)), 0.8 * static_cast<double>(rcm));
  }
}

// True without METIS, and then nested dissection must be refused.
bool is_refused_without_metis(const NeighbourGraph& graph) {
  if (has_metis()) return false;
  EXPECT_THROW(nested_dissection(graph), Error);
  return true;
}

TEST(Ordering, NestedDissectionInPieces) {
  const CsrMatrix a = shuffled_grid(14);
  const NeighbourGraph graph = neighbour_graph(a);
  if (is_refused_without_metis(graph)) return;
  std::vector<int> order = nested_dissection(graph, 100);
  EXPECT_EQ(order, nested_dissection(graph, 100));
  EXPECT_NE(order, nested_dissection(graph));  // it was cut
  EXPECT_LT(fill(a, order), 0.8 * static_cast<double>(fill(a, order_rows(a, Ordering::rcm))));
  std::sort(order.begin(), order.end());
  for (int i = 0; i < 196; ++i) ASSERT_EQ(order[i], i);
  // Neither a full graph nor one without neighbours has a separator.
  for (const CsrMatrix& b :
       {csr_from_dense(DenseMatrix::Ones(30, 30)), csr_from_dense(DenseMatrix::Identity(30, 30))}) {
    order = nested_dissection(neighbour_graph(b), 3);
    std::sort(order.begin(), order.end());
    for (int i = 0; i < 30; ++i) ASSERT_EQ(order[i], i);
  }
}

TEST(Ordering, NestedDissectionIsInterrupted) {
  const NeighbourGraph graph = neighbour_graph(shuffled_grid(14));
  if (is_refused_without_metis(graph)) return;
  const Interruption interruption(0.0, nullptr, 1.0);
  EXPECT_THROW(nested_dissection(graph, 100), Interrupted);
}

TEST(Ordering, MinimumDegreeKeepsTheOrderOfAFullBand) {
  const auto band = [](int half, int gap) {
    std::vector<Triplet> t;
    for (int i = 0; i < 400; ++i) {
      for (int j = std::max(0, i - half); j <= i; j += j + 1 < i ? gap : 1) t.push_back({i, j, 1.0});
    }
    return csr_from_triplets(400, 400, t);
  };
  const std::vector<int> natural = order_rows(band(100, 1), Ordering::natural);
  EXPECT_EQ(order_rows(band(100, 1), Ordering::amd), natural);
  EXPECT_NE(order_rows(band(100, 2), Ordering::amd), natural);  // half of the band is zero
  EXPECT_NE(order_rows(band(20, 1), Ordering::amd), natural);   // rows are short
}

TEST(Ordering, LooksAtThePatternOfBothHalves) {
  // An arrow whose head is stored in the lower half alone: minimum degree eliminates the head last.
  std::vector<Triplet> t;
  for (int i = 0; i < 9; ++i) t.push_back({i, i, 1.0});
  for (int i = 1; i < 9; ++i) t.push_back({i, 0, 0.0});
  const CsrMatrix a = csr_from_triplets(9, 9, t);
  const std::vector<int> order = order_rows(a, Ordering::amd);
  EXPECT_GE(std::find(order.begin(), order.end(), 0) - order.begin(), 7);
}

TEST(Ordering, EmptyRowsAndSizes) {
  for (const Ordering ordering : available_orderings()) {
    EXPECT_TRUE(order_rows(CsrMatrix(0, 0), ordering).empty());
    EXPECT_EQ(order_rows(CsrMatrix(1, 1), ordering), std::vector<int>{0});
    EXPECT_EQ(order_rows(CsrMatrix(5, 5), ordering).size(), 5U);
    EXPECT_THROW(order_rows(CsrMatrix(2, 3), ordering), Error);
  }
}

TEST(Ordering, SaysWhatThisBuildHas) {
  EXPECT_EQ(is_available(Ordering::metis), has_metis());
  EXPECT_EQ(available_orderings().size(), has_metis() ? 5U : 4U);
  const CsrMatrix diagonal = csr_from_dense(DenseMatrix::Identity(4, 4));
  if (has_metis()) {
    EXPECT_EQ(order_rows(diagonal, Ordering::metis).size(), 4U);
  } else {
    EXPECT_THROW(order_rows(diagonal, Ordering::metis), Error);
  }
}

}  // namespace slipstick::internal::ordering_test
