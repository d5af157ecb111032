// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Rows and errors of every kind of joint, and closed forms of joints, stops, motors, friction and springs.
#include "slipstick/sim/rigid/rigid_joint.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "slipstick/sim/collision/keys.hpp"
#include "tests/sim/rigid/small_scene.hpp"

namespace slipstick::internal::rigid_joint_test {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double g = earth;
constexpr double h = 0.01;

constexpr JointKind kinds[] = {JointKind::ball,  JointKind::hinge,  JointKind::universal,
                               JointKind::fixed, JointKind::slider, JointKind::distance};

// Two bodies in general places, and a joint between them.
struct TwoBodies {
  explicit TwoBodies(JointKind kind) {
    SmallScene scene;
    BodySpec& first = scene.add(2.0, {1.0, 2.0, 2.5});
    first.position = {0.3, -0.4, 0.5};
    first.orientation = AngleAxisd(0.8, Vector3d(1.0, 2.0, -1.0).normalized());
    BodySpec& second = scene.add(3.0, {2.0, 2.5, 3.0});
    second.position = {-0.6, 0.2, 1.0};
    second.orientation = AngleAxisd(-1.1, Vector3d(0.5, -1.0, 1.0).normalized());
    for (const int k : {0, 1}) bodies.emplace_back(scene, k);
    spec = {.kind = kind,
            .bodies = {0, 1},
            .point = {0.1, 0.2, 0.7},
            .second_point = {-0.5, 0.9, 0.4},
            .axis = Vector3d(1.0, 1.0, 0.5).normalized(),
            .second_axis = Vector3d(1.0, -1.0, 0.0).normalized()};
    joint = std::make_unique<RigidJoint>(spec, bodies, 0);
  }

  // J v + errors, for a step of 1 s.
  Vector rows(const Vector& velocities = Vector::Zero(12)) const {
    BodyProblem problem;
    problem.reset(2);
    for (const int k : {0, 1}) {
      RigidBody data = bodies[static_cast<std::size_t>(k)].impact_data();
      data.velocity = velocities.segment<6>(6 * k);
      problem.set_body(k, data);
    }
    joint->add_rows(bodies, {.time_step = 1.0, .correction = 1.0, .curved = false}, problem);
    return problem.q();
  }

  void shift(const Vector& by) {
    for (const int k : {0, 1})
      bodies[static_cast<std::size_t>(k)].shift(by.segment<3>(6 * k), by.segment<3>(6 * k + 3));
  }

