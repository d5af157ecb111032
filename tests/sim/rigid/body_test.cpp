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
            "body 3: entry 1 of the position is nan, expected a finite number");
  EXPECT_EQ(message({.orientation = Quaterniond(0.0, 0.0, 0.0, 0.0)}),
            "body 3: the norm of the orientation is 0, expected a positive finite number");
  EXPECT_EQ(message({.velocity = {infinity, 0.0, 0.0}}),
            "body 3: entry 0 of the velocity is inf, expected a finite number");
  EXPECT_EQ(message({.spin = {nan, 0.0, 0.0}}),
            "body 3: entry 0 of the spin is nan, expected a finite number");
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

// The data of a step, with the gyroscopic moment -spin x (I spin) up to O(h^2).
TEST(Body, HasGravityAndTheGyroscopicMoment) {
  const Quaterniond quarter(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vector3d::UnitZ()));
  const Body body = completed(
      {.mass = 2.0, .inertia = {1.0, 4.0, 8.0}, .orientation = quarter, .spin = {1.0, 2.0, 3.0}}, 0);
  const double h = 1e-6;
  const RigidBody data = step_data(body, {0.0, 0.0, -10.0}, h);
  // In world axes the inertia is diag(4, 1, 8).
  const Vector3d moment = -h * Vector3d(1.0, 2.0, 3.0).cross(Vector3d(4.0, 2.0, 24.0));
  EXPECT_LE((data.impulse.head<3>() - Vector3d(0.0, 0.0, -20.0 * h)).norm(), 1e-15);
  EXPECT_LE((data.impulse.tail<3>() - moment).norm(), 500.0 * h * h);
  Vector diagonal(6);
  diagonal << 0.5, 0.5, 0.5, 0.25, 1.0, 0.125;
  EXPECT_LE((data.inverse_mass - DenseMatrix(diagonal.asDiagonal())).norm(), 1e-14);
}

// A body without contacts and joints.
void step_freely(Body& body, double time_step) {
  const RigidBody data = step_data(body, Vector3d::Zero(), time_step);
  body.spin += data.inverse_mass.bottomRightCorner<3, 3>() * data.impulse.tail<3>();
  move(body, time_step);
}

Vector3d angular_momentum(const Body& body) {
  return body.orientation * body.inertia.cwiseProduct(body.orientation.conjugate() * body.spin);
}

// The size of the angular momentum stays, also if a step turns the body by a radian. The energy then cannot
// grow beyond that about the axis of the least inertia.
TEST(Body, AFreeBodyKeepsItsAngularMomentum) {
  for (const double h : {0.001, 0.01, 0.1}) {
    Body body = completed({.shape = BoxShape{{0.1, 0.2, 0.3}}, .mass = 6.0, .spin = {5.0, 3.0, 4.0}}, 0);
    const double momentum = angular_momentum(body).norm();
    const double energy_before = energy(body, Vector3d::Zero());
    for (int k = 0; k < 2000; ++k) {
      step_freely(body, h);
      ASSERT_NEAR(angular_momentum(body).norm(), momentum, 1e-11) << h;
    }
    EXPECT_LE(energy(body, Vector3d::Zero()), momentum * momentum / (2.0 * body.inertia.minCoeff()));
    if (h <= 0.01) {
      EXPECT_NEAR(energy(body, Vector3d::Zero()), energy_before, 2e-3 * energy_before) << h;
    }
  }
}

// The axis of a symmetric top turns about the angular momentum L at |L| / I, with I across the axis.
TEST(Body, AFreeTopPrecesses) {
  const double across = 2.0, along = 3.0, h = 1e-3;
  Body body = completed({.mass = 1.0, .inertia = {across, across, along}, .spin = {1.0, 0.0, 4.0}}, 0);
  const Vector3d momentum(across * 1.0, 0.0, along * 4.0);
  const double period = 2.0 * std::numbers::pi * across / momentum.norm();
  const int steps = static_cast<int>(std::lround(5.0 * period / h));
  const double cosine = momentum.normalized().z();
  for (int k = 0; k < steps; ++k) {
    step_freely(body, period * 5.0 / steps);
    const Vector3d axis = body.orientation * Vector3d::UnitZ();
    ASSERT_NEAR(axis.dot(momentum.normalized()), cosine, 1e-3) << k;
  }
  EXPECT_LE((body.orientation * Vector3d::UnitZ() - Vector3d::UnitZ()).norm(), 1e-3);
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
