// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/collision/broad_phase.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "slipstick/base/random.hpp"
#include "tests/support/allocation_counter.hpp"

namespace slipstick::internal::broad_phase_test {

using Eigen::Vector3d;
using Pairs = std::vector<std::array<int, 2>>;

Pairs all_pairs(const std::vector<SweptBox>& boxes) {
  Pairs pairs;
  for (int a = 0; a < static_cast<int>(boxes.size()); ++a)
    for (int b = a + 1; b < static_cast<int>(boxes.size()); ++b)
      if (boxes[a].meets(boxes[b]) && boxes[a].body != boxes[b].body &&
          (boxes[a].movable || boxes[b].movable))
        pairs.push_back({a, b});
  return pairs;
}

// Sizes over six decades, immovable ones, several boxes of a body, points, equal boxes.
TEST(BroadPhase, FindsWhatAllPairsShow) {
  BroadPhase broad_phase;
  for (const int count : {0, 1, 2, 5, 400}) {
    Random random(static_cast<std::uint64_t>(count));
    std::vector<SweptBox> boxes;
    for (int k = 0; k < count; ++k) {
      const double size = k % 7 == 0 ? 0.0 : std::pow(10.0, random.uniform(-4.0, 1.0));
      SweptBox box;
      for (int axis = 0; axis < 3; ++axis) {
        box.low[axis] = random.uniform(-3.0, 3.0);
        box.high[axis] = box.low[axis] + size * random.uniform(0.5, 1.0);
      }
      if (k % 11 == 5) box = boxes.back();
      box.body = k / 2;
      box.movable = k % 3 != 0;
      boxes.push_back(box);
    }
    Pairs pairs = {{7, 7}};
    broad_phase.find(boxes, pairs);
    std::sort(pairs.begin(), pairs.end());
    EXPECT_EQ(pairs, all_pairs(boxes));
    const std::size_t before = allocations();
    broad_phase.find(boxes, pairs);
    EXPECT_EQ(allocations(), before);
  }
}

}  // namespace slipstick::internal::broad_phase_test
