// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/accounts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/sim/rigid/small_scene.hpp"

namespace slipstick::internal::accounts_test {

using Eigen::Vector3d;

constexpr double h = 0.01;

double works(const EnergyRecord& energy) {
  return energy.contact + energy.friction + energy.joints + energy.motors + energy.motions +
         energy.stabilization + energy.stiffness;
}

// An impulse does its product with the mean of the velocities, which is the change of the kinetic energy.
TEST(Accounts, AnImpulseOnTwoBodies) {
  SmallScene scene;
  scene.add(2.0, {1.0, 1.0, 1.0}).velocity = {1.0, 0.0, 0.0};
  scene.add(4.0, {1.0, 1.0, 1.0});
  std::vector<MovingBody> bodies;
  for (const int k : {0, 1}) bodies.emplace_back(scene, k);
  Accounts accounts;
  accounts.begin(bodies, Vector3d::Zero());
  const Vector3d impulse(-1.0, 0.0, 0.0), moment(0.0, 0.0, 0.5);
  accounts.before = {{bodies[0].velocity(), bodies[0].spin()}, {bodies[1].velocity(), bodies[1].spin()}};
  accounts.after = {{{0.5, 0.0, 0.0}, moment}, {{0.25, 0.0, 0.0}, -moment}};
  Wrench wrench;
  wrench << impulse, moment;
  accounts.add_work(bodies, {0, 1}, wrench, -wrench, accounts.energy.joints);
  for (std::size_t k = 0; k < 2; ++k) bodies[k].kick(accounts.after[k].velocity, accounts.after[k].spin);
  StepRecord record;
  accounts.end(bodies, Vector3d::Zero(), record);
  const double change = 0.5 * (2.0 * 0.25 + 0.25) + 0.5 * (4.0 * 0.0625 + 0.25) - 1.0;
  EXPECT_NEAR(record.energy.joints, change, 1e-15);
  EXPECT_NEAR(record.energy.unexplained, 0.0, 1e-15);
  EXPECT_NEAR(record.momentum_error, 0.0, 1e-15);
  EXPECT_LE((record.momentum - Vector3d(2.0, 0.0, 0.0)).norm(), 1e-15);
}

// A push from outside is work and momentum.
TEST(Accounts, APush) {
  SmallScene scene;
  scene.gravity.setZero();
  scene.add(2.0, {1.0, 1.0, 1.0});
  World world(scene);
  Driver driver = driver_of();
  world.push(0, {10.0, 0.0, 0.0}, {0.0, 3.0, 0.0});
  const StepRecord& record = solved_step(world, driver, h);
  EXPECT_LE((record.momentum - Vector3d(0.1, 0.0, 0.0)).norm(), 1e-15);
  EXPECT_NEAR(record.energy.motions, record.energy.kinetic, 1e-15);
  EXPECT_NEAR(record.energy.kinetic, 0.5 * (0.01 / 2.0 + 0.0009), 1e-15);
  EXPECT_LE(record.momentum_error, 1e-14);
  const Vector3d velocity = world.body(0).velocity;
  solved_step(world, driver, h);
  EXPECT_EQ(world.body(0).velocity, velocity) << "it acts once";
}

// A free fall turns potential into kinetic energy, exactly.
TEST(Accounts, GravityIsAPotential) {
  SmallScene scene;
  scene.add(SphereShape{0.1}, 2.0, {0.0, 0.0, 3.0});
  World world(scene);
  Driver driver = driver_of();
  for (int k = 1; k <= 20; ++k) {
    const StepRecord& record = solved_step(world, driver, h);
    EXPECT_NEAR(energy_of(record), 2.0 * earth * 3.0, 1e-12);
    EXPECT_NEAR(record.energy.unexplained, 0.0, 1e-12);
    EXPECT_LE(record.momentum_error, 1e-14);
  }
}

// What friction takes is the loss of a sliding box. The step rule alone leaves a part of the order h^2.
TEST(Accounts, FrictionTakesTheEnergyOfASlidingBox) {
  SmallScene scene(0.3);
  scene.add_fixed(PlaneShape{});
  scene.add(BoxShape{{0.4, 0.4, 0.2}}, 3.0, {0.0, 0.0, 0.1}).velocity = {1.0, 0.0, 0.0};
  World world(scene);
  Driver driver = driver_of();
  double friction = 0.0;
  for (int k = 0; k < 50; ++k) {
    const StepRecord& record = solved_step(world, driver, h);
    friction += record.energy.friction;
    EXPECT_LE(record.energy.friction, 1e-15);
    EXPECT_NEAR(record.energy.unexplained, 0.0, 1e-10) << k;
  }
  EXPECT_NEAR(friction, -0.5 * 3.0, 1e-9);
}

// A spinning box that falls onto its edge, bounces and slides: all of the change has a cause.
TEST(Accounts, EveryChangeHasACause) {
  SmallScene scene(0.4);
  scene.materials[0].restitution = 0.5;
  scene.add_fixed(PlaneShape{});
  BodySpec& box = scene.add(BoxShape{{0.5, 0.4, 0.3}}, 2.0, {0.0, 0.0, 0.8});
  box.orientation = Eigen::AngleAxisd(0.4, Vector3d(1.0, 1.0, 0.0).normalized());
  box.spin = {1.0, 3.0, -2.0};
  World world(scene);
  Driver driver = driver_of(1e-10);
  const MovingBody start(scene, 1);
  double before = start.kinetic_energy() + 2.0 * earth * 0.8, largest = 0.0;
  for (int k = 0; k < 200; ++k) {
    const StepRecord& record = solved_step(world, driver, h);
    EXPECT_NEAR(energy_of(record) - before, works(record.energy) + record.energy.unexplained, 1e-10) << k;
    largest = std::max(largest, std::abs(record.energy.unexplained));
    EXPECT_LE(energy_of(record), before + 1e-9 + record.energy.restitution_gain + largest) << k;
    before = energy_of(record);
  }
  // The step rule itself: of the order h^2 where gravity and impulses act together, and of spins.
  EXPECT_LE(largest, 0.02);
}

}  // namespace slipstick::internal::accounts_test
