// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// What stands, stands still; what swings gains no energy. `slipstick-study stands` runs the same for longer.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "slipstick/scenes/scene_table.hpp"
#include "tests/sim/rigid/small_scene.hpp"

namespace slipstick::internal::world_standing_test {

using Eigen::Vector3d;

// A scene, stepped at its own step and tolerance under Coulomb's law.
struct Standing {
  explicit Standing(const Scene& described)
      : scene(described), world(scene), driver(driver_of(scene.tolerance)) {
    for (int k = 0; k < world.bodies(); ++k) start.push_back(world.body(k).position);
  }
  Standing(std::string_view name, const SceneParameters& parameters)
      : Standing(make_scene(name, parameters)) {}

  void run(double duration) {
    const auto steps = std::lround(duration / scene.step);
    for (long k = 0; k < steps; ++k) solved_step(world, driver, scene.step);
  }
  Vector3d way(int body) const { return world.body(body).position - start[static_cast<std::size_t>(body)]; }
  double largest_way() const {
    double largest = 0.0;
    for (int k = 0; k < world.bodies(); ++k) largest = std::max(largest, way(k).norm());
    return largest;
  }

  Scene scene;
  World world;
  Driver driver;
  std::vector<Vector3d> start;
};

// Ten boxes, exactly upon each other or with gaps of 1 mm, in line or jittered, light or heavy on top.
TEST(Standing, AStackOfTenDoesNotDrift) {
  if (is_refused_without_bullet(make_scene("stack"))) return;
  for (const double gap : {0.0, 1e-3}) {
    for (const double jitter : {0.0, 0.1}) {
      for (const double top : {1.0, 1000.0}) {
        Standing stack("stack", {{"gap", gap}, {"jitter", jitter}, {"top_mass", top}});
        stack.run(2.0);
        const std::string what = fmt::format("gap {}, jitter {}, top {} kg, box ", gap, jitter, top);
        for (int box = 1; box <= 10; ++box) {
          EXPECT_LE(stack.way(box).head<2>().norm(), 1e-6) << what << box;
          EXPECT_NEAR(stack.way(box).z(), -box * gap, 1e-6) << what << box;
        }
      }
    }
  }
}

// 1,000 kg upon 1 kg for a minute: it sinks less than 1e-5 of the height, and drifts less than 1e-5 of the
// width.
TEST(Standing, AHeavyBoxOnALightOne) {
  if (is_refused_without_bullet(make_scene("stack"))) return;
  Standing boxes("stack", {{"boxes", 2}, {"top_mass", 1000.0}});
  boxes.run(60.0);
  for (int box = 1; box <= 2; ++box) EXPECT_LE(boxes.way(box).norm(), 1e-5 * 0.2) << box;
}

// A motionless step costs no factorization and no iteration: the start is judged, once for all islands.
TEST(Standing, RestCostsOneJudgement) {
  SmallScene scene(0.5);
  scene.add_fixed(PlaneShape{});
  const int stacks = 3, boxes = 5;
  for (int stack = 0; stack < stacks; ++stack) {
    for (int box = 0; box < boxes; ++box)
      scene.add(BoxShape{{0.2, 0.2, 0.2}}, 1.0 + stack,
                {0.5 * stack, 0.0, 0.1 + 0.2 * box + 1e-3 * (box + 1)});
  }
  if (is_refused_without_bullet(scene)) return;
  Standing rest(scene);
  rest.run(1.5);
  for (int k = 0; k < 30; ++k) {
    const StepRecord& record = solved_step(rest.world, rest.driver, scene.step);
    EXPECT_EQ(record.islands, stacks);
    EXPECT_EQ(record.factorizations, 0) << k;
    EXPECT_EQ(record.iterations, 0) << k;
    EXPECT_EQ(rest.world.result().counts.products, 1) << k;
    for (const IslandReport& island : rest.world.result().islands) EXPECT_EQ(island.iterations, 0) << k;
  }
}

// 205 bricks in a running bond, 1 mm apart at the start.
TEST(Standing, AWallOfBricksStands) {
  if (is_refused_without_bullet(make_scene("wall"))) return;
  Standing wall("wall", {{"courses", 10}, {"bricks", 20}, {"speed", 0.0}, {"aim", 0.0}});
  ASSERT_EQ(wall.scene.bodies.size(), 1u + 205u + 1u);
  wall.run(1.0);
  for (int brick = 1; brick <= 205; ++brick) {
    const int course = static_cast<int>(std::floor(wall.start[static_cast<std::size_t>(brick)].z() / 0.066));
    EXPECT_LE(wall.way(brick).head<2>().norm(), 1e-4) << brick;
    EXPECT_NEAR(wall.way(brick).z(), -1e-3 * (course + 1), 1e-4) << brick;
  }
}

// No card moves by more than a hundredth of its length of 0.1 m.
TEST(Standing, AHouseOfCardsStands) {
  if (is_refused_without_bullet(make_scene("cards"))) return;
  Standing house("cards", {});
  house.run(0.5);
  EXPECT_LE(house.largest_way(), 1e-3);
}

// It stands if thickness / R is at least 0.1075. Hinges can only open at joints, so that a finite number of
// wedges stands a little thinner.
TEST(Standing, AnArchStandsAboveTheCriticalThickness) {
  if (is_refused_without_bullet(make_scene("arch"))) return;
  for (const double share : {0.97, 1.03}) {
    Standing arch("arch", {{"voussoirs", 31}, {"thickness", share * 0.1075}});
    arch.run(1.5);
    if (share > 1.0) {
      EXPECT_LE(arch.largest_way(), 1e-3) << share;
    } else {
      EXPECT_GE(arch.largest_way(), 0.05) << share;
    }
  }
}

// 100 links of 0.25 kg carry 500 kg, and begin to swing at 53 degrees from the vertical.
TEST(Standing, AChainSwingsWithoutGain) {
  SmallScene scene;
  const Vector3d end(8.0, 0.0, -6.0);
  scene.add(BoxShape{{0.4, 0.4, 0.4}}, 500.0, end + Vector3d(0.0, 0.0, -0.2));
  scene.cables.push_back({.name = "chain",
                          .bodies = {-1, 0},
                          .points = {Vector3d::Zero(), end},
                          .links = 100,
                          .mass = 25.0,
                          .joint = JointKind::universal});
  Standing chain(scene);
  double first = 0.0, fastest = 0.0;
  for (int k = 0; k < 150; ++k) {
    const StepRecord& record = solved_step(chain.world, chain.driver, 1.0 / 60.0);
    if (k == 0) first = energy_of(record);
    fastest = std::max(fastest, record.energy.kinetic);
    EXPECT_LE(record.joint_error, 1e-3) << k;
    EXPECT_LE(energy_of(record), first + 1e-3 * fastest) << k;
  }
  EXPECT_GT(fastest, 1.5e4);
}

}  // namespace slipstick::internal::world_standing_test
