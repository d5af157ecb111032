// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/small_scenes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "slipstick/model/mass_properties.hpp"
#include "slipstick/scenes/scene_table.hpp"

namespace slipstick::internal::small_scenes_test {

using Eigen::Vector3d;
using std::numbers::pi;

TEST(SmallScenes, StackTouches) {
  const Scene scene = make_scene("stack", {{"boxes", 4}, {"edge", 0.5}, {"top_mass", 1000}, {"gap", 0.01}});
  ASSERT_EQ(scene.bodies.size(), 5u);
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(scene.bodies[static_cast<std::size_t>(i + 1)].position.z(), 0.5 * i + 0.25 + 0.01 * (i + 1),
                1e-14);
  EXPECT_EQ(mass_properties(scene, 1).mass, 1.0);
  EXPECT_EQ(mass_properties(scene, 4).mass, 1000.0);
}

TEST(SmallScenes, InclineDescendsTowardsItsDirection) {
  for (const double direction : {0.0, 40.0, 200.0}) {
    const double angle = 25.0 * pi / 180.0, azimuth = direction * pi / 180.0;
    const Scene scene = make_scene("incline", {{"angle", 25.0}, {"direction", direction}, {"speed", 2.0}});
    const Vector3d normal = scene.bodies[0].orientation * Vector3d::UnitZ();
    const Vector3d downhill(std::cos(angle) * std::cos(azimuth), std::cos(angle) * std::sin(azimuth),
                            -std::sin(angle));
    EXPECT_NEAR(normal.z(), std::cos(angle), 1e-15);
    EXPECT_NEAR(normal.dot(downhill), 0.0, 1e-15);
    // The block lies on the slope and slides down.
    EXPECT_LT((scene.bodies[1].orientation * Vector3d::UnitZ() - normal).norm(), 1e-15);
    EXPECT_NEAR(scene.bodies[1].position.dot(normal), 0.05, 1e-15);
    EXPECT_LT((scene.bodies[1].velocity - 2.0 * downhill).norm(), 1e-14);
  }
}

TEST(SmallScenes, BallTouchesThePlane) {
  const Scene scene = make_scene("rolling", {{"radius", 0.25}, {"speed", 3.0}, {"direction", 90.0}});
  EXPECT_EQ(scene.bodies[1].position, Vector3d(0.0, 0.0, 0.25));
  EXPECT_LT((scene.bodies[1].velocity - Vector3d(0.0, 3.0, 0.0)).norm(), 1e-15);
}

TEST(SmallScenes, RodOfPainleveSlidesTowardsItsLowerEnd) {
  const Scene scene = make_scene("painleve");
  const BodySpec& rod = scene.bodies[1];
  const Vector3d axis = rod.orientation * Vector3d::UnitZ();
  const Vector3d end = rod.position - 0.5 * axis;
  EXPECT_NEAR(end.z(), 0.002, 1e-15);
  EXPECT_NEAR(axis.z() / axis.x(), 2.0, 1e-12);  // where the least friction is 4/3
  EXPECT_LT(rod.velocity.dot(axis), 0.0);
  EXPECT_NEAR(mass_properties(scene, 1).inertia(0, 0), 1.0 / 12.0, 1e-15);
}

TEST(SmallScenes, TopTurnsAboutItsMiddleAxis) {
  const Scene scene = make_scene("top");
  const Vector3d moments = mass_properties(scene, 0).inertia.diagonal();
  EXPECT_LT(moments.x(), moments.y());
  EXPECT_LT(moments.y(), moments.z());
  EXPECT_EQ(scene.bodies[0].spin.y(), 10.0);
  EXPECT_EQ(scene.gravity, Vector3d::Zero());
}

TEST(SmallScenes, BoxesStandOnTheBelt) {
  const Scene scene = make_scene("conveyor", {{"boxes", 5}, {"speed", -2.0}});
  EXPECT_EQ(std::get<BeltMotion>(scene.bodies[0].motion).velocity, Vector3d(-2.0, 0.0, 0.0));
  for (std::size_t i = 1; i <= 5; ++i) EXPECT_EQ(scene.bodies[i].position.z(), 0.1);
}

}  // namespace slipstick::internal::small_scenes_test
