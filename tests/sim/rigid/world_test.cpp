// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// The manners of a world: what it refuses, what it keeps, and when it allocates.
#include "slipstick/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>
#include <string>

#include "slipstick/sim/collision/broad_phase.hpp"
#include "slipstick/sim/collision/keys.hpp"
#include "tests/sim/rigid/small_scene.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal::world_test {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double g = earth;
constexpr double h = 0.01;

std::string state_of(const World& world) {
  std::ostringstream to(std::ios::binary);
  world.save(to);
  return to.str();
}

SmallScene sphere_on_plane() {
  SmallScene scene;
  scene.add_fixed(PlaneShape{});
  scene.add(SphereShape{0.5}, 2.0, {0.0, 0.0, 0.5});
  return scene;
}

TEST(World, StepsWithoutBodiesOrContacts) {
  Driver driver = driver_of();
  World empty{Scene{}};
  solved_step(empty, driver, h);
  EXPECT_EQ(empty.record().contacts, 0);
  EXPECT_EQ(energy_of(empty.record()), 0.0);
  SmallScene immovable;
  immovable.add_fixed(PlaneShape{});
  World still(immovable);
  solved_step(still, driver, h);
  SmallScene one;
  one.add(SphereShape{0.5}, 1.0);
  one.add_fixed(PlaneShape{}, {0.0, 0.0, -100.0});
  World world(one);
  for (int k = 0; k < 3; ++k) solved_step(world, driver, h);
  EXPECT_NEAR(world.body(0).position.z(), -4.5 * g * h * h, 1e-15);
  EXPECT_EQ(world.record().rows, 0);
  EXPECT_EQ(world.steps(), 3);
}

TEST(World, StepsByTheStepOfItsScene) {
  SmallScene scene = sphere_on_plane();
  scene.step = 0.02;
  World world(scene);
  Driver driver = driver_of();
  world.step(driver);
  EXPECT_NEAR(world.time(), 0.02, 1e-16);
  EXPECT_EQ(world.record().step, 0.02);
  EXPECT_EQ(world.find_body("body 1"), 1);
  EXPECT_EQ(world.find_body("nobody"), -1);
  EXPECT_EQ(world.bodies(), 2);
  EXPECT_EQ(world.joints(), 0);
}

TEST(World, ImpulsesFollowTheTimeStep) {
  World world(sphere_on_plane());
  Driver driver = driver_of();
  solved_step(world, driver, h);
  EXPECT_NEAR(world.result().r[0], 2.0 * g * h, 1e-13);
  world.prepare(2.5 * h, driver);
  EXPECT_NEAR(world.start().x[0], 2.0 * g * 2.5 * h, 1e-13);
  world.advance(driver);
  EXPECT_NEAR(world.result().r[0], 2.0 * g * 2.5 * h, 1e-13);
  EXPECT_NEAR(world.time(), 3.5 * h, 1e-15);
}

// The links of a cable are bodies behind those of the scene.
TEST(World, ACableHasItsParts) {
  SmallScene scene = sphere_on_plane();
  scene.cables.push_back({.name = "rope",
                          .bodies = {-1, 1},
                          .points = {Vector3d(0.0, 0.0, 3.0), Vector3d(0.0, 0.0, 1.0)},
                          .links = 5});
  World world(scene);
  EXPECT_EQ(world.bodies(), 7);
  EXPECT_EQ(world.joints(), 6);
  EXPECT_EQ(world.scene().bodies.size(), 7u);
  Driver driver = driver_of(1e-8);
  for (int k = 0; k < 20; ++k) solved_step(world, driver, h);
  EXPECT_LE(world.record().joint_error, 1e-4);
}

// The box gets the speed of the belt in step 18. The driver then needs another storage of W for the first
// step that its start solves.
TEST(World, ASettledStepAllocatesNothing) {
  SmallScene scene(0.3);
  scene.add_moved(PlaneShape{}, BeltMotion{.velocity = {0.5, 0.0, 0.0}});
  scene.add(BoxShape{{0.4, 0.4, 0.1}}, 2.0, {0.0, 0.0, 0.05});
  scene.add(BoxShape{{0.3, 0.3, 0.1}}, 2.0, {0.0, 0.0, 0.15});
  scene.add(SphereShape{0.5}, 2.0, {2.0, 0.0, 0.5});
  scene.add(SphereShape{0.5}, 2.0, {2.5, 0.0, 0.5 + std::sqrt(0.75)});
  scene.add(SphereShape{0.5}, 2.0, {3.0, 0.0, 0.5});
  if (is_refused_without_bullet(scene)) return;
  World world(scene);
  Driver driver = driver_of(1e-8);
  for (int k = 0; k < 150; ++k) {
    const std::size_t before = allocations();
    const StepRecord& record = world.step(h, driver);
    const std::size_t allocated = allocations() - before;
    EXPECT_FALSE(record.flagged) << k;
    EXPECT_TRUE(k < 60 || allocated == 0) << allocated << " in step " << k;
  }
}

