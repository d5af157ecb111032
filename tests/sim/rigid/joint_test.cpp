// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Closed forms of joints, limits and motors.
#include "slipstick/sim/rigid/joint.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "slipstick/sim/collision/keys.hpp"
#include "slipstick/sim/rigid/simulator.hpp"
#include "slipstick/solve.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal::joint_test {

using Eigen::Vector3d;

constexpr double g = standard_gravity;

Driver exact(double tolerance = 1e-12) {
  return Driver({.settings = {.tolerance = tolerance}});
}

void step(RigidSimulator& simulator, Driver& driver, double time_step) {
  const StepReport& report = simulator.step(time_step, driver);
  ASSERT_EQ(report.status, Status::solved) << simulator.result().message;
}

// The mean time of a swing there and back, from the times at which the speed along x changes its sign.
double period(RigidSimulator& simulator, int body, Driver& driver, double time_step, int half_swings,
              double& joint_error) {
  double first = 0.0, last = 0.0, before = 0.0;
  for (int turns = 0; turns <= half_swings;) {
    step(simulator, driver, time_step);
    if (testing::Test::HasFatalFailure()) return 0.0;
    joint_error = std::max(joint_error, simulator.report().joint_error);
    const double speed = simulator.body(body).velocity.x();
    if (before * speed < 0.0) {
      last = simulator.time() - time_step * speed / (speed - before);
      if (turns == 0) first = last;
      ++turns;
    }
    before = speed;
  }
  return 2.0 * (last - first) / half_swings;
}

// A compound pendulum with amplitude a has the period 2 pi sqrt((I + m l^2) / (m g l)) (1 + a^2 / 16).
double pendulum_period(double mass, double inertia, double length, double amplitude) {
  return 2.0 * std::numbers::pi * std::sqrt((inertia + mass * length * length) / (mass * g * length)) *
         (1.0 + amplitude * amplitude / 16.0);
}

// The period is exact up to O(h^2). A step along the tangent lengthens the arm by l (w h)^2 / 2. The
// correction removes a share of the error, so that it stays below l (w h)^2 / (2 correction).
TEST(Joint, PendulumOnABallJoint) {
  const double length = 0.8, amplitude = 0.2, mass = 1.5, radius = 0.1, h = 1e-3;
  RigidSimulator simulator;
  const int bob =
      simulator.add({.shape = SphereShape{radius},
                     .mass = mass,
                     .position = length * Vector3d(std::sin(amplitude), 0.0, -std::cos(amplitude))});
  simulator.add(BallJoint{.bodies = {bob, -1}});
  Driver driver = exact();
  double joint_error = 0.0;
  const double expected = pendulum_period(mass, 0.4 * mass * radius * radius, length, amplitude);
  EXPECT_NEAR(period(simulator, bob, driver, h, 6, joint_error), expected, 2e-4 * expected);
  const double fastest = amplitude * 2.0 * std::numbers::pi / expected;
  EXPECT_LE(joint_error, 1.05 * length * fastest * fastest * h * h / (2.0 * 0.2));
  EXPECT_GT(joint_error, 0.0);
  EXPECT_LE(std::abs(simulator.body(bob).position.y()), 1e-12);
}

// The same for a box on a hinge along y. It hangs between the two bodies of the joint the other way round.
TEST(Joint, PendulumOnAHinge) {
  const double length = 0.5, amplitude = 0.1, mass = 2.0, h = 1e-3;
  const Eigen::Quaterniond turned(Eigen::AngleAxisd(-amplitude, Vector3d::UnitY()));
  RigidSimulator simulator;
  const int frame = simulator.add(Body{});
  const int bob = simulator.add({.shape = BoxShape{{0.1, 0.2, 0.3}},
                                 .mass = mass,
                                 .position = turned * Vector3d(0.0, 0.0, -length),
                                 .orientation = turned});
  const int hinge = simulator.add(Hinge{.bodies = {frame, bob}, .axis = {0.0, 2.0, 0.0}});
  Driver driver = exact();
  double joint_error = 0.0;
  const double inertia = mass / 3.0 * (0.01 + 0.09);
  const double expected = pendulum_period(mass, inertia, length, amplitude);
  EXPECT_NEAR(period(simulator, bob, driver, h, 6, joint_error), expected, 2e-4 * expected);
  const Body& body = simulator.body(bob);
  EXPECT_LE((body.orientation * Vector3d::UnitY() - Vector3d::UnitY()).norm(), 1e-10);
  // The angle is that of the frame against the box.
  const double swing = std::atan2(-body.position.x(), -body.position.z());
  EXPECT_NEAR(simulator.joint(hinge).angle(), -swing - amplitude, 1e-4);
}

