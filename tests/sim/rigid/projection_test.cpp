// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/projection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/sim/rigid/small_scene.hpp"

namespace slipstick::internal::projection_test {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double h = 0.01;

// Without gravity and friction, by 0.1 m.
SmallScene overlapping_spheres() {
  SmallScene scene(0.0);
  scene.gravity.setZero();
  scene.add(SphereShape{0.5}, 1.0);
  scene.add(SphereShape{0.5}, 3.0, {0.9, 0.0, 0.0});
  return scene;
}

// Two spheres that overlap by d move apart by d, each by the other's share of the mass. Their velocities
// stay.
TEST(Projection, MovesBodiesApartByTheirMasses) {
  World world(overlapping_spheres());
  Driver driver = driver_of();
  const StepRecord& record = solved_step(world, driver, h);
  EXPECT_LE((world.body(0).position - Vector3d(-0.075, 0.0, 0.0)).norm(), 1e-12);
  EXPECT_LE((world.body(1).position - Vector3d(0.925, 0.0, 0.0)).norm(), 1e-12);
  EXPECT_EQ(record.energy.kinetic, 0.0);
  EXPECT_LE(record.penetration, 1e-12);
  EXPECT_EQ(record.angular_defect, 0.0);
}

// What is not solved moves nothing, and the record says so. The next step makes up for it.
TEST(Projection, ThatIsNotSolvedIsCounted) {
  World world(overlapping_spheres());
  OneFailure solver(2);  // after the step itself
  const StepRecord& record = world.step(h, solver);
  EXPECT_EQ(solver.calls(), 2);
  EXPECT_EQ(record.unsolved_projections, 1);
  EXPECT_TRUE(record.flagged);
  EXPECT_EQ(record.number, 1);
  EXPECT_EQ(world.body(0).position.x(), 0.0);
  EXPECT_EQ(world.body(1).position.x(), 0.9);
  EXPECT_NEAR(record.penetration, 0.1, 1e-15);
  solved_step(world, solver, h);
  EXPECT_EQ(world.record().unsolved_projections, 0);
  EXPECT_LE(world.record().penetration, 1e-12);
}

// Bodies that move far are projected once more with the contacts that they have then. Each counts.
TEST(Projection, ASecondOneIsCountedToo) {
  SmallScene scene(0.0);
  scene.gravity.setZero();
  scene.add(SphereShape{0.5}, 1.0).velocity = {0.0, 0.0, 100.0};
  scene.add(SphereShape{0.5}, 3.0, {0.9, 0.0, 0.0}).velocity = {0.0, 0.0, 100.0};
  for (const int call : {2, 3}) {
    World world(scene);
    OneFailure solver(call);
    world.step(h, solver);
    EXPECT_EQ(world.record().unsolved_projections, call == 2 ? 1 : 0);
    EXPECT_EQ(world.record().flagged, call == 2);
    EXPECT_EQ(solver.calls(), call == 2 ? 3 : 2);
    EXPECT_LE(world.record().penetration, 1e-12);
  }
}

// The centre of mass stays. What turns the boxes changes their angular momentum, as the record says.
TEST(Projection, KeepsTheCentreOfMassAndReportsTheAngularDefect) {
  SmallScene scene(0.3);
  scene.gravity.setZero();
  scene.add(BoxShape{{1.0, 0.8, 1.3}}, 2.0, {0.0, 0.0, 0.0}).velocity = {1.0, 2.0, -1.0};
  scene.add(BoxShape{{0.8, 0.6, 1.0}}, 5.0, {0.85, 0.2, 0.1},
            Quaterniond(AngleAxisd(0.3, Vector3d(1.0, 1.0, 1.0).normalized())));
  scene.bodies[1].velocity = {1.0, -2.0, -1.0};
  if (is_refused_without_bullet(scene)) return;
  World world(scene);
  Driver driver = driver_of();
  Vector3d centre = Vector3d::Zero(), momentum = Vector3d::Zero(), angular = Vector3d::Zero();
  for (const int k : {0, 1}) {
    const MovingBody body(scene, k);
    centre += body.mass() * body.position() / 7.0;
    momentum += body.mass() * body.velocity();
    angular += body.mass() * body.position().cross(body.velocity()) + body.angular_momentum();
  }
  double defects = 0.0;
  for (int k = 1; k <= 20; ++k) {
    const StepRecord& record = solved_step(world, driver, h);
    const Vector3d now = (2.0 * world.body(0).position + 5.0 * world.body(1).position) / 7.0;
    EXPECT_LE((now - centre - k * h * momentum / 7.0).norm(), 1e-10) << k;
    EXPECT_LE((record.momentum - momentum).norm(), 1e-10) << k;
    EXPECT_NEAR((record.angular_momentum - angular).norm(), record.angular_defect, 1e-10) << k;
    angular = record.angular_momentum;
    defects += record.angular_defect;
  }
  EXPECT_GT(defects, 1e-4);
  EXPECT_LE(world.record().penetration, 1e-6);
}

// Without it a penetration leaves with the velocity that removes it in the step.
TEST(Projection, WithoutItVelocitiesRemovePenetrations) {
  SmallScene scene(0.0);
  scene.stepping.projection = false;
  scene.add_fixed(PlaneShape{});
  scene.add(SphereShape{0.5}, 1.0, {0.0, 0.0, 0.49});
  World world(scene);
  Driver driver = driver_of();
  solved_step(world, driver, h);
  EXPECT_NEAR(world.body(1).position.z(), 0.5, 1e-12);
  EXPECT_NEAR(world.body(1).velocity.z(), 0.01 / h, 1e-10);
}

// Baumgarte's scheme removes a share in a step. The velocity stays.
TEST(Projection, BaumgarteRemovesAShare) {
  SmallScene scene(0.0);
  scene.stepping.scheme = SteppingScheme::baumgarte;
  scene.stepping.baumgarte = 0.25;
  scene.add_fixed(PlaneShape{});
  scene.add(SphereShape{0.5}, 1.0, {0.0, 0.0, 0.4});
  World world(scene);
  Driver driver = driver_of();
  solved_step(world, driver, h);
  EXPECT_NEAR(world.body(1).position.z(), 0.4 + 0.25 * 0.1, 1e-10);
  EXPECT_NEAR(world.body(1).velocity.z(), 0.25 * 0.1 / h, 1e-8);
}

// Joints come together, and a body goes up out of the plane. Potential energy is accounted.
TEST(Projection, AccountsForItsWork) {
  SmallScene scene;
  scene.add_fixed(PlaneShape{});
  scene.add(SphereShape{0.5}, 2.0, {0.0, 0.0, 0.45});
  World world(scene);
  Driver driver = driver_of();
  const StepRecord& record = solved_step(world, driver, h);
  EXPECT_NEAR(record.energy.stabilization, 2.0 * earth * 0.05, 1e-10);
  EXPECT_NEAR(record.energy.unexplained, 0.0, 1e-10);
}

TEST(Projection, BringsJointsTogether) {
  SmallScene scene;
  scene.gravity.setZero();
  scene.add(1.0, {1.0, 1.0, 1.0});
  scene.add(3.0, {1.0, 1.0, 1.0}).position = {1.0, 0.0, 0.0};
  scene.joints.push_back({.kind = JointKind::ball, .bodies = {0, 1}, .point = {0.5, 0.0, 0.0}});
  World world(scene);
  BodyState moved = world.body(1);
  moved.position.x() += 0.04;
  world.set_body(1, moved);
  Driver driver = driver_of();
  EXPECT_LE(solved_step(world, driver, h).joint_error, 1e-10);
  EXPECT_NEAR(world.body(0).position.x(), 0.03, 1e-10);
  EXPECT_NEAR(world.body(1).position.x(), 1.03, 1e-10);
  EXPECT_LE(world.body(0).velocity.norm(), 1e-12);
}

}  // namespace slipstick::internal::projection_test
