// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/sequence_scenes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "slipstick/sim/collision/collision.hpp"
#include "slipstick/sim/rigid/sequence.hpp"
#include "slipstick/solve.hpp"
#include "tests/sim/rigid/small_scene.hpp"

namespace slipstick::internal::sequence_scenes_test {

// No scene begins with a penetration, whatever its size and seed.
TEST(SequenceScenes, BeginWithoutPenetration) {
  for (const SequenceRow& row : sequences()) {
    for (const int size : {1, 2, 7, 30}) {
      for (const std::uint64_t seed : {1u, 2u, 3u}) {
        const Scene scene = row.make(size, seed);
        const bool boxes = row.name != "spheres" && row.name != "heap" && row.name != "chain" && size > 1;
        if (boxes && is_refused_without_bullet(scene)) continue;
        std::vector<BodyState> states;
        for (const BodySpec& body : scene.bodies)
          states.push_back({body.position, body.orientation, body.velocity, body.spin});
        std::vector<std::array<int, 2>> jointed;
        for (const JointSpec& joint : scene.joints)
          if (joint.bodies[0] >= 0 && joint.bodies[1] >= 0) jointed.push_back(joint.bodies);
        Collision collision(scene, jointed);
        std::vector<TouchPoint> touches;
        collision.find(states, {.time_step = row.time_step, .gravity = scene.gravity}, touches);
        for (const TouchPoint& touch : touches)
          EXPECT_GE(touch.gap, -1e-12) << row.name << ", size " << size << ", seed " << seed;
      }
    }
  }
}

TEST(SequenceScenes, HaveTheirBodies) {
  EXPECT_EQ(settling_spheres(30, 1).bodies.size(), 35u);
  EXPECT_EQ(laid_spheres(30, 1).bodies.size(), 35u);
  EXPECT_EQ(sliding_stack(4, 1).bodies.size(), 5u);
  EXPECT_EQ(swinging_chain(6, 1).joints.size(), 6u);
  EXPECT_EQ(driven_hinges(3, 1).joints.size(), 3u);
  EXPECT_EQ(boxes_on_belt(2, 1).bodies.size(), 3u);
  if (is_refused_without_bullet(sliding_stack(4, 1))) return;
  Driver driver;
  World stack(sliding_stack(4, 1));
  EXPECT_EQ(stack.step(0.01, driver).contacts, 16);
}

// A laid sphere touches what carries it from the first step on. Most of those that fall touch nothing.
TEST(SequenceScenes, LaidSpheresTouchFromTheBeginning) {
  const auto first_contacts = [](Scene scene) {
    Driver driver;
    World world(std::move(scene));
    return world.step(0.005, driver).contacts;
  };
  EXPECT_LT(first_contacts(settling_spheres(100, 1)), 10);
  EXPECT_GT(first_contacts(laid_spheres(100, 1)), 200);
}

}  // namespace slipstick::internal::sequence_scenes_test