// A spin that is not along the axis: the hinge takes the rest away and keeps the axis.
TEST(Joint, AHingeKeepsItsAxis) {
  RigidSimulator simulator({.gravity = Vector3d::Zero()});
  const int box = simulator.add({.shape = BoxShape{{0.1, 0.2, 0.3}}, .mass = 1.0, .spin = {1.0, -2.0, 5.0}});
  const int hinge = simulator.add(Hinge{.bodies = {box, -1}});
  Driver driver = exact();
  // The gyroscopic moment of the first step has a part along the axis.
  const RigidBody data = step_data(simulator.body(box), Vector3d::Zero(), 0.01);
  const double speed = 5.0 + data.impulse[5] / simulator.body(box).inertia.z();
  EXPECT_NEAR(speed, 5.0, 0.1);
  for (int k = 0; k < 400; ++k) {
    step(simulator, driver, 0.01);
    const Body& body = simulator.body(box);
    EXPECT_LE(body.spin.head<2>().norm(), 1e-9);
    EXPECT_LE((body.orientation * Vector3d::UnitZ() - Vector3d::UnitZ()).norm(), 1e-9);
    EXPECT_NEAR(body.spin.z(), speed, 1e-9);
    EXPECT_NEAR(simulator.joint(hinge).angle(), speed * 0.01 * (k + 1), 1e-8) << "counts whole turns";
  }
  EXPECT_GT(simulator.joint(hinge).angle(), 2.0 * std::numbers::pi);
}

// w_k = torque k h / I up to the target, then it keeps the speed without torque.
TEST(Joint, AMotorReachesItsSpeed) {
  const double torque = 0.5, target = 3.0, h = 0.01, inertia = 0.25;
  RigidSimulator simulator;
  const int rotor = simulator.add({.mass = 1.0, .inertia = {0.1, 0.2, inertia}});
  const int hinge = simulator.add(Hinge{.bodies = {rotor, -1}, .motor = {.speed = target, .torque = torque}});
  Driver driver = exact();
  const std::uint64_t motor = joint_key(hinge, JointPart::motor);
  for (int k = 1; k <= 200; ++k) {
    step(simulator, driver, h);
    EXPECT_NEAR(simulator.body(rotor).spin.z(), std::min(torque * k * h / inertia, target), 1e-10) << k;
    if (torque * k * h / inertia < target) {
      EXPECT_NEAR(simulator.impulse(motor)[0], torque * h, 1e-12) << k;
    }
  }
  EXPECT_NEAR(simulator.impulse(motor)[0], 0.0, 1e-12);
  simulator.set_motor(hinge, {.speed = -target, .torque = torque});
  step(simulator, driver, h);
  EXPECT_NEAR(simulator.body(rotor).spin.z(), target - torque * h / inertia, 1e-10);
}

// The arm closes the angle to its stop exactly. Then the stop holds it against the whole torque.
TEST(Joint, AMotorHoldsAgainstAStop) {
  const double torque = 0.5, h = 0.01;
  for (const double sign : {1.0, -1.0}) {
    RigidSimulator simulator;
    const int rotor = simulator.add({.mass = 1.0, .inertia = {0.1, 0.2, 0.25}});
    const int hinge = simulator.add(Hinge{.bodies = {rotor, -1},
                                          .lower = -0.5,
                                          .upper = 0.5,
                                          .motor = {.speed = 2.0 * sign, .torque = torque}});
    Driver driver = exact();
    double furthest = 0.0;
    for (int k = 0; k < 150; ++k) {
      step(simulator, driver, h);
      furthest = std::max(furthest, sign * simulator.joint(hinge).angle());
    }
    EXPECT_NEAR(furthest, 0.5, 1e-10);
    EXPECT_NEAR(simulator.joint(hinge).angle(), 0.5 * sign, 1e-10);
    EXPECT_NEAR(simulator.body(rotor).spin.z(), 0.0, 1e-10);
    const JointPart stop = sign > 0.0 ? JointPart::upper_limit : JointPart::lower_limit;
    const JointPart other = sign > 0.0 ? JointPart::lower_limit : JointPart::upper_limit;
    EXPECT_NEAR(simulator.impulse(joint_key(hinge, JointPart::motor))[0], sign * torque * h, 1e-12);
    EXPECT_NEAR(simulator.impulse(joint_key(hinge, stop))[0], torque * h, 1e-12);
    EXPECT_EQ(simulator.impulse(joint_key(hinge, other)).size(), 0) << "out of reach";
  }
}

