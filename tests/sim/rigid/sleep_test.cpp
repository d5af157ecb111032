// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/sleep.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>
#include <sstream>
#include <string>

#include "slipstick/world.hpp"
#include "tests/sim/rigid/small_scene.hpp"
#include "tests/support/message_of.hpp"

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
  if (is_refused_without_bullet(stacks(true))) return;
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
  if (is_refused_without_bullet(stacks(true))) return;
  World world(stacks(false));
  Driver driver = driver_of(1e-4);
  run(world, driver, 40);
  EXPECT_EQ(world.record().asleep, 0);
  EXPECT_EQ(world.record().islands, 2);
}

// The kept impulses are judged first: without a disturbance they still hold.
TEST(Sleep, ATouchedIslandIsJudgedWithItsImpulses) {
  if (is_refused_without_bullet(stacks(true))) return;
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
  if (is_refused_without_bullet(stacks(true))) return;
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
  if (is_refused_without_bullet(stacks(true))) return;
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

// One contact for each body, with its number as the key and the impulse 10 + number.
struct Contacts {
  BodyProblem problem;
  Vector r;

  explicit Contacts(int bodies) {
    problem.reset(bodies);
    for (int body = 0; body < bodies; ++body) {
      problem.set_body(body, RigidBody::space(1.0, Eigen::Matrix3d::Identity()));
      problem.add_contact(static_cast<std::uint64_t>(body),
                          {.bodies = {body, -1}, .frame = Eigen::Matrix3d::Identity(), .mu = 0.5});
    }
    r = Vector::Zero(problem.rows());
    for (int body = 0; body < bodies; ++body) r[3 * body] = 10.0 + body;
  }
  void send(Sleep& sleep, int body, double error) const {
    const std::array bodies = {body};
    const std::array keys = {static_cast<std::size_t>(body)};
    sleep.fall_asleep(bodies, keys, problem, r, error);
  }
};

// Impulses of a woken group are known until forget(), those of the others stay. The groups come in an order
// that is not that of their keys.
TEST(Sleep, ForgetsWokenGroupsAlone) {
  const Contacts contacts(5);
  Sleep sleep(5);
  for (const int body : {3, 0, 4, 1}) contacts.send(sleep, body, 1e-6 * (body + 1));
  const auto known = [&] {
    std::vector<double> first;
    for (std::uint64_t key = 0; key < 5; ++key)
      first.push_back(sleep.impulses(key).empty() ? 0.0 : sleep.impulses(key)[0]);
    return first;
  };
  sleep.forget();
  EXPECT_EQ(known(), (std::vector{10.0, 11.0, 0.0, 13.0, 14.0}));
  sleep.wake(4);
  sleep.wake(2);  // is awake
  EXPECT_EQ(sleep.error(), 4e-6);
  EXPECT_EQ(known(), (std::vector{10.0, 11.0, 0.0, 13.0, 14.0}));

  // What was woken before it was saved is forgotten after it is restored, too.
  std::stringstream state;
  sleep.save(state);
  sleep = Sleep(5);
  sleep.restore(state);
  EXPECT_EQ(known(), (std::vector{10.0, 11.0, 0.0, 13.0, 14.0}));
  sleep.forget();
  EXPECT_EQ(known(), (std::vector{10.0, 11.0, 0.0, 13.0, 0.0}));
  EXPECT_EQ(sleep.groups(), 3);

  contacts.send(sleep, 4, 1e-6);
  sleep.wake(0);
  sleep.wake(3);
  sleep.forget();
  EXPECT_EQ(known(), (std::vector{0.0, 11.0, 0.0, 0.0, 14.0}));
}

TEST(Sleep, RefusesGroupsInNoOrder) {
  const Contacts contacts(2);
  Sleep sleep(2);
  contacts.send(sleep, 0, 1e-6);
  contacts.send(sleep, 1, 1e-6);
  std::ostringstream to;
  sleep.save(to);
  const std::string good = to.str();
  // Bodies with their groups and times, the next group, the number of groups, the groups with their errors.
  constexpr std::size_t first_group = 2 * 12 + 4 + 8;
  const auto message_with = [&](int first, int second) {
    std::string bytes = good;
    std::memcpy(bytes.data() + first_group, &first, 4);
    std::memcpy(bytes.data() + first_group + 12, &second, 4);
    std::istringstream from(bytes);
    return message_of([&] { sleep.restore(from); });
  };
  EXPECT_EQ(message_with(0, 1), "");
  const char* const expected = "the state of a world: the groups that sleep are not in order";
  EXPECT_EQ(message_with(1, 0), expected);
  EXPECT_EQ(message_with(1, 1), expected);
  EXPECT_EQ(message_with(-1, 1), expected);
  EXPECT_EQ(message_with(0, 2), expected);
  EXPECT_EQ(message_with(std::numeric_limits<int>::max(), 1), expected);
  EXPECT_EQ(sleep.groups(), 2);
  std::string bytes = good;
  const int next = std::numeric_limits<int>::max();
  std::memcpy(bytes.data() + 24, &next, 4);
  std::istringstream from(bytes);
  EXPECT_EQ(message_of([&] { sleep.restore(from); }),
            "the state of a world: 2147483647 groups have fallen asleep");
}

}  // namespace slipstick::internal::sleep_test