// The arm reaches its stop in step 71.
TEST(World, ASettledStepWithJointsAllocatesNothing) {
  SmallScene scene;
  scene.add(BoxShape{{0.6, 0.2, 0.2}}, 1.0);
  scene.add(SphereShape{0.1}, 1.0, {0.5, 0.0, 0.0});
  scene.joints.push_back({.kind = JointKind::hinge,
                          .bodies = {0, -1},
                          .point = {-0.3, 0.0, 0.0},
                          .lower = -2.0,
                          .upper = 0.2,
                          .motor_speed = 1.0,
                          .motor_force = 50.0});
  scene.joints.push_back({.kind = JointKind::ball, .bodies = {0, 1}, .point = {0.3, 0.0, 0.0}});
  scene.stepping.projection = false;  // it takes turns with the step, and a driver keeps one pattern
  World world(scene);
  Driver driver = driver_of(1e-8);
  for (int k = 0; k < 400; ++k) {
    const std::size_t before = allocations();
    const StepRecord& record = world.step(0.005, driver);
    const std::size_t allocated = allocations() - before;
    EXPECT_FALSE(record.flagged) << k;
    EXPECT_TRUE(k < 200 || record.rows == 5 + 1 + 1 + 3) << record.rows << " in step " << k;
    EXPECT_TRUE(k < 300 || allocated == 0) << allocated << " in step " << k;
  }
}

// A step that is prepared is that of the state at the time.
TEST(World, AChangeNeedsAnotherPrepare) {
  SmallScene scene;
  scene.add(SphereShape{0.5}, 2.0, {0.0, 0.0, 5.0});
  scene.joints.push_back({.kind = JointKind::hinge, .bodies = {0, -1}, .point = {0.0, 0.0, 5.0}});
  World world(scene);
  Driver driver = driver_of();
  const auto expect_refusal = [&](auto&& change) {
    world.prepare(h, driver);
    change();
    EXPECT_EQ(message_of([&] { world.advance(driver); }),
              "advance: no step is prepared for the present state, expected a call of prepare before");
  };
  expect_refusal([&] { world.set_body(0, world.body(0)); });
  expect_refusal([&] { world.set_motor(0, 1.0, 1.0); });
  expect_refusal([&] { world.push(0, Vector3d::UnitX()); });
  expect_refusal([&] {
    std::istringstream from(state_of(world), std::ios::binary);
    world.restore(from);
  });
  EXPECT_EQ(world.time(), 0.0);
  solved_step(world, driver, h);
}

// A solver that gives up without an answer.
class NoAnswer : public StepSolver {
 public:
  void solve(const BodyProblem&, DriverResult& result, const WarmStart*, Observer*) override {
    result.r.resize(0);
    result.status = Status::unsupported;
  }
};

TEST(World, WithoutAnAnswerNothingMoves) {
  World world(sphere_on_plane());
  NoAnswer solver;
  world.step(h, solver);  // contacts have keys now
  const std::string before = state_of(world);
  EXPECT_TRUE(world.step(h, solver).flagged);
  EXPECT_EQ(state_of(world), before);
  EXPECT_EQ(world.time(), 0.0);
}

// With two iterations, the spheres of a heap are not solved. The policy refuses them, and their impulses are
// zero. They would fall through the plane. A ball that bounces in the same step stays too.
TEST(World, ARefusedStepChangesNothing) {
  for (const bool impact : {false, true}) {
    SmallScene scene;
    scene.materials.push_back({.name = "rubber", .friction = 0.5, .restitution = 0.8});
    scene.add_fixed(PlaneShape{});
    scene.add(SphereShape{0.5}, 2.0, {0.0, 0.0, 0.5});
    scene.add(SphereShape{0.5}, 2.0, {1.0, 0.0, 0.5});
    scene.add(SphereShape{0.5}, 2.0, {0.5, 0.0, 0.5 + std::sqrt(0.75)});
    if (impact) {
      BodySpec& ball = scene.add(SphereShape{0.5}, 2.0, {5.0, 0.0, 0.51});
      ball.shapes[0].material = 1;
      ball.velocity = {0.0, 0.0, -3.0};
    }
    World world(scene);
    world.push(1, {0.1, 0.2, 0.3});
    Driver driver(
        {.settings = {.tolerance = 1e-12, .max_iterations = 2}, .solver = "nsgs", .policy = {.actions = {}}});
    world.step(h, driver);  // contacts have keys now
    const std::string before = state_of(world);
    EXPECT_TRUE(world.step(h, driver).flagged);
    EXPECT_EQ(world.record().remedies[static_cast<std::size_t>(Remedy::refused)], 1);
    EXPECT_EQ(state_of(world), before) << (impact ? "with an impact" : "");
    EXPECT_EQ(world.time(), 0.0);
    // It goes on as if nothing had been.
    Driver other = driver_of();
    solved_step(world, other, h);
    World fresh(scene);
    fresh.push(1, {0.1, 0.2, 0.3});
    Driver again = driver_of();
    solved_step(fresh, again, h);
    EXPECT_EQ(state_of(world), state_of(fresh));
  }
}

