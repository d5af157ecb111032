// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Saved states of worlds.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/sim/rigid/small_scene.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal::world_state_test {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double h = 1.0 / 60.0;

// Boxes that fall on a plane, a pendulum with a motor, a moved plate and a joint that breaks.
SmallScene busy_scene() {
  SmallScene scene(0.4);
  scene.materials[0].restitution = 0.4;
  scene.add_fixed(PlaneShape{});
  for (int k = 0; k < 4; ++k) {
    scene.add(BoxShape{{0.3, 0.2, 0.25}}, 1.0 + k, {0.05 * k, 0.02 * k, 0.2 + 0.35 * k},
              Quaterniond(AngleAxisd(0.2 * k, Vector3d(1.0, 2.0, 3.0).normalized())));
  }
  scene.add(SphereShape{0.1}, 1.0, {2.0, 0.0, 1.0}).spin = {1.0, 2.0, 3.0};
  scene.joints.push_back({.kind = JointKind::hinge,
                          .bodies = {5, -1},
                          .point = {2.0, 0.0, 1.5},
                          .axis = {0.0, 1.0, 0.0},
                          .upper = 1.0,
                          .motor_speed = 2.0,
                          .motor_force = 8.0,
                          .friction = 0.1});
  scene.add_moved(BoxShape{{1.0, 1.0, 0.1}}, Oscillation{.amplitude = {0.1, 0.0, 0.0}, .frequency = 2.0});
  scene.bodies.back().position = {5.0, 0.0, 0.0};
  scene.add(BoxShape{{0.2, 0.2, 0.2}}, 1.0, {5.0, 0.0, 0.15});
  scene.add(SphereShape{0.1}, 1.0, {8.0, 0.0, 1.0});
  scene.joints.push_back(
      {.kind = JointKind::ball, .bodies = {8, -1}, .point = {8.0, 0.0, 1.5}, .breaking_force = 9.0});
  return scene;
}

std::string state_of(const World& world) {
  std::ostringstream to(std::ios::binary);
  world.save(to);
  return to.str();
}

void restore(World& world, const std::string& state) {
  std::istringstream from(state, std::ios::binary);
  world.restore(from);
}

// A world that is restored in the middle, with a new solver, goes on with the same bits.
TEST(WorldState, GoesOnWithTheSameBits) {
  if (is_refused_without_bullet(busy_scene())) return;
  World world(busy_scene());
  Driver driver = driver_of(1e-6);
  for (int k = 0; k < 40; ++k) world.step(h, driver);
  world.push(1, {1.0, 2.0, 3.0});
  world.set_motor(0, -1.0, 5.0);
  const std::string middle = state_of(world);
  World other(busy_scene());
  restore(other, middle);
  EXPECT_EQ(state_of(other), middle);
  EXPECT_EQ(other.time(), world.time());
  EXPECT_EQ(other.steps(), 40);
  Driver fresh = driver_of(1e-6);
  for (int k = 0; k < 60; ++k) {
    world.step(h, driver);
    other.step(h, fresh);
    ASSERT_EQ(state_of(other), state_of(world)) << k;
  }
  Frame frame;
  other.fill(frame);
  EXPECT_TRUE(frame.joints[1].broken);
}

// A hundred steps, each one by a new world and a new solver.
TEST(WorldState, FreshObjectsGiveTheSameBits) {
  if (is_refused_without_bullet(busy_scene())) return;
  const SmallScene scene = busy_scene();
  World kept(scene);
  Driver driver = driver_of(1e-6);
  std::string state = state_of(kept);
  for (int k = 0; k < 100; ++k) {
    kept.step(h, driver);
    World fresh(scene);
    restore(fresh, state);
    Driver fresh_driver = driver_of(1e-6);
    fresh.step(h, fresh_driver);
    state = state_of(fresh);
    ASSERT_EQ(state, state_of(kept)) << k;
  }
}

// Whatever is cut off or changed is refused or read. A refusal changes nothing.
TEST(WorldState, DamagedStatesAreRefused) {
  if (is_refused_without_bullet(busy_scene())) return;
  World world(busy_scene());
  Driver driver = driver_of(1e-6);
  for (int k = 0; k < 20; ++k) world.step(h, driver);
  const std::string good = state_of(world);
  for (std::size_t size = 0; size < good.size(); size += 1 + size / 50) {
    EXPECT_NE(message_of([&] { restore(world, good.substr(0, size)); }), "") << size;
    ASSERT_EQ(state_of(world), good) << size;
  }
  const auto refused = [&](const std::string& state) {
    const std::string message = message_of([&] { restore(world, state); });
    EXPECT_EQ(state_of(world), good);
    return message;
  };
  std::string other = good;
  other[0] = 'x';
  EXPECT_EQ(refused(other), "the state of a world: it begins with something else");
  other = good;
  other[8] ^= 1;
  EXPECT_EQ(refused(other), "the state of a world: it has other bodies or joints than the scene");
  // The numbers of the first body begin behind the mark, two counts, the time, the steps, and a time step.
  const std::size_t position = 8 + 8 + 8 + 8 + 8 + 8;
  other = good;
  for (std::size_t k = 0; k < 8; ++k) other[position + k] = static_cast<char>(0xff);
  EXPECT_EQ(refused(other), "the state of a world: it has a number that is not finite");
  other = good;
  for (std::size_t k = 0; k < 32; ++k) other[position + 72 + k] = 0;
  EXPECT_EQ(refused(other), "the state of a world: an orientation is not a unit quaternion");
  World small(SmallScene{});
  EXPECT_EQ(message_of([&] { restore(small, good); }),
            "the state of a world: it has other bodies or joints than the scene");
}

// Every byte flipped: an Error or a state that can be stepped, no crash.
TEST(WorldState, FlippedBytesDoNoHarm) {
  if (is_refused_without_bullet(busy_scene())) return;
  World world(busy_scene());
  Driver driver = driver_of(1e-4);
  for (int k = 0; k < 20; ++k) world.step(h, driver);
  const std::string good = state_of(world);
  int refused = 0;
  for (std::size_t at = 0; at < good.size(); at += 7) {
    std::string flipped = good;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x55);
    refused += message_of([&] { restore(world, flipped); }).empty() ? 0 : 1;
    restore(world, good);
    ASSERT_EQ(state_of(world), good) << at;
  }
  EXPECT_GT(refused, 5);
}

}  // namespace slipstick::internal::world_state_test
