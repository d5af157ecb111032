// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/model/expanded.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "slipstick/model/check.hpp"
#include "slipstick/model/mass_properties.hpp"

namespace slipstick::internal::expanded_test {

using Eigen::Vector3d;

Scene hanging(const Vector3d& direction, JointKind joint) {
  Scene scene;
  scene.materials = {{.name = "steel"}};
  scene.shapes = {{"box", BoxShape{}}};
  scene.bodies = {{.name = "box", .shapes = {{.shape = 0}}, .position = 3.0 * direction}};
  scene.joints = {{.name = "own", .bodies = {0, -1}}};
  scene.cables = {{.name = "rope",
                   .bodies = {-1, 0},
                   .points = {Vector3d(1, 2, 3), Vector3d(1, 2, 3) + 2.0 * direction},
                   .links = 5,
                   .radius = 0.05,
                   .mass = 10.0,
                   .joint = joint}};
  return scene;
}

TEST(Expanded, CablesBecomeLinksAndJoints) {
  for (const Vector3d& direction :
       {Vector3d(0, 0, 1), Vector3d(0, 0, -1), Vector3d(1, 0, 0), Vector3d(1, -2, 2).normalized().eval()}) {
    const Scene before = hanging(direction, JointKind::universal);
    const Scene after = expanded(before);
    EXPECT_NO_THROW(check(after));
    EXPECT_TRUE(after.cables.empty());
    ASSERT_EQ(after.bodies.size(), 6u);
    ASSERT_EQ(after.joints.size(), 7u);
    EXPECT_EQ(after.bodies[0].name, "box");
    EXPECT_EQ(after.bodies[4].name, "rope/link 3");
    EXPECT_EQ(after.joints[1].name, "rope/joint 0");
    double mass = 0.0;
    for (int link = 0; link < 5; ++link) {
      const BodySpec& body = after.bodies[1 + link];
      mass += mass_properties(after, 1 + link).mass;
      // Both ends of a link are points of its joints.
      const Vector3d half = body.orientation * Vector3d(0, 0, 0.2);
      EXPECT_LT((body.position - half - after.joints[1 + link].point).norm(), 1e-14);
      EXPECT_LT((body.position + half - after.joints[2 + link].point).norm(), 1e-14);
      EXPECT_EQ(after.joints[1 + link].bodies[1], 1 + link);
      EXPECT_EQ(after.joints[2 + link].bodies[0], 1 + link);
    }
    EXPECT_NEAR(mass, 10.0, 1e-14);
    EXPECT_EQ(after.joints[1].bodies[0], -1);
    EXPECT_EQ(after.joints[6].bodies[1], 0);
    EXPECT_EQ(after.joints[6].point, before.cables[0].points[1]);
  }
}

TEST(Expanded, LinksTouchOthersIfAsked) {
  Scene scene = hanging(Vector3d::UnitX(), JointKind::fixed);
  const auto touch = [](const BodySpec& a, const BodySpec& b) {
    return (a.collides & b.group) != 0 && (b.collides & a.group) != 0;
  };
  const Scene without = expanded(scene);
  EXPECT_FALSE(touch(without.bodies[0], without.bodies[2]));
  scene.cables[0].touching = true;
  const Scene with = expanded(scene);
  EXPECT_TRUE(touch(with.bodies[0], with.bodies[2]));
  EXPECT_FALSE(touch(with.bodies[1], with.bodies[3]));
}

TEST(Expanded, OtherScenesStayAsTheyAre) {
  Scene scene = hanging(Vector3d::UnitX(), JointKind::ball);
  scene.cables.clear();
  const Scene after = expanded(scene);
  EXPECT_EQ(after.bodies.size(), scene.bodies.size());
  EXPECT_EQ(after.shapes.size(), scene.shapes.size());
}

}  // namespace slipstick::internal::expanded_test
