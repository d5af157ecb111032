// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/sequence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "slipstick/sim/collision/keys.hpp"
#include "slipstick/sim/rigid/sequence_scenes.hpp"
#include "slipstick/solve.hpp"
#include "tests/sim/rigid/small_scene.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/sanitized.hpp"

namespace slipstick::internal::sequence_test {

using Eigen::Vector3d;

Driver reference(double tolerance = 1e-8) {
  return Driver({.settings = {.tolerance = tolerance}});
}

// All problems and the final state, as numbers.
std::vector<double> record(const SequenceOptions& options) {
  Driver driver = reference();
  Sequence sequence(options, driver);
  std::vector<double> numbers;
  int visited = 0;
  sequence.run([&](const SequenceStep& step) {
    EXPECT_EQ(step.number, visited++);
    EXPECT_EQ(&step.problem, &step.world.problem());
    EXPECT_EQ(step.start.x.size(), step.problem.rows());
    numbers.insert(numbers.end(), step.problem.q().begin(), step.problem.q().end());
    for (const std::uint64_t key : step.problem.keys()) numbers.push_back(static_cast<double>(key));
  });
  EXPECT_EQ(visited, sequence.steps());
  EXPECT_FALSE(sequence.next());
  for (int k = 0; k < sequence.world().bodies(); ++k) {
    const BodyState body = sequence.world().body(k);
    numbers.insert(numbers.end(), body.position.begin(), body.position.end());
    numbers.insert(numbers.end(), body.orientation.coeffs().begin(), body.orientation.coeffs().end());
  }
  return numbers;
}

TEST(Sequence, GivesTheSameBitsAgain) {
  for (const SequenceRow& row : sequences()) {
    const SequenceOptions options{
        .name = row.name, .size = row.name == "spheres" || row.name == "heap" ? 30 : 0, .steps = 60};
    if (row.name == "stack" && is_refused_without_bullet(row.make(row.size, 1))) continue;
    const std::vector<double> first = record(options);
    EXPECT_GT(first.size(), 100u) << row.name;
    EXPECT_EQ(first, record(options)) << row.name;
    SequenceOptions other = options;
    other.seed = 2;
    EXPECT_NE(first, record(other)) << row.name;
  }
}

// A visitor that solves the problems with another method does not change the trajectory.
TEST(Sequence, OnlyTheReferenceMovesTheBodies) {
  if (is_refused_without_bullet(sliding_stack(5, 1))) return;
  const SequenceOptions options{.name = "stack", .steps = 30};
  Driver driver = reference(), tested({.settings = {.tolerance = 1e-6}, .solver = "nsgs"});
  Sequence alone(options, driver);
  alone.run();
  Driver second = reference();
  Sequence visited(options, second);
  DriverResult result;
  visited.run([&](const SequenceStep& step) {
    tested.solve(step.problem, result, &step.start);
    EXPECT_TRUE(result.solved()) << result.message;
  });
  for (int body = 0; body < 6; ++body)
    EXPECT_EQ(alone.world().body(body).position, visited.world().body(body).position);
}

TEST(Sequence, SpheresSettleInTheBox) {
  const int spheres = sanitized ? 20 : 40;
  Driver driver = reference();
  Sequence sequence({.name = "spheres", .size = spheres}, driver);
  const World& world = sequence.world();
  double penetration = 0.0;
  sequence.next();
  const double first_energy = energy_of(world.record());
  while (sequence.next()) {
    penetration = std::max(penetration, world.record().penetration);
    for (int k = 0; k < world.bodies(); ++k) ASSERT_LE(world.body(k).velocity.norm(), 10.0);
  }
  EXPECT_EQ(sequence.unsolved(), 0);
  EXPECT_LE(penetration, 5e-5);  // 0.1 % of a radius
  const StepRecord& record = world.record();
  EXPECT_LT(energy_of(record), 0.9 * first_energy);
  EXPECT_GT(record.contacts, spheres);
  EXPECT_EQ(record.rows, 3 * record.contacts);
  // Nothing left the box.
  for (int k = 5; k < world.bodies(); ++k) {
    const Vector3d place = world.body(k).position;
    EXPECT_GE(place.z(), 0.039);
    EXPECT_LE(place.head<2>().cwiseAbs().maxCoeff(), 0.5 * 0.125 * std::cbrt(spheres));
  }
}

// The stack slides as one body.
TEST(Sequence, TheStackSlides) {
  if (is_refused_without_bullet(sliding_stack(5, 1))) return;
  Driver driver = reference(1e-10);
  Sequence sequence({.name = "stack"}, driver);
  sequence.run();
  EXPECT_EQ(sequence.unsolved(), 0);
  const double angle = std::atan(0.5);
  const double speed = earth * (std::sin(angle) - 0.3 * std::cos(angle)) * 1.0;
  const Vector3d expected = speed * Vector3d(std::cos(angle), 0.0, -std::sin(angle));
  const World& world = sequence.world();
  for (int k = 1; k < world.bodies(); ++k) {
    EXPECT_LE((world.body(k).velocity - expected).norm(), 1e-7) << k;
    EXPECT_LE(world.body(k).spin.norm(), 1e-7) << k;
  }
  EXPECT_EQ(world.record().contacts, 5 * 4);
  // Each interface carries the weight above it.
  Vector interfaces = Vector::Zero(5);
  Frame frame;
  world.fill(frame);
  for (const ContactRecord& contact : frame.contacts)
    interfaces[contact.bodies[0]] += contact.normal.dot(contact.impulse);
  for (int k = 0; k < 5; ++k) {
    const double above = 10.0 * (5 - k) * earth * std::cos(angle) * sequence.time_step();
    EXPECT_NEAR(interfaces[k], above, 1e-7 * above) << k;
  }
}

TEST(Sequence, TheChainHitsThePlane) {
  Driver driver = reference();
  Sequence sequence({.name = "chain"}, driver);
  double joint_error = 0.0, penetration = 0.0, impact = 0.0;
  Frame frame;
  while (sequence.next()) {
    sequence.world().fill(frame);
    joint_error = std::max(joint_error, frame.step.joint_error);
    penetration = std::max(penetration, frame.step.penetration);
    for (const ContactRecord& contact : frame.contacts)
      if (contact.bodies[0] == 0) impact = std::max(impact, contact.impulse.norm());
  }
  EXPECT_EQ(sequence.unsolved(), 0);
  EXPECT_GT(impact, 1.0);
  EXPECT_LE(joint_error, 2e-4);  // 0.1 % of a link, in the whip of the impact
  EXPECT_LE(penetration, 2e-4);
}

TEST(Sequence, TheMotorEndsAtItsStop) {
  if (is_refused_without_bullet(driven_hinges(3, 1))) return;
  Driver driver = reference();
  Sequence sequence({.name = "motor", .size = 3}, driver);
  sequence.run();
  EXPECT_EQ(sequence.unsolved(), 0);
  const World& world = sequence.world();
  for (int k = 0; k < 3; ++k) {
    const double stop = impulse_of(world, joint_key(k, JointPart::upper_limit));
    EXPECT_GT(stop, 0.004);
    EXPECT_NEAR(stop, impulse_of(world, joint_key(k, JointPart::motor)), 1e-8);
    EXPECT_LE(world.body(k).spin.norm(), 1e-6);
  }
}

TEST(Sequence, TheBoxGetsTheSpeedOfTheBelt) {
  Driver driver = reference(1e-10);
  Sequence sequence({.name = "belt"}, driver);
  sequence.run();
  EXPECT_EQ(sequence.unsolved(), 0);
  EXPECT_LE((sequence.world().body(1).velocity - Vector3d(1.5, 0.0, 0.0)).norm(), 1e-7);
}

TEST(Sequence, BadInputIsNamed) {
  Driver driver;
  const auto message = [&](const SequenceOptions& options) {
    return message_of([&] { Sequence(options, driver); });
  };
  EXPECT_EQ(message({.name = "tower"}),
            "there is no sequence tower, expected one of spheres, heap, stack, chain, motor, belt");
  EXPECT_EQ(message({.size = -1}), "sequence spheres: the number of spheres is -1, expected 0 to 4000000");
  EXPECT_EQ(message({.name = "chain", .steps = -3}),
            "sequence chain: the number of steps is -3, expected at least 0");
}

}  // namespace slipstick::internal::sequence_test
