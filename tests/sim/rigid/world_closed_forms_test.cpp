// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Built-in scenes against the closed forms of continuous time.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "slipstick/scenes/scene_table.hpp"
#include "tests/sim/rigid/small_scene.hpp"

namespace slipstick::internal::world_closed_forms_test {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double g = earth;
constexpr double degree = std::numbers::pi / 180.0;

// A block on a slope whose tangent is `share` times the friction.
struct Incline {
  Incline(double share, double mu, double direction, double tolerance, double speed = 0.0)
      : angle(std::atan(share * mu)),
        scene(make_scene(
            "incline",
            {{"angle", angle / degree}, {"direction", direction}, {"speed", speed}, {"friction", mu}})),
        world(scene),
        driver(driver_of(tolerance)),
        downhill(std::cos(angle) * std::cos(direction * degree),
                 std::cos(angle) * std::sin(direction * degree), -std::sin(angle)) {}

  double angle;
  Scene scene;
  World world;
  Driver driver;
  Vector3d downhill;
};

constexpr std::array directions = {0.0, 17.0, 45.0, 90.0, 133.0, 200.0, 301.0};

// Below the friction angle by 0.1 % it does not creep, at the tolerance of a simulation.
TEST(ClosedForms, ABlockSticksBelowTheThreshold) {
  for (const double mu : {0.3, 0.7}) {
    for (const double direction : directions) {
      Incline incline(0.999, mu, direction, 1e-4);
      const Vector3d start = incline.world.body(1).position;
      for (int k = 0; k < 60; ++k) solved_step(incline.world, incline.driver, incline.scene.step);
      EXPECT_LE((incline.world.body(1).position - start).norm(), 1e-6) << mu << ", direction " << direction;
    }
  }
}

// With bounds of friction from the impulses without friction. A box across its axes holds more, so the slope
// is along an axis.
TEST(ClosedForms, ABlockSticksInOnePass) {
  for (const double share : {0.999, 1.001}) {
    Incline incline(share, 0.3, 0.0, 1e-10);
    Driver driver = driver_of(1e-10, FrictionLaw::box_once);
    const Vector3d start = incline.world.body(1).position;
    for (int k = 0; k < 60; ++k) solved_step(incline.world, driver, incline.scene.step);
    const double time = incline.world.time();
    const double acceleration = g * (std::sin(incline.angle) - 0.3 * std::cos(incline.angle));
    const double length = (incline.world.body(1).position - start).norm();
    if (share < 1.0) {
      EXPECT_LE(length, 1e-6);
    } else {
      EXPECT_NEAR(length, 0.5 * acceleration * time * time, 0.02 * length);
    }
  }
}

// Above it by 0.1 % it slides, downhill and with g (sin - mu cos). Its speed is exact, whatever the step.
TEST(ClosedForms, ABlockSlidesAboveTheThreshold) {
  for (const double share : {1.001, 1.5}) {
    for (const double direction : directions) {
      const double mu = 0.3;
      Incline incline(share, mu, direction, 1e-10);
      for (int k = 0; k < 60; ++k) solved_step(incline.world, incline.driver, incline.scene.step);
      const double acceleration = g * (std::sin(incline.angle) - mu * std::cos(incline.angle));
      const Vector3d velocity = acceleration * incline.world.time() * incline.downhill;
      EXPECT_LE((incline.world.body(1).velocity - velocity).norm(), 1e-5 * velocity.norm())
          << share << ", direction " << direction;
    }
  }
}

// At the tolerance of a simulation the threshold is as sharp, for a block that moves already.
TEST(ClosedForms, ABlockStopsOnlyBelowTheThreshold) {
  const double mu = 0.3, speed = 1e-3;
  for (const double share : {0.999, 1.001}) {
    Incline incline(share, mu, 30.0, 1e-4, speed);
    for (int k = 0; k < 60; ++k) solved_step(incline.world, incline.driver, incline.scene.step);
    const double acceleration = g * (std::sin(incline.angle) - mu * std::cos(incline.angle));
    const double expected = std::max(speed + acceleration * incline.world.time(), 0.0);
    EXPECT_EQ(expected > 0.0, share > 1.0);
    EXPECT_NEAR(incline.world.body(1).velocity.dot(incline.downhill), expected, 0.05 * speed) << share;
  }
}

// It slips for 2 v0 / (7 mu g) over 12 v0^2 / (49 mu g), and then rolls at 5 v0 / 7.
TEST(ClosedForms, AThrownSphereSlipsAndRolls) {
  const double v0 = 2.0, mu = 0.3, h = 1e-3;
  const double slip_time = 2.0 * v0 / (7.0 * mu * g), slip_way = 12.0 * v0 * v0 / (49.0 * mu * g);
  for (const double direction : {0.0, 71.0}) {
    const Scene scene = make_scene("rolling", {{"speed", v0}, {"friction", mu}, {"direction", direction}});
    World world(scene);
    Driver driver = driver_of(1e-4);
    const Vector3d along(std::cos(direction * degree), std::sin(direction * degree), 0.0);
    double slipped = 0.0, way = 0.0;
    while (world.time() < 0.3) {
      solved_step(world, driver, h);
      ASSERT_EQ(world.result().states.size(), 1u);
      if (world.result().states[0] != ContactState::slip) continue;
      slipped = world.time();
      way = world.body(1).position.dot(along);
    }
    EXPECT_NEAR(slipped, slip_time, 1e-2 * slip_time) << direction;
    EXPECT_NEAR(way, slip_way, 1e-2 * slip_way) << direction;
    const BodyState ball = world.body(1);
    EXPECT_LE((ball.velocity - 5.0 / 7.0 * v0 * along).norm(), 1e-4 * v0) << direction;
    EXPECT_LE((0.1 * ball.spin - Vector3d::UnitZ().cross(ball.velocity)).norm(), 1e-4 * v0) << direction;
  }
}

// A slender rod that slides on its lower end, towards that end.
struct Painleve {
  explicit Painleve(double mu)
      : scene(make_scene("painleve", {{"friction", mu}})), world(scene), driver(driver_of(1e-10)) {}

