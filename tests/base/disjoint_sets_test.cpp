// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/base/disjoint_sets.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/random.hpp"

namespace slipstick::internal::disjoint_sets_test {

TEST(DisjointSets, EveryNumberIsAloneAtFirst) {
  DisjointSets sets(3);
  EXPECT_EQ(sets.size(), 3u);
  for (const int i : {0, 1, 2}) EXPECT_EQ(sets.lowest(i), i);
}

TEST(DisjointSets, ChainsHaveTheLowestMemberForRoot) {
  DisjointSets sets(6);
  sets.join(5, 4);
  sets.join(4, 3);
  sets.join(1, 2);
  sets.join(2, 2);
  EXPECT_EQ(sets.lowest(5), 3);
  EXPECT_EQ(sets.lowest(2), 1);
  EXPECT_EQ(sets.lowest(0), 0);
  sets.join(5, 2);
  EXPECT_EQ(sets.lowest(4), 1);
  sets.reset(2);
  EXPECT_EQ(sets.lowest(1), 1);
}

// Against labels that are painted over.
TEST(DisjointSets, AgreesWithPaintedLabels) {
  constexpr int count = 60;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    DisjointSets sets(count);
    std::vector<int> label(count);
    std::iota(label.begin(), label.end(), 0);
    for (int k = 0; k < 40; ++k) {
      const int a = static_cast<int>(random.below(count)), b = static_cast<int>(random.below(count));
      sets.join(a, b);
      const int low = std::min(label[a], label[b]), high = std::max(label[a], label[b]);
      std::replace(label.begin(), label.end(), high, low);
    }
    for (int i = 0; i < count; ++i) EXPECT_EQ(sets.lowest(i), label[i]);
  }
}

}  // namespace slipstick::internal::disjoint_sets_test
