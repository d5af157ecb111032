// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/pair_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "slipstick/cuda/device_pairs.hpp"
#include "tests/cuda/box_cases.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal::pair_grid_test {

// What the kernels do, one box after the other.
Pairs grid_pairs(const std::vector<SweptBox>& boxes) {
  std::vector<GridBox> plain;
  const GridLevels levels = fill_grid(boxes, plain);
  std::vector<int> numbers(boxes.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto key = [&](int k) { return key_of(plain[static_cast<std::size_t>(k)], levels); };
  std::stable_sort(numbers.begin(), numbers.end(), [&](int a, int b) { return key(a) < key(b); });
  std::vector<std::uint64_t> keys;
  std::vector<GridBox> sorted;
  for (const int k : numbers) {
    keys.push_back(key(k));
    EXPECT_EQ(keys.back() >> cell_key_bits, 0U);
    sorted.push_back(plain[static_cast<std::size_t>(k)]);
  }
  const SortedBoxes all{static_cast<int>(boxes.size()), keys.data(), numbers.data(), sorted.data()};
  Pairs pairs;
  for (int place = 0; place < all.count; ++place)
    visit_pairs(all, levels, place, [&](int a, int b) { pairs.push_back({a, b}); });
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

TEST(PairGrid, FindsEveryPairOnce) {
  for (const BoxCase& one : box_cases()) {
    SCOPED_TRACE(one.name);
    EXPECT_EQ(grid_pairs(one.boxes), all_pairs(one.boxes));
  }
}

TEST(PairGrid, LevelsAreThoseOfTheWidths) {
  std::vector<SweptBox> boxes;
  for (const double width : {1.0, 3.9, 4.0, 1000.0, 0.0, 1e-300}) {
    SweptBox box;
    box.high.x() = width;
    boxes.push_back(box);
  }
  std::vector<GridBox> plain;
  const GridLevels levels = fill_grid(boxes, plain);
  ASSERT_EQ(levels.count, 4);
  EXPECT_EQ(levels.cell[1], 3.9);
  EXPECT_EQ(levels.cell[2], 4.0);
  EXPECT_EQ(levels.cell[3], 1000.0);
  EXPECT_GT(levels.cell[0], 0.0);
  std::vector<int> found;
  for (const GridBox& box : plain) found.push_back(box.level);
  EXPECT_EQ(found, (std::vector<int>{1, 1, 2, 3, 0, 0}));
}

TEST(PairGrid, ABoxWithoutNumbersIsRefused) {
  std::vector<GridBox> plain;
  for (const double wrong :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    std::vector<SweptBox> boxes(2);
    boxes[1].body = 7;
    boxes[1].high.y() = wrong;
    EXPECT_EQ(message_of([&] { fill_grid(boxes, plain); }),
              "collision: a shape of body 7 leads beyond all numbers in this step");
  }
}

}  // namespace slipstick::internal::pair_grid_test