// Moving the bodies of a group apart: nothing touches.
TEST(World, GroupsDoNotTouch) {
  SmallScene scene = sphere_on_plane();
  scene.bodies[1].collides = 2;
  World world(scene);
  Driver driver = driver_of();
  for (int k = 0; k < 10; ++k) solved_step(world, driver, h);
  EXPECT_EQ(world.record().contacts, 0);
  EXPECT_NEAR(world.body(1).position.z(), 0.5 - 50.0 * g * h * h, 1e-12);
}

TEST(World, FillsAFrame) {
  World world(sphere_on_plane());
  Driver driver = driver_of();
  solved_step(world, driver, h);
  Frame frame;
  world.fill(frame);
  EXPECT_EQ(frame.step.number, 1);
  EXPECT_EQ(frame.bodies.size(), 2u);
  ASSERT_EQ(frame.contacts.size(), 1u);
  const ContactRecord& contact = frame.contacts[0];
  EXPECT_EQ(contact.key, contact_key(0, 1));
  EXPECT_LE((contact.normal - Vector3d(0.0, 0.0, -1.0)).norm(), 1e-15);
  EXPECT_LE((contact.impulse - Vector3d(0.0, 0.0, -2.0 * g * h)).norm(), 1e-12);
  EXPECT_LE((contact.point).norm(), 1e-12);
  EXPECT_EQ(contact.state, ContactState::stick);
  EXPECT_EQ(contact.island, 0);
}

// Finds the pairs of the trees in the opposite order.
class ReversedPairs : public PairFinder {
 public:
  void find(std::span<const SweptBox> boxes, std::vector<std::array<int, 2>>& pairs) override {
    trees_.find(boxes, pairs);
    std::reverse(pairs.begin(), pairs.end());
    found += pairs.size();
  }
  std::size_t found = 0;

 private:
  BroadPhase trees_;
};

TEST(World, StepsDoNotDependOnWhoFindsThePairs) {
  SmallScene scene;
  scene.add_fixed(PlaneShape{});
  for (int k = 0; k < 12; ++k)
    scene.add(SphereShape{0.1 + 0.02 * (k % 3)}, 1.0, {0.05 * (k % 2), 0.03 * (k % 4), 0.15 + 0.22 * k});
  const auto reversed = std::make_shared<ReversedPairs>();
  World with_own(scene), with_reversed(scene, reversed);
  Driver driver = driver_of(), other = driver_of();
  for (int k = 0; k < 30; ++k) {
    with_own.step(h, driver);
    with_reversed.step(h, other);
  }
  EXPECT_GT(reversed->found, 100U);
  EXPECT_EQ(state_of(with_own), state_of(with_reversed));
}

TEST(World, BadInputIsNamed) {
  SmallScene scene = sphere_on_plane();
  scene.joints.push_back({.kind = JointKind::ball, .bodies = {1, -1}});
  World world(scene);
  Driver driver = driver_of();
  const std::string before = state_of(world);
  const auto message = [&](auto&& action) { return message_of(action); };
  EXPECT_EQ(message([&] { world.body(2); }), "body 2 does not exist, expected 0 to 1");
  EXPECT_EQ(message([&] { world.set_body(-1, {}); }), "body -1 does not exist, expected 0 to 1");
  BodyState state;
  state.velocity.x() = std::nan("");
  EXPECT_EQ(message([&] { world.set_body(1, state); }),
            "body 1: the state has numbers that are not finite, or an orientation of norm 1");
  EXPECT_EQ(message([&] { world.push(1, {infinity, 0.0, 0.0}); }), "body 1: the push is not finite");
  EXPECT_EQ(message([&] { world.set_motor(0, 1.0, 1.0); }), "joint 0: a ball joint has no motor");
  EXPECT_EQ(message([&] { world.set_motor(3, 1.0, 1.0); }), "joint 3 does not exist, expected 0 to 0");
  EXPECT_EQ(message([&] { world.step(0.0, driver); }),
            "the time step is 0, expected a positive finite number");
  EXPECT_EQ(message([&] { world.advance(driver); }),
            "advance: no step is prepared for the present state, expected a call of prepare before");
  scene.bodies[1].mass = -1.0;
  EXPECT_NE(message([&] { World{scene}; }).find("mass"), std::string::npos);
  EXPECT_EQ(state_of(world), before);
}

}  // namespace slipstick::internal::world_test