  // From the centre to the place of contact.
  Vector2d arm() const {
    const BodyState rod = world.body(1);
    const Vector3d axis = rod.orientation * Vector3d::UnitZ();
    return {-0.5 * axis.x(), -rod.position.z()};
  }
  // Velocities of the place (along x, up) per impulse on it. The rod has 1 kg and 1 m.
  Eigen::Matrix2d W() const {
    const Vector2d r = arm(), turn(r.y(), -r.x());
    return Eigen::Matrix2d::Identity() + 12.0 * turn * turn.transpose();
  }
  Vector2d end_velocity() const {
    const BodyState rod = world.body(1);
    const Vector2d r = arm();
    return Vector2d(rod.velocity.x(), rod.velocity.z()) + rod.spin.y() * Vector2d(r.y(), -r.x());
  }
  // (along x, up) of all contacts of the last step.
  Vector2d impulse() const {
    Frame frame;
    world.fill(frame);
    Vector2d sum = Vector2d::Zero();
    for (const ContactRecord& contact : frame.contacts) {
      const double side = contact.bodies[0] == 1 ? 1.0 : -1.0;
      sum += side * Vector2d(contact.impulse.x(), contact.impulse.z());
    }
    return sum;
  }

  Scene scene;
  World world;
  Driver driver;
};

// Below mu = (1 + 3 cos^2) / (3 sin cos) the end slides on, and its impulse vanishes with the step. Above it
// no finite force keeps the end out of the ground. Then every step has one solution: an impact without a
// collision. It stops the end at once, and its impulse does not depend on the step.
TEST(ClosedForms, APainleveRodJamsAboveTheCriticalFriction) {
  const double critical = 4.0 / 3.0, v0 = 1.0;
  for (const double h : {1e-4, 1e-6}) {
    for (const double share : {0.5, 0.99, 1.01, 1.5}) {
      // The place of contact is a radius below the end, and weight acts during the step.
      const double shift = std::max(10.0 * h, 3e-3);
      if (std::abs(share - 1.0) < shift) continue;
      Painleve rod(share * critical);
      const Eigen::Matrix2d W = rod.W();
      solved_step(rod.world, rod.driver, h);
      const Vector2d impulse = rod.impulse();
      const double mu = share * critical;
      if (share < 1.0) {
        const double normal = g * h / (W(1, 1) + mu * W(1, 0));
        EXPECT_NEAR(impulse.y(), normal, 1e-6 * normal) << share << ", step " << h;
        EXPECT_NEAR(impulse.x(), mu * normal, 1e-6 * normal) << share << ", step " << h;
        EXPECT_LT(rod.end_velocity().x(), -0.5 * v0) << share << ", step " << h;
      } else {
        const Vector2d stops = W.inverse() * Vector2d(v0, g * h);
        EXPECT_LE((impulse - stops).norm(), 1e-6 * stops.norm()) << share << ", step " << h;
        EXPECT_NEAR(impulse.y(), 0.3 * v0, 0.01) << share << ", step " << h;
        EXPECT_LE(rod.end_velocity().norm(), 1e-4 * v0) << share << ", step " << h;
      }
    }
  }
}

// All of the motion: every step is certified, and energy never grows. Below the critical friction the normal
// force is that of the sliding rod, m (g - r w^2) / (W_nn - mu W_nt).
TEST(ClosedForms, APainleveRodMovesOn) {
  for (const double mu : {1.2, 1.5, 3.0}) {
    Painleve rod(mu);
    const double h = 1e-4;
    double energy = 0.5 + g * rod.world.body(1).position.z();
    int sliding = 0;
    for (int k = 0; k < 2000; ++k) {
      const Eigen::Matrix2d W = rod.W();
      const Vector2d arm = rod.arm();
      const double spin = rod.world.body(1).spin.y();
      const StepRecord& record = solved_step(rod.world, rod.driver, h);
      ASSERT_TRUE(rod.world.body(1).position.allFinite());
      EXPECT_LE(energy_of(record), energy + 1e-4) << mu << ", step " << k;
      energy = energy_of(record);
      if (rod.end_velocity().x() > -0.05) continue;
      ++sliding;
      const double force = (g + arm.y() * spin * spin) / (W(1, 1) + mu * W(1, 0));
      EXPECT_NEAR(rod.impulse().y() / h, force, 0.02 * force) << mu << ", step " << k;
    }
    EXPECT_EQ(sliding > 20, mu < 4.0 / 3.0) << sliding;
    EXPECT_EQ(sliding == 0, mu > 4.0 / 3.0) << sliding;
  }
}

// Each interface carries the weight above it. Corner forces are not unique, so their resultants are compared:
// the force, and the moment about the line of the centres.
TEST(ClosedForms, InterfacesOfAStackCarryTheWeightAbove) {
  for (const double top : {1.0, 1000.0}) {
    const Scene scene = make_scene("stack", {{"top_mass", top}});
    if (is_refused_without_bullet(scene)) return;
    World world(scene);
    Driver driver = driver_of(scene.tolerance);
    for (int k = 0; k < 10; ++k) solved_step(world, driver, scene.step);
    Frame frame;
    world.fill(frame);
    for (int box = 1; box <= 10; ++box) {
      const double weight = (10.0 - box + top) * g * scene.step;
      Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
      for (const ContactRecord& contact : frame.contacts) {
        const auto [low, high] = std::minmax(contact.bodies[0], contact.bodies[1]);
        if (low != box - 1 || high != box) continue;
        const Vector3d impulse = contact.bodies[0] == high ? contact.impulse : Vector3d(-contact.impulse);
        force += impulse;
        moment += contact.point.cross(impulse);
      }
      EXPECT_LE((force - Vector3d(0.0, 0.0, weight)).norm(), 1e-6 * weight) << "box " << box;
      EXPECT_LE(moment.norm(), 1e-6 * 0.2 * weight) << "box " << box;
    }
  }
}

// A ball on a flat mesh meets an edge or a corner every few steps. None of them slows it down or lifts it.
TEST(ClosedForms, ABallRollsOverTrianglesAtItsSpeed) {
  SmallScene scene(0.5);
  MeshShape mesh;
  const int cells = 50;
  const double cell = 0.1, radius = 0.05;
  for (int k = 0; k <= cells; ++k) {
    for (const double y : {-0.2, 0.2}) mesh.points.push_back({k * cell, y, 0.0});
  }
  for (int k = 0; k < cells; ++k) {
    const int corner = 2 * k;
    mesh.triangles.push_back({corner, corner + 2, corner + 1});
    mesh.triangles.push_back({corner + 1, corner + 2, corner + 3});
  }
  ASSERT_EQ(mesh.triangles.size(), 100u);
  scene.add_fixed(mesh);
  const Vector3d velocity = 1.1 * Vector3d(1.0, 0.05, 0.0).normalized();
  BodySpec& ball = scene.add(SphereShape{radius}, 0.5, {0.05, -0.1, radius});
  ball.velocity = velocity;
  ball.spin = Vector3d::UnitZ().cross(velocity) / radius;
  World world(scene);
  Driver driver = driver_of(scene.tolerance);
  while (world.body(1).position.x() < cells * cell - 0.1) {
    solved_step(world, driver, 1.0 / 60.0);
    ASSERT_LE((world.body(1).velocity - velocity).norm(), 1e-3 * velocity.norm()) << world.time();
    ASSERT_NEAR(world.body(1).position.z(), radius, 1e-6) << world.time();
    ASSERT_LT(world.time(), 6.0);
  }
  EXPECT_LE((radius * world.body(1).spin - Vector3d::UnitZ().cross(velocity)).norm(), 1e-3);
}

}  // namespace slipstick::internal::world_closed_forms_test
