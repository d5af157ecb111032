// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/sequence_scenes.hpp"

#include <gtest/gtest.h>

#include "slipstick/sim/rigid/sequence.hpp"

namespace slipstick::internal::sequence_scenes_test {

// No scene begins with a penetration, whatever its size and seed.
TEST(SequenceScenes, BeginWithoutPenetration) {
  for (const SequenceRow& row : sequences()) {
    for (const int size : {1, 2, 7, 30}) {
      for (const std::uint64_t seed : {1u, 2u, 3u}) {
        RigidSimulator simulator = row.make(size, seed);
        simulator.prepare(row.time_step);
        for (const Touch& touch : simulator.touches())
          EXPECT_GE(touch.gap, -1e-12) << row.name << ", size " << size << ", seed " << seed;
      }
    }
  }
}

TEST(SequenceScenes, HaveTheirBodies) {
  EXPECT_EQ(settling_spheres(30, 1).bodies().size(), 35u);
  EXPECT_EQ(sliding_stack(4, 1).bodies().size(), 5u);
  EXPECT_EQ(swinging_chain(6, 1).joints().size(), 6u);
  EXPECT_EQ(driven_hinges(3, 1).joints().size(), 3u);
  EXPECT_EQ(boxes_on_belt(2, 1).bodies().size(), 3u);
  RigidSimulator stack = sliding_stack(4, 1);
  stack.prepare(0.01);
  EXPECT_EQ(stack.touches().size(), 16u);
}

}  // namespace slipstick::internal::sequence_scenes_test
