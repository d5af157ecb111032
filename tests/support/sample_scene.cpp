// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/sample_scene.hpp"

namespace slipstick::internal {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

Scene sample_scene() {
  Scene scene;
  scene.name = "sample";
  scene.parameters = {{"count", 3.0}};
  scene.materials = {{.name = "wood"}, {.name = "steel", .friction = 0.2, .restitution = 0.4}};
  scene.pairs = {{.materials = {0, 1}, .friction = 0.3}};
  scene.shapes = {
      {"ball", SphereShape{0.1}},
      {"crate", BoxShape{{0.1, 0.2, 0.3}}},
      {"pill", CapsuleShape{0.1, 0.2}},
      {"can", CylinderShape{0.1, 0.2}},
      {"hat", ConeShape{0.1, 0.2}},
      {"stone", HullShape{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
      {"floor", PlaneShape{}},
      {"hill", MeshShape{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}},
      {"field", HeightFieldShape{Eigen::MatrixXd::Zero(2, 3), 0.5}},
  };
  scene.bodies = {
      {.name = "ground", .kind = BodyKind::fixed, .shapes = {{.shape = 6}, {.shape = 7}, {.shape = 8}}},
      {.name = "lid", .shapes = {{.shape = 1, .material = 1}}, .mass = 2.0},
      {.name = "heap", .shapes = {{.shape = 0}, {.shape = 2}, {.shape = 3}, {.shape = 4}, {.shape = 5}}},
      {.name = "weight", .mass = 1.0, .inertia = Matrix3d::Identity()},
      {.name = "belt", .kind = BodyKind::moved, .shapes = {{.shape = 1}}, .motion = BeltMotion{}},
      {.name = "gate",
       .kind = BodyKind::moved,
       .shapes = {{.shape = 1}},
       .motion = KeyFrames{{0.0, 1.0},
                           {Vector3d::Zero(), Vector3d::UnitX()},
                           {Quaterniond::Identity(), Quaterniond::Identity()}}},
      {.name = "shaker", .kind = BodyKind::moved, .motion = Oscillation{}},
      {.name = "carrier", .kind = BodyKind::moved, .motion = SteadyMotion{}},
  };
  scene.joints = {{.name = "hinge", .kind = JointKind::hinge, .bodies = {1, -1}, .lower = -1.0, .upper = 1.0},
                  {.name = "cross", .kind = JointKind::universal, .bodies = {1, 2}},
                  {.name = "rope", .kind = JointKind::distance, .bodies = {2, 3}, .second_point = {1, 0, 0}},
                  {.bodies = {2, 0}},
                  {.bodies = {3, 0}, .soft = Stiffness{10.0, 1.0}}};
  scene.cables = {{.name = "cable", .bodies = {1, -1}, .points = {Vector3d::Zero(), Vector3d::UnitZ()}}};
  return scene;
}

}  // namespace slipstick::internal
