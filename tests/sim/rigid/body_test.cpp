// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/body.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/message_of.hpp"

namespace slipstick::internal::body_test {

using Eigen::Quaterniond;
using Eigen::Vector3d;

TEST(Body, HomogeneousShapesHaveTheirInertia) {
  const Body sphere = completed({.shape = SphereShape{2.0}, .mass = 5.0}, 0);
  EXPECT_LE((sphere.inertia - Vector3d::Constant(8.0)).norm(), 1e-14);
  EXPECT_EQ(outer_radius(sphere), 2.0);
  const Body box = completed({.shape = BoxShape{{0.5, 1.0, 1.5}}, .mass = 12.0}, 0);
  EXPECT_LE((box.inertia - Vector3d(4.0 + 9.0, 1.0 + 9.0, 1.0 + 4.0)).norm(), 1e-14);
  EXPECT_NEAR(outer_radius(box), std::sqrt(3.5), 1e-15);
}

TEST(Body, GivenInertiaStaysAndImmovableBodiesHaveNone) {
  const Vector3d given(1.0, 2.0, 2.5);
  EXPECT_EQ(completed({.mass = 1.0, .inertia = given}, 0).inertia, given);
  EXPECT_EQ(completed({.shape = SphereShape{1.0}, .inertia = given}, 0).inertia, Vector3d(Vector3d::Zero()));
}

TEST(Body, BadDataNamesTheBody) {
  const double nan = std::nan("");
  const auto message = [](const Body& body) { return message_of([&] { completed(body, 3); }); };
  const SphereShape ball{1.0};
  EXPECT_EQ(message({.shape = ball, .mass = nan}), "body 3: the mass is nan, expected a finite number >= 0");
  EXPECT_EQ(message({.shape = ball, .mass = -1.0}), "body 3: the mass is -1, expected a finite number >= 0");
  EXPECT_EQ(message({.shape = SphereShape{0.0}, .mass = 1.0}),
            "body 3: the radius is 0, expected a positive finite number");
  EXPECT_EQ(message({.shape = BoxShape{{1.0, nan, 1.0}}, .mass = 1.0}),
            "body 3: the half size is nan, expected a positive finite number");
  EXPECT_EQ(message({.mass = 1.0}), "body 3: the moment of inertia is 0, expected a positive finite number");
  EXPECT_EQ(message({.mass = 1.0, .inertia = {1.0, -1.0, 1.0}}),
            "body 3: the moment of inertia is -1, expected a positive finite number");
  EXPECT_EQ(message({.position = {0.0, nan, 0.0}}),
            "body 3: the position has an entry nan, expected finite numbers");
  EXPECT_EQ(message({.orientation = Quaterniond(0.0, 0.0, 0.0, 0.0)}),
            "body 3: the norm of the orientation is 0, expected a positive finite number");
  EXPECT_EQ(message({.velocity = {infinity, 0.0, 0.0}}),
            "body 3: the velocity has an entry inf, expected finite numbers");
  EXPECT_EQ(message({.spin = {nan, 0.0, 0.0}}), "body 3: the spin has an entry nan, expected finite numbers");
  EXPECT_EQ(message({.shape = PlaneShape{}, .mass = 1.0}), "body 3: the mass of a plane must be 0");
  EXPECT_EQ(message({.shape = PlaneShape{Vector3d::Zero()}}),
            "body 3: the norm of the normal is 0, expected a positive finite number");
  EXPECT_EQ(message({.shape = ball, .mass = 1.0, .belt = true}), "body 3: the mass of a belt must be 0");
}

// A constant spin turns the body by spin times time, however large the steps are.
TEST(Body, MovesByTheRotationVector) {
  for (const int steps : {1, 7, 100}) {
    Body body = completed({.shape = SphereShape{1.0}, .mass = 1.0, .velocity = {1.0, -2.0, 3.0}}, 0);
    body.spin = Vector3d(1.0, 2.0, -2.0);
    for (int k = 0; k < steps; ++k) move(body, 0.5 / steps);
    EXPECT_LE((body.position - Vector3d(0.5, -1.0, 1.5)).norm(), 1e-14);
    const Quaterniond expected(Eigen::AngleAxisd(1.5, Vector3d(1.0, 2.0, -2.0) / 3.0));
    EXPECT_LE(body.orientation.angularDistance(expected), 1e-14) << steps;
  }
  Body belt = completed({.velocity = {1.0, 0.0, 0.0}, .spin = {0.0, 0.0, 1.0}, .belt = true}, 0);
  move(belt, 1.0);
  EXPECT_EQ(belt.position, Vector3d(Vector3d::Zero()));
  EXPECT_EQ(belt.orientation.coeffs(), Quaterniond::Identity().coeffs());
}

// The data of a step, with the gyroscopic moment -spin x (I spin).
TEST(Body, HasGravityAndTheGyroscopicMoment) {
  const Quaterniond quarter(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vector3d::UnitZ()));
  const Body body = completed(
      {.mass = 2.0, .inertia = {1.0, 4.0, 8.0}, .orientation = quarter, .spin = {1.0, 2.0, 3.0}}, 0);
  const RigidBody data = step_data(body, {0.0, 0.0, -10.0}, 0.1);
  // In world axes the inertia is diag(4, 1, 8).
  const Vector3d moment = -0.1 * Vector3d(1.0, 2.0, 3.0).cross(Vector3d(4.0, 2.0, 24.0));
  EXPECT_LE((data.impulse.head<3>() - Vector3d(0.0, 0.0, -2.0)).norm(), 1e-15);
  EXPECT_LE((data.impulse.tail<3>() - moment).norm(), 1e-14);
  Vector diagonal(6);
  diagonal << 0.5, 0.5, 0.5, 0.25, 1.0, 0.125;
  EXPECT_LE((data.inverse_mass - DenseMatrix(diagonal.asDiagonal())).norm(), 1e-14);
}

TEST(Body, EnergyIsKineticAndPotential) {
  const Body body = completed({.mass = 2.0,
                               .inertia = {1.0, 2.0, 2.5},
                               .position = {0.0, 0.0, 3.0},
                               .velocity = {1.0, 0.0, 0.0},
                               .spin = {0.0, 2.0, 0.0}},
                              0);
  EXPECT_NEAR(energy(body, {0.0, 0.0, -10.0}), 1.0 + 4.0 + 60.0, 1e-13);
  EXPECT_EQ(energy(completed({.velocity = {1.0, 0.0, 0.0}}, 0), {0.0, 0.0, -10.0}), 0.0);
}

}  // namespace slipstick::internal::body_test
