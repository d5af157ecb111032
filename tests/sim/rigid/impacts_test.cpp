// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/impacts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/sim/rigid/small_scene.hpp"

namespace slipstick::internal::impacts_test {

using Eigen::Vector3d;

constexpr double h = 1.0 / 60.0;

// Bounces reach e^2, e^4, ... of the height. Their tops lie between steps: v^2 / 2 g is added.
TEST(Impacts, BouncesReachTheirHeights) {
  for (const double restitution : {0.5, 0.9}) {
    SmallScene scene;
    scene.materials[0].restitution = restitution;
    scene.add_fixed(PlaneShape{});
    scene.add(SphereShape{0.1}, 1.0, {0.0, 0.0, 2.1});
    World world(scene);
    Driver driver = driver_of();
    double height = 2.0;
    int bounces = 0;
    double before = 0.0;
    for (int k = 0; k < 300 && bounces < 4; ++k) {
      const StepRecord& record = solved_step(world, driver, h);
      const double speed = world.body(1).velocity.z();
      if (before < 0.0 && speed > 0.0) {
        ++bounces;
        height *= restitution * restitution;
        // Below the threshold 4 g h there is no bounce.
        if (std::sqrt(2.0 * earth * height) / restitution <= 4.0 * earth * h) break;
        const double reached = world.body(1).position.z() - 0.1 + 0.5 * speed * speed / earth;
        EXPECT_NEAR(reached, height, 0.01 * height) << restitution << ", bounce " << bounces;
      }
      EXPECT_NEAR(record.energy.unexplained, 0.0, 1e-9) << k;
      before = speed;
    }
    EXPECT_GE(bounces, 2);
  }
}

// Five balls that touch. The first one hits, and the last one leaves.
TEST(Impacts, NewtonsCradle) {
  SmallScene scene(0.0);
  scene.gravity.setZero();
  scene.materials[0].restitution = 1.0;
  for (int k = 0; k < 5; ++k) scene.add(SphereShape{0.5}, 1.0, {k == 0 ? -0.3 : k, 0.0, 0.0});
  scene.bodies[0].velocity = {2.0, 0.0, 0.0};
  World world(scene);
  Driver driver = driver_of();
  for (int k = 0; k < 30; ++k) solved_step(world, driver, h);
  for (int k = 0; k < 4; ++k) {
    EXPECT_LE(world.body(k).velocity.norm(), 1e-9) << k;
    EXPECT_NEAR(world.body(k).position.x(), k, 1e-9) << k;
  }
  EXPECT_LE((world.body(4).velocity - Vector3d(2.0, 0.0, 0.0)).norm(), 1e-9);
  // The impact is at 0.15 s.
  EXPECT_NEAR(world.body(4).position.x(), 4.0 + 2.0 * (30 * h - 0.15), 1e-9);
}

TEST(Impacts, AStackThatCouldBounceStaysSilent) {
  SmallScene scene;
  scene.materials[0].restitution = 0.9;
  scene.add_fixed(PlaneShape{});
  for (int k = 0; k < 4; ++k) scene.add(BoxShape{{1.0, 1.0, 1.0}}, 10.0, {0.0, 0.0, 0.5 + k});
  if (is_refused_without_bullet(scene)) return;
  World world(scene);
  Driver driver = driver_of(1e-4);
  for (int k = 0; k < 120; ++k) {
    solved_step(world, driver, h);
    for (int box = 1; box <= 4; ++box) ASSERT_LE(world.body(box).velocity.norm(), 1e-6) << k;
  }
  for (int box = 1; box <= 4; ++box)
    EXPECT_LE((world.body(box).position - Vector3d(0.0, 0.0, box - 0.5)).norm(), 1e-6);
}

// Two balls of masses m and M: v_1' = v (m - e M) / (m + M), v_2' = v (1 + e) m / (m + M).
TEST(Impacts, TwoBallsByNewtonsLaw) {
  const double m = 1.0, other = 3.0, e = 0.6, v = 4.0;
  SmallScene scene(0.0);
  scene.gravity.setZero();
  scene.materials[0].restitution = e;
  scene.add(SphereShape{0.5}, m, {-1.02, 0.0, 0.0}).velocity = {v, 0.0, 0.0};
  scene.add(SphereShape{0.5}, other, {0.0, 0.0, 0.0});
  World world(scene);
  Driver driver = driver_of();
  solved_step(world, driver, h);
  EXPECT_NEAR(world.body(0).velocity.x(), v * (m - e * other) / (m + other), 1e-12);
  EXPECT_NEAR(world.body(1).velocity.x(), v * (1.0 + e) * m / (m + other), 1e-12);
  // They met after 0.02 / v.
  EXPECT_NEAR(world.body(1).position.x(), world.body(1).velocity.x() * (h - 0.02 / v), 1e-12);
  EXPECT_NEAR(world.record().energy.contact, -0.5 * (1.0 - e * e) * m * other / (m + other) * v * v, 1e-12);
}

// An impact that is not solved is left to the step. The balls then go on together, and the record says why.
TEST(Impacts, ThatAreNotSolvedAreCounted) {
  const double m = 1.0, other = 3.0, v = 4.0;
  SmallScene scene(0.0);
  scene.gravity.setZero();
  scene.materials[0].restitution = 0.6;
  scene.add(SphereShape{0.5}, m, {-1.02, 0.0, 0.0}).velocity = {v, 0.0, 0.0};
  scene.add(SphereShape{0.5}, other, {0.0, 0.0, 0.0});
  World world(scene);
  OneFailure solver(1);
  const StepRecord& record = world.step(h, solver);
  EXPECT_EQ(record.unsolved_impacts, 1);
  EXPECT_TRUE(record.flagged);
  EXPECT_EQ(record.error, 1.0);
  EXPECT_EQ(record.number, 1);
  const double together = v * m / (m + other);
  // The step closes the gap with its end: only the rest of the speeds is stopped.
  const double closing = 0.02 / h;
  EXPECT_NEAR(world.body(0).velocity.x() - world.body(1).velocity.x(), closing, 1e-12);
  EXPECT_NEAR((m * world.body(0).velocity.x() + other * world.body(1).velocity.x()) / (m + other), together,
              1e-12);
  solved_step(world, solver, h);
  EXPECT_EQ(world.record().unsolved_impacts, 0);
}

// A box falls flat on a plane. Two sweeps do not solve its four contacts. Answers that `loosen` and `keep`
// accept are not used for impacts, those of the convex law are. All these steps are flagged.
TEST(Impacts, FollowThePolicy) {
  using enum PolicyAction;
  struct Case {
    PolicyActions actions;
    double looser;
    bool bounces;
  };
  for (const auto& [actions, looser, bounces] :
       {Case{{keep}, 10.0, false}, Case{{loosen, keep}, 1e9, false}, Case{{convex, keep}, 10.0, true}}) {
    SmallScene scene(0.5);
    scene.materials[0].restitution = 0.5;
    scene.add_fixed(PlaneShape{});
    scene.add(BoxShape{{1.0, 2.0, 0.2}}, 2.0, {0.0, 0.0, 0.11}).velocity = {1.0, 0.0, -3.0};
    World world(scene);
    Driver driver({.settings = {.tolerance = 1e-12, .max_iterations = 2},
                   .solver = "nsgs",
                   .policy = {.actions = actions, .looser = looser}});
    const StepRecord& record = world.step(h, driver);
    EXPECT_EQ(record.number, 1);
    EXPECT_TRUE(record.flagged);
    EXPECT_EQ(record.unsolved_impacts, bounces ? 0 : 4);
    EXPECT_EQ(record.remedies[static_cast<std::size_t>(Remedy::convex_law)], bounces ? 1 : 0);
    if (bounces)
      EXPECT_GT(world.body(1).velocity.z(), 1.0);
    else
      EXPECT_LT(world.body(1).velocity.z(), 0.5);
  }
}

// Below the threshold nothing bounces.
TEST(Impacts, TheThresholdIsThatOfTheScene) {
  for (const double threshold : {0.9, 1.1}) {
    SmallScene scene(0.0);
    scene.gravity.setZero();
    scene.materials[0].restitution = 0.5;
    scene.stepping.restitution_threshold = threshold;
    scene.add_fixed(PlaneShape{});
    scene.add(SphereShape{0.5}, 1.0, {0.0, 0.0, 0.505}).velocity = {0.0, 0.0, -1.0};
    World world(scene);
    Driver driver = driver_of();
    solved_step(world, driver, h);
    solved_step(world, driver, h);
    EXPECT_NEAR(world.body(1).velocity.z(), threshold < 1.0 ? 0.5 : 0.0, 1e-12);
  }
}

// A bar that swings against a wall hits with its joint: the tip bounces with e times its speed.
TEST(Impacts, JointsHoldDuringAnImpact) {
  SmallScene scene(0.0);
  scene.gravity.setZero();
  scene.materials[0].restitution = 0.5;
  scene.add(SphereShape{0.1}, 2.0, {1.0, 0.0, 0.0});
  scene.bodies[0].velocity = {0.0, 0.0, -1.0};
  scene.bodies[0].spin = {0.0, 1.0, 0.0};
  scene.joints.push_back(
      {.kind = JointKind::hinge, .bodies = {0, -1}, .point = Vector3d::Zero(), .axis = Vector3d::UnitY()});
  scene.add_fixed(PlaneShape{}, {0.0, 0.0, -0.101});
  World world(scene);
  Driver driver = driver_of();
  for (int k = 0; k < 5; ++k) solved_step(world, driver, h);
  EXPECT_NEAR(world.body(0).velocity.z(), 0.5, 1e-3);
  EXPECT_NEAR(world.body(0).spin.y(), -0.5, 1e-3);
  EXPECT_LE(world.record().joint_error, 1e-5);
}

}  // namespace slipstick::internal::impacts_test