// A motor that has to stand still holds a level arm with m g l if its torque allows it. Otherwise the arm
// falls with (m g l - torque) / I at first.
TEST(Joint, AMotorHoldsAnArm) {
  const double mass = 2.0, l = 0.3, h = 0.01, weight = mass * g * l;
  for (const double torque : {1.1 * weight, 0.9 * weight}) {
    RigidSimulator simulator;
    const int arm = simulator.add({.shape = BoxShape{{l, 0.05, 0.05}}, .mass = mass});
    const int hinge = simulator.add(Hinge{
        .bodies = {arm, -1}, .point = {-l, 0.0, 0.0}, .axis = {0.0, -1.0, 0.0}, .motor = {.torque = torque}});
    Driver driver = exact();
    step(simulator, driver, h);
    const double inertia = simulator.body(arm).inertia.y() + mass * l * l;
    const double left = std::max(weight - torque, 0.0);
    EXPECT_NEAR(simulator.impulse(joint_key(hinge, JointPart::motor))[0], (weight - left) * h, 1e-12);
    EXPECT_NEAR(simulator.body(arm).spin.y(), left * h / inertia, 1e-11);
    EXPECT_NEAR(simulator.joint(hinge).angle(), -left * h * h / inertia, 1e-12);
  }
}

// Stops that are never reached change nothing. Their bias would hide the errors of all other rows.
TEST(Joint, StopsFarAwayChangeNothing) {
  for (const double stop : {10.0, 1e6}) {
    Vector3d positions[2];
    for (const bool stops : {false, true}) {
      RigidSimulator simulator;
      const int arm = simulator.add({.shape = BoxShape{{0.3, 0.1, 0.1}}, .mass = 1.0});
      Hinge hinge{.bodies = {arm, -1}, .point = {-0.3, 0.0, 0.0}, .axis = {0.0, 1.0, 0.0}};
      if (stops) {
        hinge.lower = -stop;
        hinge.upper = stop;
      }
      simulator.add(hinge);
      Driver driver = exact(1e-8);
      for (int k = 0; k < 100; ++k) step(simulator, driver, 0.01);
      positions[stops ? 1 : 0] = simulator.body(arm).position;
    }
    EXPECT_EQ(positions[0], positions[1]) << stop;
  }
}

// Both stops at zero lock a hinge.
TEST(Joint, StopsMayLockAHinge) {
  RigidSimulator simulator;
  const int arm = simulator.add({.shape = BoxShape{{0.3, 0.1, 0.1}}, .mass = 1.0});
  simulator.add(Hinge{
      .bodies = {arm, -1}, .point = {-0.3, 0.0, 0.0}, .axis = {0.0, 1.0, 0.0}, .lower = 0.0, .upper = 0.0});
  Driver driver = exact(1e-10);
  for (int k = 0; k < 50; ++k) step(simulator, driver, 0.01);
  EXPECT_LE(simulator.body(arm).position.norm(), 1e-8);
}