  JointSpec spec;
  std::vector<MovingBody> bodies;
  std::unique_ptr<RigidJoint> joint;
};

TEST(RigidJoint, EveryKindHasItsRows) {
  constexpr Index rows[] = {3, 5, 4, 6, 5, 1};
  for (const JointKind kind : kinds) {
    const TwoBodies pair(kind);
    EXPECT_EQ(pair.rows().size(), rows[static_cast<int>(kind)]) << name(kind);
    EXPECT_LE(pair.rows().norm(), 1e-14) << name(kind);
  }
}

// The errors change by the Jacobian times a displacement, up to its square.
TEST(RigidJoint, JacobiansAreTheDerivativesOfTheErrors) {
  constexpr double size = 1e-5;
  for (const JointKind kind : kinds) {
    for (int k = 0; k < 12; ++k) {
      Vector direction = Vector::Zero(12);
      direction[k] = 1.0;
      const Vector jacobian = TwoBodies(kind).rows(direction);
      TwoBodies ahead(kind), behind(kind);
      ahead.shift(size * direction);
      behind.shift(-size * direction);
      const Vector difference = (ahead.rows() - behind.rows()) / (2.0 * size);
      EXPECT_LE((jacobian - difference).norm(), 1e-8) << name(kind) << ", direction " << k;
    }
  }
}

// A hinge that has turned, and a slider that has moved, have no error there and still are right.
TEST(RigidJoint, FreeDirectionsMakeNoError) {
  for (const JointKind kind : {JointKind::hinge, JointKind::slider}) {
    TwoBodies pair(kind);
    const double amount = 0.7;
    const Vector3d axis = pair.spec.axis;
    Vector way = Vector::Zero(12);
    if (kind == JointKind::slider) {
      way.head<3>() = amount * axis;
    } else {
      const Vector3d arm = pair.bodies[0].position() - pair.spec.point;
      const Quaterniond turn(AngleAxisd(amount, axis));
      way.head<3>() = turn * arm - arm;
      way.segment<3>(3) = amount * axis;
    }
    pair.shift(way);
    EXPECT_LE(pair.rows().norm(), 1e-14) << name(kind);
    pair.joint->update(pair.bodies);
    EXPECT_NEAR(pair.joint->coordinate(), amount, 1e-14) << name(kind);
    for (int k = 0; k < 12; ++k) {
      Vector direction = Vector::Zero(12);
      direction[k] = 1.0;
      TwoBodies ahead(kind), behind(kind);
      for (TwoBodies* moved : {&ahead, &behind}) {
        moved->shift(way);
        moved->shift((moved == &ahead ? 1e-5 : -1e-5) * direction);
      }
      const Vector difference = (ahead.rows() - behind.rows()) / 2e-5;
      EXPECT_LE((pair.rows(direction) - difference).norm(), 1e-8) << name(kind) << ", direction " << k;
    }
  }
}

// The mean time of a swing there and back, from the times at which the speed along x changes its sign.
double period(World& world, int body, double time_step, int half_swings, double& joint_error) {
  Driver driver = driver_of();
  double first = 0.0, last = 0.0, before = 0.0;
  for (int turns = 0; turns <= half_swings && !testing::Test::HasFailure();) {
    joint_error = std::max(joint_error, solved_step(world, driver, time_step).joint_error);
    const double speed = world.body(body).velocity.x();
    if (before * speed < 0.0) {
      last = world.time() - time_step * speed / (speed - before);
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

TEST(RigidJoint, PendulumOnABallJoint) {
  const double length = 0.8, amplitude = 0.2, mass = 1.5, radius = 0.1;
  SmallScene scene;
  scene.add(SphereShape{radius}, mass, length * Vector3d(std::sin(amplitude), 0.0, -std::cos(amplitude)));
  scene.joints.push_back({.kind = JointKind::ball, .bodies = {0, -1}});
  World world(scene);
  double joint_error = 0.0;
  const double expected = pendulum_period(mass, 0.4 * mass * radius * radius, length, amplitude);
  EXPECT_NEAR(period(world, 0, 2e-3, 4, joint_error), expected, 4e-4 * expected);
  EXPECT_LE(joint_error, 1e-5 * length);
  EXPECT_LE(std::abs(world.body(0).position.y()), 1e-12);
}

// A box on a hinge along y, as the second body of the joint.
TEST(RigidJoint, PendulumOnAHinge) {
  const double length = 0.5, amplitude = 0.1, mass = 2.0;
  const Quaterniond turned(AngleAxisd(-amplitude, Vector3d::UnitY()));
  SmallScene scene;
  scene.add({.kind = BodyKind::fixed});
  scene.add(BoxShape{{0.2, 0.4, 0.6}}, mass, turned * Vector3d(0.0, 0.0, -length), turned);
  scene.joints.push_back({.kind = JointKind::hinge, .bodies = {0, 1}, .axis = {0.0, 2.0, 0.0}});
  World world(scene);
  double joint_error = 0.0;
  const double expected = pendulum_period(mass, mass / 3.0 * (0.01 + 0.09), length, amplitude);
  EXPECT_NEAR(period(world, 1, 2e-3, 4, joint_error), expected, 4e-4 * expected);
  const BodyState body = world.body(1);
  EXPECT_LE((body.orientation * Vector3d::UnitY() - Vector3d::UnitY()).norm(), 1e-10);
  // The angle is that of the frame against the box.
  const double swing = std::atan2(-body.position.x(), -body.position.z());
  Frame frame;
  world.fill(frame);
  EXPECT_NEAR(frame.joints[0].coordinate, -swing - amplitude, 1e-4);
}

// A spin that is not along the axis: the hinge takes the rest away and keeps the axis.
TEST(RigidJoint, AHingeKeepsItsAxisAndCountsTurns) {
  SmallScene scene;
  scene.gravity.setZero();
  scene.add(BoxShape{{0.2, 0.4, 0.6}}, 1.0).spin = {0.1, -0.2, 5.0};
  scene.joints.push_back({.kind = JointKind::hinge, .bodies = {0, -1}});
  World world(scene);
  Driver driver = driver_of();
  double angle = 0.0;
  Frame frame;
  for (int k = 0; k < 400; ++k) {
    solved_step(world, driver, h);
    world.fill(frame);
    const BodyState body = world.body(0);
    EXPECT_LE((body.orientation * Vector3d::UnitZ() - Vector3d::UnitZ()).norm(), 1e-4) << k;
    EXPECT_NEAR(body.spin.z(), 5.0, 0.05) << k;
    EXPECT_NEAR(frame.joints[0].coordinate - angle, body.spin.z() * h, 1e-4) << k;
    angle = frame.joints[0].coordinate;
  }
  EXPECT_GT(angle, 6.0 * std::numbers::pi);
}

// w_k = torque k h / I up to the target, then it keeps the speed without torque.
TEST(RigidJoint, AMotorReachesItsSpeed) {
  const double torque = 0.5, target = 3.0, inertia = 0.25;
  SmallScene scene;
  scene.add(1.0, {0.1, 0.2, inertia});
  scene.joints.push_back(
      {.kind = JointKind::hinge, .bodies = {0, -1}, .motor_speed = target, .motor_force = torque});
  World world(scene);
  Driver driver = driver_of();
  const std::uint64_t motor = joint_key(0, JointPart::motor);
  double work = 0.0;
  for (int k = 1; k <= 200; ++k) {
    work += solved_step(world, driver, h).energy.motors;
    EXPECT_NEAR(world.body(0).spin.z(), std::min(torque * k * h / inertia, target), 1e-10) << k;
    if (torque * k * h / inertia < target) {
      EXPECT_NEAR(impulse_of(world, motor), torque * h, 1e-12) << k;
    }
  }
  EXPECT_NEAR(work, 0.5 * inertia * target * target, 1e-10);
  EXPECT_NEAR(impulse_of(world, motor), 0.0, 1e-12);
  world.set_motor(0, -target, torque);
  solved_step(world, driver, h);
  EXPECT_NEAR(world.body(0).spin.z(), target - torque * h / inertia, 1e-10);
}

// The same along a slider: it lifts a body against its weight.
TEST(RigidJoint, AMotorLiftsOnASlider) {
  const double mass = 2.0, force = 1.5 * mass * g, target = 0.2;
  SmallScene scene;
  scene.add(mass, {1.0, 1.0, 1.0}).position = {0.5, 0.0, 0.0};
  scene.joints.push_back({.kind = JointKind::slider,
                          .bodies = {0, -1},
                          .point = {0.5, 0.0, 0.0},
                          .upper = 0.1,
                          .motor_speed = target,
                          .motor_force = force});
  World world(scene);
  Driver driver = driver_of();
  Frame frame;
  for (int k = 1; k <= 100; ++k) {
    solved_step(world, driver, h);
    world.fill(frame);
    EXPECT_LE(frame.joints[0].coordinate, 0.1 + 1e-10);
    if (k < 40) {
      EXPECT_NEAR(world.body(0).velocity.z(), std::min(0.5 * g * k * h, target), 1e-10) << k;
    }
  }
  EXPECT_NEAR(frame.joints[0].coordinate, 0.1, 1e-10);
  EXPECT_NEAR(impulse_of(world, joint_key(0, JointPart::upper_limit)), (force - mass * g) * h, 1e-10);
  EXPECT_LE((world.body(0).position - Vector3d(0.5, 0.0, 0.1)).norm(), 1e-10);
}

// The arm closes the angle to its stop exactly. Then the stop holds it against the whole torque.
TEST(RigidJoint, AMotorHoldsAgainstAStop) {
  const double torque = 0.5;
  for (const double sign : {1.0, -1.0}) {
    SmallScene scene;
    scene.add(1.0, {0.1, 0.2, 0.25});
    scene.joints.push_back({.kind = JointKind::hinge,
                            .bodies = {0, -1},
                            .lower = -0.5,
                            .upper = 0.5,
                            .motor_speed = 2.0 * sign,
                            .motor_force = torque});
    World world(scene);
    Driver driver = driver_of();
    double furthest = 0.0;
    Frame frame;
    for (int k = 0; k < 150; ++k) {
      solved_step(world, driver, h);
      world.fill(frame);
      furthest = std::max(furthest, sign * frame.joints[0].coordinate);
    }
    EXPECT_NEAR(furthest, 0.5, 1e-10);
    EXPECT_NEAR(frame.joints[0].coordinate, 0.5 * sign, 1e-10);
    EXPECT_NEAR(world.body(0).spin.z(), 0.0, 1e-10);
    const JointPart stop = sign > 0.0 ? JointPart::upper_limit : JointPart::lower_limit;
    const JointPart other = sign > 0.0 ? JointPart::lower_limit : JointPart::upper_limit;
    EXPECT_NEAR(impulse_of(world, joint_key(0, JointPart::motor)), sign * torque * h, 1e-12);
    EXPECT_NEAR(impulse_of(world, joint_key(0, stop)), torque * h, 1e-12);
    EXPECT_EQ(world.problem().first_row(joint_key(0, other)), -1) << "out of reach";
  }
}

// A motor that has to stand still, or friction, holds a level arm with m g l if its torque allows it.
// Otherwise the arm falls with (m g l - torque) / I at first.
TEST(RigidJoint, MotorsAndFrictionHoldAnArm) {
  const double mass = 2.0, l = 0.3, weight = mass * g * l;
  for (const bool motor : {true, false}) {
    for (const double torque : {1.1 * weight, 0.9 * weight}) {
      SmallScene scene;
      scene.add(BoxShape{{2.0 * l, 0.1, 0.1}}, mass);
      JointSpec hinge{
          .kind = JointKind::hinge, .bodies = {0, -1}, .point = {-l, 0.0, 0.0}, .axis = {0.0, -1.0, 0.0}};
      (motor ? hinge.motor_force : hinge.friction) = torque;
      scene.joints.push_back(hinge);
      World world(scene);
      Driver driver = driver_of();
      solved_step(world, driver, h);
      const double inertia = mass / 12.0 * (4.0 * l * l + 0.01) + mass * l * l;
      const double left = std::max(weight - torque, 0.0);
      const JointPart part = motor ? JointPart::motor : JointPart::friction;
      EXPECT_NEAR(impulse_of(world, joint_key(0, part)), (weight - left) * h, 1e-11);
      EXPECT_NEAR(world.body(0).spin.y(), left * h / inertia, 1e-10);
      for (int k = 1; k < 50; ++k) solved_step(world, driver, h);
      const double fallen = -world.body(0).position.z();
      EXPECT_TRUE(left > 0.0 ? fallen > 0.02 : fallen < 1e-8) << fallen;
    }
  }
}

// Stops that are never reached change nothing. Their bias would hide the errors of all other rows.
TEST(RigidJoint, StopsFarAwayChangeNothing) {
  for (const double stop : {10.0, 1e6}) {
    Vector3d positions[2];
    for (const bool stops : {false, true}) {
      SmallScene scene;
      scene.add(BoxShape{{0.6, 0.2, 0.2}}, 1.0);
      JointSpec hinge{
          .kind = JointKind::hinge, .bodies = {0, -1}, .point = {-0.3, 0.0, 0.0}, .axis = {0.0, 1.0, 0.0}};
      if (stops) {
        hinge.lower = -stop;
        hinge.upper = stop;
      }
      scene.joints.push_back(hinge);
      World world(scene);
      Driver driver = driver_of(1e-8);
      for (int k = 0; k < 100; ++k) solved_step(world, driver, h);
      positions[stops ? 1 : 0] = world.body(0).position;
    }
    EXPECT_EQ(positions[0], positions[1]) << stop;
  }
}

// Both stops at zero lock a hinge.
TEST(RigidJoint, StopsMayLockAHinge) {
  SmallScene scene;
  scene.add(BoxShape{{0.6, 0.2, 0.2}}, 1.0);
  scene.joints.push_back({.kind = JointKind::hinge,
                          .bodies = {0, -1},
                          .point = {-0.3, 0.0, 0.0},
                          .axis = {0.0, 1.0, 0.0},
                          .lower = 0.0,
                          .upper = 0.0});
  World world(scene);
  Driver driver = driver_of(1e-10);
  for (int k = 0; k < 50; ++k) solved_step(world, driver, h);
  EXPECT_LE(world.body(0).position.norm(), 1e-8);
}

// Gravity alone turns the arm beyond its one stop in a step, which did not see it. The projection brings it
// back.
TEST(RigidJoint, AnArmBeyondItsStopComesBack) {
  SmallScene scene;
  scene.add(BoxShape{{0.6, 0.2, 0.2}}, 1.0);
  scene.joints.push_back({.kind = JointKind::hinge,
                          .bodies = {0, -1},
                          .point = {-0.3, 0.0, 0.0},
                          .axis = {0.0, 1.0, 0.0},
                          .upper = 1e-4});
  World world(scene);
  Driver driver = driver_of();
  Frame frame;
  for (int k = 0; k < 20; ++k) {
    solved_step(world, driver, h);
    world.fill(frame);
    EXPECT_LE(frame.joints[0].coordinate, 1e-4 + 2e-5) << k;
  }
  EXPECT_NEAR(world.body(0).spin.y(), 0.0, 1e-9);
}

// The weight is above or below what the joint holds.
TEST(RigidJoint, AJointBreaks) {
  for (const double holds : {0.9, 1.1}) {
    SmallScene scene;
    scene.add(SphereShape{0.1}, 2.0, {0.0, 0.0, -0.5});
    scene.joints.push_back({.kind = JointKind::ball, .bodies = {0, -1}, .breaking_force = holds * 2.0 * g});
    scene.add(BoxShape{{1.0, 0.1, 0.1}}, 2.0, {0.5, 3.0, 0.0});
    scene.joints.push_back({.kind = JointKind::fixed,
                            .bodies = {1, -1},
                            .point = {0.0, 3.0, 0.0},
                            .breaking_torque = holds * 2.0 * g * 0.5});
    World world(scene);
    Driver driver = driver_of();
    for (int k = 0; k < 20; ++k) solved_step(world, driver, h);
    Frame frame;
    world.fill(frame);
    for (const int k : {0, 1}) {
      EXPECT_EQ(frame.joints[static_cast<std::size_t>(k)].broken, holds < 1.0) << k;
      if (holds < 1.0) {
        // The step in which it broke still held.
        EXPECT_NEAR(world.body(k).velocity.z(), -g * 19 * h, 1e-9) << k;
      } else {
        EXPECT_LE(world.body(k).velocity.norm(), 1e-9) << k;
      }
    }
    if (holds > 1.0) {
      EXPECT_LE((frame.joints[0].force - Vector3d(0.0, 0.0, 2.0 * g)).norm(), 1e-9);
      EXPECT_LE((frame.joints[1].torque - Vector3d(0.0, -g, 0.0)).norm(), 1e-9);
    } else {
      EXPECT_EQ(world.record().rows, 0);
    }
  }
}

// A rod keeps its length while it swings.
TEST(RigidJoint, ADistanceStays) {
  SmallScene scene;
  scene.add(SphereShape{0.1}, 1.0, {0.6, 0.0, -0.8});
  scene.joints.push_back({.kind = JointKind::distance,
                          .bodies = {0, -1},
                          .point = {0.6, 0.0, -0.8},
                          .second_point = {0.0, 0.0, 0.0}});
  World world(scene);
  Driver driver = driver_of();
  for (int k = 0; k < 200; ++k) {
    const StepRecord& record = solved_step(world, driver, h);
    EXPECT_NEAR(world.body(0).position.norm(), 1.0, 2e-5) << k;
    EXPECT_NEAR(energy_of(record), -0.8 * g, 0.01 * g) << k;
  }
}

// x' = x + h v', m v' = m v - h (k x' + b v'): implicit Euler, up to O(h) of the damped oscillation.
TEST(RigidJoint, ASoftJointIsASpringAndDamper) {
  const double mass = 2.0, k = 80.0, b = 1.6, time_step = 1e-3;
  SmallScene scene;
  scene.gravity.setZero();
  scene.add(SphereShape{0.1}, mass).velocity = {1.0, 0.0, 0.0};
  scene.joints.push_back(
      {.kind = JointKind::ball, .bodies = {0, -1}, .soft = Stiffness{.stiffness = k, .damping = b}});
  World world(scene);
  Driver driver = driver_of();
  double x = 0.0, v = 1.0;
  const double decay = b / (2.0 * mass), w = std::sqrt(k / mass - decay * decay);
  for (int step = 1; step <= 1000; ++step) {
    solved_step(world, driver, time_step);
    v = (v - time_step * k * x / mass) / (1.0 + time_step * (b + time_step * k) / mass);
    x += time_step * v;
    ASSERT_NEAR(world.body(0).position.x(), x, 1e-9) << step;
    const double t = step * time_step;
    ASSERT_NEAR(x, std::exp(-decay * t) * std::sin(w * t) / w, 5e-3) << step;
  }
}

// The same for turns, with a softness of their own. The point stays where it is.
TEST(RigidJoint, TurnsHaveTheirOwnSoftness) {
  const double inertia = 0.5, k = 20.0, b = 0.4, time_step = 1e-3;
  for (const bool soft : {false, true}) {
    SmallScene scene;
    scene.gravity.setZero();
    scene.add(1.0, {inertia, inertia, inertia}).spin = {0.0, 0.0, 1.0};
    JointSpec joint{.kind = JointKind::fixed, .bodies = {0, -1}};
    if (soft) joint.soft = Stiffness{.stiffness = 1e4, .damping = 1.0};
    joint.turn_soft = Stiffness{.stiffness = k, .damping = b};
    scene.joints.push_back(joint);
    World world(scene);
    Driver driver = driver_of();
    double angle = 0.0, spin = 1.0;
    for (int step = 1; step <= 500; ++step) {
      solved_step(world, driver, time_step);
      spin = (spin - time_step * k * angle / inertia) / (1.0 + time_step * (b + time_step * k) / inertia);
      angle += time_step * spin;
      ASSERT_NEAR(world.body(0).spin.z(), spin, 1e-9) << step;
    }
    EXPECT_LE(world.body(0).position.norm(), 1e-12);
  }
}

// A spring hangs down by m g / k.
TEST(RigidJoint, ASoftJointGivesWay) {
  const double mass = 2.0, k = 500.0;
  SmallScene scene;
  scene.add(SphereShape{0.1}, mass);
  scene.joints.push_back(
      {.kind = JointKind::ball, .bodies = {0, -1}, .soft = Stiffness{.stiffness = k, .damping = 60.0}});
  World world(scene);
  Driver driver = driver_of();
  for (int step = 0; step < 300; ++step) solved_step(world, driver, h);
  EXPECT_NEAR(world.body(0).position.z(), -mass * g / k, 1e-9);
}

// Baumgarte's scheme removes a share of an error in every step.
TEST(RigidJoint, ErrorsAreRemovedByVelocities) {
  SmallScene scene;
  scene.gravity.setZero();
  scene.stepping.scheme = SteppingScheme::baumgarte;
  scene.stepping.baumgarte = 0.5;
  scene.add(SphereShape{0.1}, 1.0);
  scene.add(SphereShape{0.1}, 2.0, {1.0, 0.0, 0.0});
  scene.joints.push_back({.kind = JointKind::ball, .bodies = {0, 1}, .point = {0.5, 0.0, 0.0}});
  World world(scene);
  BodyState moved = world.body(0);
  moved.position.x() -= 0.03;
  world.set_body(0, moved);
  Driver driver = driver_of();
  for (int k = 1; k <= 5; ++k) {
    EXPECT_NEAR(solved_step(world, driver, h).joint_error, 0.03 * std::pow(0.5, k), 1e-12);
    const Vector3d momentum = world.record().momentum;
    EXPECT_LE(momentum.norm(), 1e-12);
  }
}

}  // namespace slipstick::internal::rigid_joint_test
