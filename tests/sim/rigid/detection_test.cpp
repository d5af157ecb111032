// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/detection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "slipstick/base/random.hpp"
#include "slipstick/sim/collision/keys.hpp"

namespace slipstick::internal::detection_test {

using Eigen::Quaterniond;
using Eigen::Vector3d;

std::vector<Touch> find(const std::vector<Body>& bodies, const DetectionScope& scope,
                        const std::vector<GivenContact>& given = {}) {
  std::vector<Body> complete;
  for (const Body& body : bodies) complete.push_back(completed(body, static_cast<int>(complete.size())));
  Detection detection;
  std::vector<Touch> touches;
  detection.find(complete, given, scope, touches);
  return touches;
}

std::vector<std::uint64_t> keys_of(const std::vector<Touch>& touches) {
  std::vector<std::uint64_t> keys;
  for (const Touch& touch : touches) keys.push_back(touch.key);
  return keys;
}

Body sphere(const Vector3d& position, double radius = 1.0, const Vector3d& velocity = Vector3d::Zero()) {
  return {.shape = SphereShape{radius}, .mass = 1.0, .position = position, .velocity = velocity};
}

TEST(Detection, TwoSpheres) {
  const auto touches = find({sphere({0.0, 0.0, 0.0}), sphere({0.0, 3.25, 0.0}, 2.0)}, {.margin = 0.1});
  ASSERT_EQ(touches.size(), 1u);
  EXPECT_EQ(touches[0].key, contact_key(0, 1));
  EXPECT_EQ(touches[0].gap, 0.25);
  EXPECT_EQ(touches[0].normal, Vector3d(0.0, -1.0, 0.0));
  EXPECT_EQ(touches[0].point, Vector3d(0.0, 1.125, 0.0));
}

TEST(Detection, ListsWhatCanCloseInTheStep) {
  const DetectionScope scope{.time_step = 0.1};
  EXPECT_TRUE(find({sphere({0, 0, 0}), sphere({2.5, 0, 0}, 1.0, {-4.9, 0.0, 0.0})}, scope).empty());
  EXPECT_EQ(find({sphere({0, 0, 0}), sphere({2.5, 0, 0}, 1.0, {-5.1, 0.0, 0.0})}, scope).size(), 1u);
  const Body floor{.shape = PlaneShape{}};
  const Body rising{.shape = PlaneShape{}, .velocity = {0.0, 0.0, 5.1}};
  EXPECT_TRUE(find({floor, sphere({0, 0, 1.5})}, scope).empty());
  EXPECT_EQ(find({rising, sphere({0, 0, 1.5})}, scope).size(), 1u);
  EXPECT_EQ(find({floor, sphere({0, 0, 1.5})}, {.gravity = {0.0, 0.0, -51.0}, .time_step = 0.1}).size(), 1u);
}

TEST(Detection, CornersOfABoxOnAPlane) {
  const Body floor{.shape = PlaneShape{}, .position = {5.0, 5.0, 1.0}};
  const Body box{.shape = BoxShape{{0.5, 1.0, 2.0}}, .mass = 1.0, .position = {0.0, 0.0, 3.0}};
  const auto flat = find({floor, box}, {.margin = 0.01});
  ASSERT_EQ(flat.size(), 4u);
  for (int corner = 0; corner < 4; ++corner) {
    const Touch& touch = flat[static_cast<std::size_t>(corner)];
    EXPECT_EQ(touch.key, contact_key(1, 0, corner));
    EXPECT_EQ(touch.gap, 0.0);
    EXPECT_EQ(touch.normal, Vector3d(0.0, 0.0, 1.0));
    EXPECT_EQ(touch.point, Vector3d(corner % 2 == 0 ? -0.5 : 0.5, corner < 2 ? -1.0 : 1.0, 1.0));
  }
  Body tilted = box;
  tilted.orientation = Quaterniond(Eigen::AngleAxisd(0.3, Vector3d::UnitX()));
  tilted.position.z() = 3.2;
  EXPECT_EQ(find({floor, tilted}, {}).size(), 2u);
}

TEST(Detection, GivenContacts) {
  const Body lower{.mass = 1.0, .inertia = {1.0, 1.0, 1.0}, .position = {0.0, 0.0, 1.0}};
  Body upper = lower;
  upper.position.z() = 2.25;
  upper.orientation = Quaterniond(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vector3d::UnitZ()));
  const GivenContact contact{.bodies = {1, 0}, .point = {1.0, 0.0, -0.5}, .on_plane = {9.0, 9.0, 0.5}};
  EXPECT_TRUE(find({lower, upper}, {}, {contact}).empty());
  const auto touches = find({lower, upper}, {.margin = 1.0}, {contact});
  ASSERT_EQ(touches.size(), 1u);
  EXPECT_EQ(touches[0].key, given_key(0));
  EXPECT_NEAR(touches[0].gap, 0.25, 1e-15);
  EXPECT_LE((touches[0].point - Vector3d(0.0, 1.0, 1.75)).norm(), 1e-15);
}

TEST(Detection, LeavesOutJointedAndImmovablePairs) {
  const std::uint64_t pair = contact_key(0, 1);
  const Body a = sphere({0, 0, 0}), b = sphere({1, 0, 0}), c = sphere({2, 0, 0});
  EXPECT_EQ(keys_of(find({a, b, c}, {.excluded = {&pair, 1}})),
            (std::vector{contact_key(0, 2), contact_key(1, 2)}));
  Body fixed = a;
  fixed.mass = 0.0;
  EXPECT_TRUE(find({fixed, fixed}, {}).empty());
}

// The grid against all pairs, for spheres of different sizes, one far away, two at the same place.
TEST(Detection, FindsThePairsThatAllPairsShow) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    Random random(seed);
    std::vector<Body> bodies;
    for (int k = 0; k < 300; ++k) {
      Vector3d place;
      for (double& coordinate : place) coordinate = random.uniform(-4.0, 4.0);
      bodies.push_back(sphere(place, random.uniform(0.05, 0.6)));
    }
    bodies.push_back(bodies.back());
    bodies.push_back(sphere({1e9, -1e7, 3.0}));
    std::vector<std::uint64_t> expected;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      for (std::size_t j = i + 1; j < bodies.size(); ++j) {
        const double radii =
            std::get<SphereShape>(bodies[i].shape).radius + std::get<SphereShape>(bodies[j].shape).radius;
        if ((bodies[i].position - bodies[j].position).norm() <= 1.1 * radii)
          expected.push_back(contact_key(static_cast<int>(i), static_cast<int>(j)));
      }
    }
    const auto touches = find(bodies, {.margin = 0.1});
    EXPECT_EQ(keys_of(touches), expected);
    EXPECT_GT(expected.size(), 100u);
    bodies.pop_back();
    EXPECT_EQ(keys_of(find(bodies, {.margin = 0.1})), expected);
  }
}

TEST(Detection, KeysDiffer) {
  EXPECT_NE(contact_key(1, 2), contact_key(2, 1));
  EXPECT_NE(contact_key(0, 1, 3), contact_key(0, 1, 2));
  EXPECT_EQ(contact_key(most_bodies - 1, most_bodies - 1, 7) >> 62, 0u);
  EXPECT_EQ(given_key(5) >> 62, 1u);
  EXPECT_EQ(joint_key(5, JointPart::motor) >> 62, 2u);
}

}  // namespace slipstick::internal::detection_test
