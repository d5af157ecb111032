// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/moving_body.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/sim/rigid/small_scene.hpp"

namespace slipstick::internal::moving_body_test {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

MovingBody top(const Vector3d& moments, const Vector3d& spin, double mass = 1.0) {
  SmallScene scene;
  scene.add(mass, moments).spin = spin;
  return MovingBody(scene, 0);
}

// A step without impulses.
void step_freely(MovingBody& body, double time_step) {
  body.prepare(time_step, Matrix3d::Zero());
  const RigidBody data = body.step_data(Vector3d::Zero(), Vector3d::Zero(), time_step);
  body.accelerate(data.velocity.head<3>(), data.velocity.tail<3>());
  body.move(time_step, Vector3d::Zero());
}

// A constant spin turns the body by spin times time, however large the steps are.
TEST(MovingBody, MovesByTheRotationVector) {
  for (const int steps : {1, 7, 100}) {
    SmallScene scene;
    BodySpec& spec = scene.add(SphereShape{1.0}, 1.0);
    spec.velocity = {1.0, -2.0, 3.0};
    spec.spin = {1.0, 2.0, -2.0};
    MovingBody body(scene, 0);
    for (int k = 0; k < steps; ++k) step_freely(body, 0.5 / steps);
    EXPECT_LE((body.position() - Vector3d(0.5, -1.0, 1.5)).norm(), 1e-14);
    const Quaterniond expected(AngleAxisd(1.5, Vector3d(1.0, 2.0, -2.0) / 3.0));
    EXPECT_LE(body.orientation().angularDistance(expected), 1e-7) << steps;
  }
}

TEST(MovingBody, ABeltStaysInPlace) {
  SmallScene scene;
  scene.add_moved(PlaneShape{}, BeltMotion{.velocity = {1.0, 0.0, 0.0}});
  MovingBody belt(scene, 0);
  belt.drive({1.0, 0.0, 0.0}, {0.0, 0.0, 1.0});
  belt.move(1.0, Vector3d::Zero());
  EXPECT_TRUE(belt.is_belt());
  EXPECT_FALSE(belt.movable());
  EXPECT_EQ(belt.position(), Vector3d(Vector3d::Zero()));
  EXPECT_EQ(belt.orientation().coeffs(), Quaterniond::Identity().coeffs());
  EXPECT_EQ(belt.velocity_at({0.0, 1.0, 0.0}), Vector3d(0.0, 0.0, 0.0));
  EXPECT_EQ(belt.kinetic_energy(), 0.0);
}

// The state is that of the origin, the velocity that of the centre of mass.
TEST(MovingBody, AnOriginOffTheCentre) {
  SmallScene scene;
  BodySpec& spec = scene.add(2.0, {1.0, 1.0, 1.0});
  spec.centre_of_mass = Vector3d(1.0, 0.0, 0.0);
  spec.position = {0.0, 0.0, 5.0};
  spec.orientation = AngleAxisd(0.5 * std::numbers::pi, Vector3d::UnitZ());
  spec.velocity = {1.0, 2.0, 3.0};
  spec.spin = {0.0, 0.0, 2.0};
  MovingBody body(scene, 0);
  EXPECT_LE((body.position() - Vector3d(0.0, 1.0, 5.0)).norm(), 1e-15);
  EXPECT_LE((body.state().position - Vector3d(0.0, 0.0, 5.0)).norm(), 1e-15);
  EXPECT_EQ(body.state().velocity, Vector3d(1.0, 2.0, 3.0));
  // spin x (origin - centre) = 2 z x (-y) = 2 x
  EXPECT_LE((body.origin_state().velocity - Vector3d(3.0, 2.0, 3.0)).norm(), 1e-15);
  EXPECT_NEAR(body.kinetic_energy(), 0.5 * (2.0 * 14.0 + 4.0), 1e-14);
}

TEST(MovingBody, StepDataHaveForceAndInertia) {
  SmallScene scene;
  BodySpec& spec = scene.add(2.0, {1.0, 4.0, 4.5});
  spec.orientation = AngleAxisd(0.5 * std::numbers::pi, Vector3d::UnitZ());
  MovingBody body(scene, 0);
  const double h = 0.1;
  body.prepare(h, Matrix3d::Zero());
  const RigidBody data = body.step_data({0.0, 0.0, -20.0}, {1.0, 0.0, 0.0}, h);
  EXPECT_LE((data.impulse - (Vector(6) << 0.0, 0.0, -2.0, 0.1, 0.0, 0.0).finished()).norm(), 1e-15);
  // In world axes the inertia is diag(4, 1, 4.5).
  Vector diagonal(6);
  diagonal << 0.5, 0.5, 0.5, 0.25, 1.0, 1.0 / 4.5;
  EXPECT_LE((data.inverse_mass - DenseMatrix(diagonal.asDiagonal())).norm(), 1e-14);
  // The geometric stiffness adds h^2 K to the inertia.
  body.prepare(h, Vector3d(100.0, 0.0, 0.0).asDiagonal());
  const RigidBody stiff = body.step_data(Vector3d::Zero(), Vector3d::Zero(), h);
  EXPECT_NEAR(stiff.inverse_mass(3, 3), 1.0 / 5.0, 1e-14);
  EXPECT_NEAR(stiff.inverse_mass(4, 4), 1.0, 1e-14);
}

// Against differences of the moment of a constant force on a point of a body that turns.
TEST(MovingBody, TurningStiffness) {
  const Vector3d arm(0.3, -0.2, 0.5), force(4.0, 1.0, -2.0);
  Matrix3d derivative;
  const double turn = 1e-6;
  for (int k = 0; k < 3; ++k) {
    const auto moment = [&](double angle) {
      return Vector3d((Eigen::AngleAxisd(angle, Vector3d::Unit(k)) * arm).cross(force));
    };
    derivative.col(k) = (moment(turn) - moment(-turn)) / (2.0 * turn);
  }
  EXPECT_LE((turning_stiffness(arm, force) + 0.5 * (derivative + derivative.transpose())).norm(), 1e-9);
}

// An asymmetric top that spins near its middle axis tumbles for a minute.
TEST(MovingBody, ATumblingTopKeepsItsMomentumAndEnergy) {
  MovingBody body = top({1.0, 2.0, 3.0}, {0.01, 2.0, 0.01});
  const Vector3d momentum = body.angular_momentum();
  const double energy = body.kinetic_energy();
  double least = 1.0;
  for (int k = 0; k < 3600; ++k) {
    step_freely(body, 1.0 / 60.0);
    ASSERT_LE((body.angular_momentum() - momentum).norm(), 1e-10) << k;
    ASSERT_NEAR(body.kinetic_energy(), energy, 0.01 * energy) << k;
    least = std::min(least, (body.orientation() * Vector3d::UnitY()).y());
  }
  EXPECT_LT(least, -0.9) << "it did not tumble";
}

// Also if a step turns the body by a radian.
TEST(MovingBody, AFastTopKeepsItsMomentum) {
  for (const double h : {0.001, 0.01, 0.1}) {
    MovingBody body = top({0.26, 0.2, 0.1}, {5.0, 3.0, 4.0}, 6.0);
    const Vector3d momentum = body.angular_momentum();
    const double energy = body.kinetic_energy();
    for (int k = 0; k < 2000; ++k) {
      step_freely(body, h);
      ASSERT_LE((body.angular_momentum() - momentum).norm(), 1e-11) << h;
    }
    EXPECT_LE(body.kinetic_energy(), momentum.squaredNorm() / (2.0 * 0.1) * (1.0 + 1e-12));
    if (h <= 0.01) {
      EXPECT_NEAR(body.kinetic_energy(), energy, 2e-3 * energy) << h;
    }
  }
}

// The axis of a symmetric top turns about the angular momentum L at |L| / I, with I across the axis.
TEST(MovingBody, AFreeTopPrecesses) {
  const double across = 2.0, along = 3.0, h = 1e-3;
  MovingBody body = top({across, across, along}, {1.0, 0.0, 4.0});
  const Vector3d momentum(across * 1.0, 0.0, along * 4.0);
  const double period = 2.0 * std::numbers::pi * across / momentum.norm();
  const int steps = static_cast<int>(std::lround(5.0 * period / h));
  const double cosine = momentum.normalized().z();
  for (int k = 0; k < steps; ++k) {
    step_freely(body, period * 5.0 / steps);
    const Vector3d axis = body.orientation() * Vector3d::UnitZ();
    ASSERT_NEAR(axis.dot(momentum.normalized()), cosine, 1e-4) << k;
  }
  EXPECT_LE((body.orientation() * Vector3d::UnitZ() - Vector3d::UnitZ()).norm(), 1e-3);
}

// A drift there and back is no motion, and a kick changes the momenta by what it is.
TEST(MovingBody, DriftsAndKicks) {
  SmallScene scene;
  BodySpec& spec = scene.add(2.0, {1.0, 1.0, 1.0});
  spec.velocity = {1.0, 0.0, 2.0};
  spec.spin = {0.0, 1.0, 0.0};
  MovingBody body(scene, 0);
  const Vector3d gravity(0.0, 0.0, -10.0);
  body.drift(0.1, gravity);
  EXPECT_LE((body.position() - Vector3d(0.1, 0.0, 0.15)).norm(), 1e-15);
  EXPECT_LE((body.velocity() - Vector3d(1.0, 0.0, 1.0)).norm(), 1e-15);
  body.drift(-0.1, gravity);
  EXPECT_LE(body.position().norm(), 1e-15);
  EXPECT_LE(body.orientation().angularDistance(Quaterniond::Identity()), 1e-7);
  body.kick({0.0, 0.0, 0.0}, {3.0, 0.0, 0.0});
  EXPECT_EQ(body.velocity(), Vector3d(Vector3d::Zero()));
  EXPECT_LE((body.angular_momentum() - Vector3d(3.0, 0.0, 0.0)).norm(), 1e-15);
}

TEST(MovingBody, RestoresItsBits) {
  MovingBody body = top({1.0, 2.0, 2.5}, {0.3, -0.2, 5.0});
  step_freely(body, 0.01);
  MovingBody copy = top({1.0, 2.0, 2.5}, {9.0, 9.0, 9.0});
  copy.restore(body.kept());
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(copy.orientation().coeffs(), body.orientation().coeffs());
    EXPECT_EQ(copy.spin(), body.spin());
    step_freely(body, 0.01);
    step_freely(copy, 0.01);
  }
}

}  // namespace slipstick::internal::moving_body_test
