// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/banded/cuthill_mckee.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "slipstick/base/error.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::cuthill_mckee_test {

bool is_permutation(std::vector<int> order) {
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i] != static_cast<int>(i)) return false;
  }
  return true;
}

// Edges between places i and j of a hidden order; only one of (i, j), (j, i) is stored.
CsrMatrix hidden(int n, const std::vector<std::pair<int, int>>& edges, const std::vector<int>& place) {
  std::vector<Triplet> triplets;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto [i, j] = edges[e];
    triplets.push_back(e % 2 == 0 ? Triplet{place[i], place[j], 1.0} : Triplet{place[j], place[i], 1.0});
  }
  return csr_from_triplets(n, n, triplets);
}

TEST(CuthillMckee, FindsAPath) {
  const int n = 101;
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i + 1 < n; ++i) edges.emplace_back(i, i + 1);
  const std::vector<int> place = random_order(n, 1);
  const CsrMatrix a = hidden(n, edges, place);
  const std::vector<int> order = reverse_cuthill_mckee(a);
  ASSERT_TRUE(is_permutation(order));
  EXPECT_EQ(half_bandwidth(a, order), 1);
}

TEST(CuthillMckee, FindsAShuffledBand) {
  const int n = 400;
  for (const int k : {2, 5, 12}) {
    std::vector<std::pair<int, int>> edges;
    for (int i = 0; i < n; ++i) {
      for (int j = i + 1; j < std::min(n, i + k + 1); ++j) edges.emplace_back(i, j);
    }
    const CsrMatrix a = hidden(n, edges, random_order(n, 2));
    const std::vector<int> order = reverse_cuthill_mckee(a);
    ASSERT_TRUE(is_permutation(order));
    EXPECT_EQ(half_bandwidth(a, order), k);
  }
}

TEST(CuthillMckee, ShuffledGrid) {
  // A grid of w x h cells, w < h, has bandwidth w in its natural order.
  const int w = 15, h = 60;
  std::vector<std::pair<int, int>> edges;
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      if (x + 1 < w) edges.emplace_back(x + w * y, x + 1 + w * y);
      if (y + 1 < h) edges.emplace_back(x + w * y, x + w * (y + 1));
    }
  }
  const std::vector<int> place = random_order(w * h, 3);
  const CsrMatrix a = hidden(w * h, edges, place);
  const std::vector<int> order = reverse_cuthill_mckee(a);
  ASSERT_TRUE(is_permutation(order));
  EXPECT_LE(half_bandwidth(a, order), w + 1);
  std::vector<int> natural(order.size());
  std::iota(natural.begin(), natural.end(), 0);
  EXPECT_GT(half_bandwidth(a, natural), 500);
}

TEST(CuthillMckee, ComponentsStayTogether) {
  // Three paths and isolated vertices.
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i < 60; ++i) {
    if (i % 20 != 19) edges.emplace_back(i, i + 1);
  }
  const std::vector<int> place = random_order(70, 4);
  const CsrMatrix a = hidden(70, edges, place);
  const std::vector<int> order = reverse_cuthill_mckee(a);
  ASSERT_TRUE(is_permutation(order));
  EXPECT_EQ(half_bandwidth(a, order), 1);
}

TEST(CuthillMckee, ReversedAndDeterministic) {
  // A star with a tail: the numbering starts at the end of the tail and is reversed.
  std::vector<Triplet> triplets = {{0, 1, 1.0}, {1, 2, 1.0}, {2, 3, 1.0}, {2, 4, 1.0}, {2, 5, 1.0}};
  const CsrMatrix a = csr_from_triplets(6, 6, triplets);
  const std::vector<int> order = reverse_cuthill_mckee(a);
  EXPECT_EQ(order, (std::vector<int>{5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(reverse_cuthill_mckee(a), order);
}

// The squared distances from each row to the last one that it or a row before reaches.
double work(const CsrMatrix& a, const std::vector<int>& order) {
  std::vector<int> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = static_cast<int>(i);
  std::vector<int> reached(order.size(), 0);
  for (int i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(a, i); it; ++it) {
      const int low = std::min(position[i], position[it.col()]);
      reached[low] = std::max({reached[low], position[i], position[it.col()]});
    }
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0) reached[i] = std::max(reached[i], reached[i - 1]);
    const double width = std::max(0, reached[i] - static_cast<int>(i));
    sum += width * width;
  }
  return sum;
}

// Cells of a cube with their 26 neighbours, by place and shuffled.
TEST(NarrowOrder, SweepsACubeFromASide) {
  const int w = 9;
  std::vector<std::pair<int, int>> edges;
  const auto place = [&](int x, int y, int z) { return x + w * (y + w * z); };
  for (int c = 0; c < w * w * w; ++c) {
    const int x = c % w, y = c / w % w, z = c / w / w;
    for (int d = 14; d < 27; ++d) {
      const int u = x + d % 3 - 1, v = y + d / 3 % 3 - 1, t = z + d / 9 - 1;
      if (u >= 0 && u < w && v >= 0 && v < w && t >= 0 && t < w) edges.emplace_back(c, place(u, v, t));
    }
  }
  std::vector<int> natural(w * w * w);
  std::iota(natural.begin(), natural.end(), 0);
  const CsrMatrix a = hidden(w * w * w, edges, natural);
  const std::vector<int> order = narrow_order(a);
  ASSERT_TRUE(is_permutation(order));
  EXPECT_LT(work(a, order), 0.8 * work(a, reverse_cuthill_mckee(a)));

  const CsrMatrix shuffled_cube = hidden(w * w * w, edges, random_order(w * w * w, 6));
  const std::vector<int> other = narrow_order(shuffled_cube);
  ASSERT_TRUE(is_permutation(other));
  EXPECT_LE(work(shuffled_cube, other), work(shuffled_cube, reverse_cuthill_mckee(shuffled_cube)));
}

TEST(NarrowOrder, TakesComponentsAndDegenerateSizes) {
  std::vector<Triplet> triplets;
  for (int i = 0; i < 60; ++i) {
    if (i % 20 != 19) triplets.push_back({i, i + 1, 1.0});
  }
  const CsrMatrix a = csr_from_triplets(70, 70, triplets);
  const std::vector<int> order = narrow_order(a);
  ASSERT_TRUE(is_permutation(order));
  EXPECT_EQ(half_bandwidth(a, order), 1);
  EXPECT_TRUE(narrow_order(CsrMatrix(0, 0)).empty());
  EXPECT_EQ(narrow_order(CsrMatrix(1, 1)), std::vector<int>{0});
  EXPECT_TRUE(is_permutation(narrow_order(CsrMatrix(5, 5))));
  EXPECT_THROW(narrow_order(CsrMatrix(2, 3)), Error);
}

TEST(CuthillMckee, DegenerateSizes) {
  EXPECT_TRUE(reverse_cuthill_mckee(CsrMatrix(0, 0)).empty());
  EXPECT_EQ(reverse_cuthill_mckee(CsrMatrix(1, 1)), std::vector<int>{0});
  EXPECT_TRUE(is_permutation(reverse_cuthill_mckee(CsrMatrix(5, 5))));
  EXPECT_THROW(reverse_cuthill_mckee(CsrMatrix(2, 3)), Error);
}

}  // namespace slipstick::internal::cuthill_mckee_test
