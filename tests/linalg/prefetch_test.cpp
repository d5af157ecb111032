// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/prefetch.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace slipstick::internal::prefetch_test {

std::vector<Index> order(Index begin, Index end) {
  std::vector<Index> calls;
  in_two_streams(begin, end, [&](Index i) { calls.push_back(i); });
  return calls;
}

TEST(Prefetch, TwoHalvesInTurns) {
  EXPECT_EQ(order(0, 6), (std::vector<Index>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(order(10, 15), (std::vector<Index>{10, 12, 11, 13, 14}));
}

TEST(Prefetch, ShortRanges) {
  EXPECT_EQ(order(3, 3), std::vector<Index>{});
  EXPECT_EQ(order(3, 4), std::vector<Index>{3});
  EXPECT_EQ(order(3, 5), (std::vector<Index>{3, 4}));
}

TEST(Prefetch, EveryIndexOnce) {
  for (Index count = 0; count < 40; ++count) {
    std::vector<int> calls(static_cast<std::size_t>(count), 0);
    in_two_streams(5, 5 + count, [&](Index i) { ++calls.at(static_cast<std::size_t>(i - 5)); });
    for (const int n : calls) EXPECT_EQ(n, 1);
  }
}

}  // namespace slipstick::internal::prefetch_test