// The error of a joint between two bodies shrinks by the correction, and their momentum stays.
TEST(Joint, ErrorsAreRemoved) {
  RigidSimulator simulator({.gravity = Vector3d::Zero(), .correction = 0.5});
  const int first = simulator.add({.shape = SphereShape{0.1}, .mass = 1.0});
  const int second = simulator.add({.shape = SphereShape{0.1}, .mass = 2.0, .position = {1.0, 0.0, 0.0}});
  simulator.add(BallJoint{.bodies = {first, second}, .point = {0.5, 0.0, 0.0}});
  simulator.set_velocity(first, {-1.0, 0.0, 0.0});
  Driver driver = exact();
  step(simulator, driver, 0.01);
  EXPECT_NEAR(simulator.body(first).velocity.x(), -1.0 / 3.0, 1e-12);
  EXPECT_NEAR(simulator.body(second).velocity.x(), -1.0 / 3.0, 1e-12);
  EXPECT_LE(simulator.report().joint_error, 1e-14);
}

// The arm reaches its stop in step 71.
TEST(Joint, ASettledStepAllocatesNothing) {
  RigidSimulator simulator;
  const int arm = simulator.add({.shape = BoxShape{{0.3, 0.1, 0.1}}, .mass = 1.0});
  const int ball = simulator.add({.shape = SphereShape{0.1}, .mass = 1.0, .position = {0.5, 0.0, 0.0}});
  simulator.add(Hinge{.bodies = {arm, -1},
                      .point = {-0.3, 0.0, 0.0},
                      .lower = -2.0,
                      .upper = 0.2,
                      .motor = {.speed = 1.0, .torque = 2.0}});
  simulator.add(BallJoint{.bodies = {arm, ball}, .point = {0.3, 0.0, 0.0}});
  Driver driver = exact(1e-8);
  for (int k = 0; k < 120; ++k) {
    const std::size_t before = allocations();
    const StepReport& report = simulator.step(0.005, driver);
    const std::size_t allocated = allocations() - before;
    EXPECT_EQ(report.status, Status::solved);
    EXPECT_TRUE(k < 80 || report.rows == 5 + 1 + 1 + 3) << report.rows << " in step " << k;
    EXPECT_TRUE(k < 80 || allocated == 0) << allocated << " in step " << k;
  }
}

TEST(Joint, BadInputIsNamed) {
  RigidSimulator simulator;
  simulator.add({.shape = SphereShape{1.0}, .mass = 1.0});
  const int ball = simulator.add(BallJoint{.bodies = {0, -1}});
  const auto message = [&](const Hinge& hinge) { return message_of([&] { simulator.add(hinge); }); };
  const double nan = std::nan("");
  EXPECT_EQ(message({.bodies = {0, 7}}), "joint 1: body 7 does not exist, expected -1 to 0");
  EXPECT_EQ(message({.bodies = {-2, 0}}), "joint 1: body -2 does not exist, expected -1 to 0");
  EXPECT_EQ(message({.bodies = {0, 0}}), "joint 1: both bodies are 0, expected two different ones");
  EXPECT_EQ(message({.bodies = {0, -1}, .point = {nan, 0.0, 0.0}}),
            "joint 1: entry 0 of the point is nan, expected a finite number");
  EXPECT_EQ(message({.bodies = {0, -1}, .axis = Vector3d::Zero()}),
            "joint 1: the norm of the axis is 0, expected a positive finite number");
  EXPECT_EQ(message({.bodies = {0, -1}, .lower = 0.5}),
            "joint 1: the stops are 0.5 and inf, expected one <= 0 and one >= 0");
  EXPECT_EQ(message({.bodies = {0, -1}, .motor = {.speed = nan}}),
            "joint 1: the speed of the motor is nan, expected a finite number");
  EXPECT_EQ(message({.bodies = {0, -1}, .motor = {.torque = -1.0}}),
            "joint 1: the torque of the motor is -1, expected a finite number >= 0");
  EXPECT_EQ(message_of([&] { simulator.set_motor(ball, {}); }), "joint 0: a ball joint has no motor");
  EXPECT_EQ(message_of([&] { simulator.set_motor(5, {}); }), "joint 5 does not exist, expected 0 to 0");
  simulator.add(Body{.velocity = {1.0, 0.0, 0.0}, .belt = true});
  EXPECT_EQ(message({.bodies = {0, 1}}), "joint 1: body 1 is a belt, which holds no joint");
  EXPECT_EQ(simulator.joints().size(), 1u);
}

}  // namespace slipstick::internal::joint_test
