// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/sleep.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "slipstick/world.hpp"
#include "tests/sim/rigid/small_scene.hpp"

namespace slipstick::internal::sleep_test {

using Eigen::Vector3d;

constexpr double h = 1.0 / 60.0;

// Two stacks of three boxes that touch exactly, 5 m apart. Bodies 1 to 3 and 4 to 6.
SmallScene stacks(bool sleeping) {
  SmallScene scene(0.5);
  scene.stepping.sleeping = sleeping;
  scene.add_fixed(PlaneShape{});
  for (const double x : {0.0, 5.0})
    for (int k = 0; k < 3; ++k) scene.add(BoxShape{{1.0, 1.0, 1.0}}, 2.0, {x, 0.0, 0.5 + k});
  return scene;
}

void run(World& world, Driver& driver, int steps) {
  for (int k = 0; k < steps; ++k) solved_step(world, driver, h);
}

// What sleeps is not in the problem, keeps its place, and shows its last impulses.
TEST(Sleep, RestingIslandsFallAsleep) {
  World world(stacks(true));
  Driver driver = driver_of(1e-4);
  run(world, driver, 29);
  EXPECT_EQ(world.record().asleep, 0);
  run(world, driver, 3);
  EXPECT_EQ(world.record().asleep, 2);
  EXPECT_EQ(world.record().islands, 0);
  EXPECT_EQ(world.problem().rows(), 0);
  EXPECT_LE(world.record().error, 1e-4);
  EXPECT_LE(world.record().momentum_error, 1e-12);
  EXPECT_NEAR(world.body(3).position.z(), 2.5, 1e-9);
  Frame frame;
  world.fill(frame);
  double below = 0.0;  // what the ground carries of the first stack
  for (const ContactRecord& contact : frame.contacts)
    if (contact.bodies[0] == 0 && contact.bodies[1] == 1) below -= contact.impulse.z();
  EXPECT_NEAR(below, 6.0 * 9.81 * h, 1e-3 * 6.0 * 9.81 * h);
}

TEST(Sleep, IsOffByDefault) {
  World world(stacks(false));
  Driver driver = driver_of(1e-4);
  run(world, driver, 40);
  EXPECT_EQ(world.record().asleep, 0);
  EXPECT_EQ(world.record().islands, 2);
}

// The kept impulses are judged first: without a disturbance they still hold.
TEST(Sleep, ATouchedIslandIsJudgedWithItsImpulses) {
  World world(stacks(true));
  Driver driver = driver_of(1e-4);
  run(world, driver, 40);
  ASSERT_EQ(world.record().asleep, 2);
  world.push(2, Vector3d::Zero());
  const StepRecord& record = solved_step(world, driver, h);
  EXPECT_EQ(record.asleep, 1);
  EXPECT_EQ(record.islands, 1);
  EXPECT_EQ(record.iterations, 0);
  EXPECT_EQ(record.factorizations, 0);
}

// A ball falls on a stack that sleeps. The other stack goes on sleeping.
TEST(Sleep, ABodyThatComesWakes) {
  SmallScene scene = stacks(true);
  scene.add(SphereShape{0.2}, 1.0, {0.1, 0.0, 8.0});
  World world(scene);
  Driver driver = driver_of(1e-4);
  run(world, driver, 45);
  EXPECT_EQ(world.record().asleep, 2);
  int woken = 0;
  for (int k = 0; k < 40 && woken == 0; ++k)
    if (solved_step(world, driver, h).asleep == 1) woken = k;
  EXPECT_GT(woken, 0);
  run(world, driver, 10);
  EXPECT_EQ(world.record().asleep, 1);
  EXPECT_GT(world.body(7).position.z(), 3.0);
  EXPECT_GT(world.body(3).position.z(), 2.499);
}

TEST(Sleep, SurvivesSaving) {
  World first(stacks(true)), second(stacks(true));
  Driver driver = driver_of(1e-4), other = driver_of(1e-4);
  run(first, driver, 40);
  std::stringstream state;
  first.save(state);
  second.restore(state);
  for (World* world : {&first, &second}) world->push(6, {30.0, 0.0, 0.0});
  for (int k = 0; k < 20; ++k) {
    solved_step(first, driver, h);
    solved_step(second, other, h);
    ASSERT_EQ(first.record().asleep, second.record().asleep) << k;
    for (int body = 1; body <= 6; ++body)
      ASSERT_EQ(first.body(body).position, second.body(body).position) << k << " " << body;
  }
}

}  // namespace slipstick::internal::sleep_test
