// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/device_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <sstream>
#include <string>

#include "slipstick/scenes/scene_table.hpp"
#include "slipstick/sim/collision/broad_phase.hpp"
#include "slipstick/solve.hpp"
#include "slipstick/world.hpp"
#include "tests/cuda/box_cases.hpp"
#include "tests/cuda/contact_cases.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal::device_pairs_test {

// The first place where two lists differ, for a run that cannot be looked at.
std::string first_difference(const Pairs& expected, const Pairs& found) {
  for (std::size_t k = 0; k < std::max(expected.size(), found.size()); ++k) {
    if (k < expected.size() && k < found.size() && expected[k] == found[k]) continue;
    std::ostringstream text;
    text << "pair " << k << ": expected";
    if (k < expected.size()) text << ' ' << expected[k][0] << ' ' << expected[k][1];
    text << ", found";
    if (k < found.size()) text << ' ' << found[k][0] << ' ' << found[k][1];
    return text.str() + ", of " + std::to_string(expected.size()) + " and " + std::to_string(found.size());
  }
  return "";
}

TEST(DevicePairs, AreThoseOfTheHostInOrder) {
  SLIPSTICK_NEEDS_DEVICE();
  DevicePairs device(-1);
  BroadPhase host;
  for (const int turn : {1, 2}) {
    for (const BoxCase& one : box_cases()) {
      SCOPED_TRACE(one.name + ", turn " + std::to_string(turn));
      Pairs expected, found = {{7, 7}};
      host.find(one.boxes, expected);
      std::sort(expected.begin(), expected.end());
      device.find(one.boxes, found);
      EXPECT_EQ(first_difference(expected, found), "");
    }
  }
}

TEST(DevicePairs, ABadBoxChangesNothing) {
  SLIPSTICK_NEEDS_DEVICE();
  DevicePairs device(-1);
  std::vector<SweptBox> boxes = box_cases()[4].boxes;
  const SweptBox good = boxes[5];
  boxes[5].low.x() = std::numeric_limits<double>::quiet_NaN();
  Pairs pairs;
  EXPECT_NE(message_of([&] { device.find(boxes, pairs); }), "");
  boxes[5] = good;
  device.find(boxes, pairs);
  EXPECT_EQ(first_difference(all_pairs(boxes), pairs), "");
}

std::string state_after(const Scene& scene, int steps, const std::shared_ptr<PairFinder>& pairs) {
  World world(scene, pairs);
  Driver driver({.settings = {.tolerance = 1e-6}, .solver = "apgd", .friction = scene.law});
  for (int k = 0; k < steps; ++k) world.step(driver);
  std::ostringstream to(std::ios::binary);
  world.save(to);
  return to.str();
}

TEST(DevicePairs, ABucketHasTheSameBits) {
  SLIPSTICK_NEEDS_DEVICE();
  Scene scene = make_scene("bucket", {{"spheres", 300.0}, {"spread", 0.3}});
  scene.step = 5e-3;
  constexpr int steps = 60;
  EXPECT_EQ(state_after(scene, steps, std::make_shared<DevicePairs>(-1)), state_after(scene, steps, nullptr));
}

TEST(DevicePairs, AMissingDeviceIsNamed) {
  const std::string message = message_of([] { DevicePairs device(999); });
  if (has_cuda()) {
    EXPECT_EQ(message.find("collision on a CUDA device: there is no CUDA device 999: "), 0U) << message;
  } else {
    EXPECT_EQ(message, "collision on a CUDA device: this build has no CUDA");
  }
}

}  // namespace slipstick::internal::device_pairs_test
