// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/step_islands.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "slipstick/body_problem.hpp"
#include "slipstick/error.hpp"
#include "slipstick/measures.hpp"
#include "slipstick/solve.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::step_islands_test {

const Eigen::Matrix3d upright{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};

// Towers of two spheres that fall on an immovable ground with their own speeds. Each is an island of two
// contacts, and has a joint from the ground to its upper sphere if it is asked for.
BodyProblem towers(std::initializer_list<double> speeds, bool joints = false) {
  BodyProblem problem;
  problem.reset(2 * static_cast<Index>(speeds.size()) + 1);
  const auto ground = static_cast<int>(2 * speeds.size());
  int body = 0;
  std::uint64_t key = 0;
  for (const double speed : speeds) {
    for (const int k : {0, 1})
      problem.set_body(body + k, RigidBody::space(1.0, 2.5 * Eigen::Matrix3d::Identity(),
                                                  speed * SmallVector{1, 0, -1, 0, 0.5 * k, 0}));
    problem.add_contact(++key, {.bodies = {body, ground},
                                .frame = upright,
                                .arms = {SmallVector{0, 0, -1}, SmallVector{}},
                                .mu = 0.3});
    problem.add_contact(++key, {.bodies = {body + 1, body},
                                .frame = upright,
                                .arms = {SmallVector{0, 0, -1}, SmallVector{0, 0, 1}},
                                .mu = 0.2});
    if (joints) {
      SmallMatrix along = SmallMatrix::Zero(1, 6);
      along(0, 1) = 1.0;
      problem.add_rows(++key, {.bodies = {body + 1, ground}, .jacobians = {along, along}});
    }
    body += 2;
  }
  return problem;
}

TEST(StepIslands, AreReported) {
  Driver driver({.settings = {.tolerance = 1e-9}});
  DriverResult result;
  driver.solve(towers({1.0, 2.0, 3.0}, true), result);
  ASSERT_TRUE(result.solved()) << result.message;
  ASSERT_EQ(result.islands.size(), 3u);
  EXPECT_EQ(result.island_of,
            (std::vector<int>{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 0, 1, 2}));
  for (const IslandReport& island : result.islands) {
    EXPECT_EQ(island.rows, 7);
    EXPECT_EQ(island.contacts, 2);
    EXPECT_EQ(island.status, Status::solved);
    EXPECT_LE(island.error, 1e-9);
    EXPECT_EQ(island.law, FrictionLaw::coulomb);
    EXPECT_FALSE(island.solver.empty());
    EXPECT_GT(island.iterations, 0);
    EXPECT_GT(island.seconds, 0.0);
    EXPECT_EQ(island.remedy, Remedy::none);
  }
  driver.solve(std::get<LocalContactProblem>(towers({1.0}).contact_form()), result);
  EXPECT_TRUE(result.islands.empty()) << "a problem without bodies";
}

// An island does not hide behind a larger one, under any law.
TEST(StepIslands, SmallOnesAreSolvedToo) {
  for (const FrictionLaw law : {FrictionLaw::none, FrictionLaw::convex, FrictionLaw::coulomb,
                                FrictionLaw::diamond, FrictionLaw::box, FrictionLaw::box_once}) {
    for (const double small : {1e-3, 1e-6, 1e-9}) {
      DriverResult result;
      Driver({.settings = {.tolerance = 1e-8}, .friction = law}).solve(towers({1.0, small}), result);
      ASSERT_TRUE(result.solved()) << name(law) << ": " << result.message;
      EXPECT_LE((result.r.tail(6) / small - result.r.head(6)).norm(), 1e-6 * result.r.head(6).norm())
          << name(law) << ' ' << small;
      for (const IslandReport& island : result.islands) EXPECT_LE(island.error, 1e-8) << name(law);
    }
  }
}

// The bodies of an island move with the ground: its q is rounding.
TEST(StepIslands, AnIslandAtRestIsSolved) {
  BodyProblem problem;
  problem.reset(3);
  problem.set_body(0, RigidBody::space(1.0, Eigen::Matrix3d::Identity(), {0.1, 0.2, 0.3, 0, 0, 0}));
  problem.set_body(1, {.velocity = {0.1 / 3.0, 0.2, 0.3, 0, 0, 0}});
  problem.set_body(2, RigidBody::space(1.0, Eigen::Matrix3d::Identity(), {0, 0, -1, 0, 0, 0}));
  problem.add_contact(
      1, {.bodies = {0, 1}, .frame = upright, .mu = 0.3, .bias = {1e-17, 0.1 / 3.0 - 0.1 + 3e-18, -2e-18}});
  problem.add_contact(2, {.bodies = {2, -1}, .frame = upright, .mu = 0.3});
  DriverResult result;
  Driver({.settings = {.tolerance = 1e-8}}).solve(problem, result);
  ASSERT_TRUE(result.solved()) << result.message;
  ASSERT_EQ(result.islands.size(), 2u);
  EXPECT_EQ(result.islands[0].status, Status::solved);
}

// Lone contacts are solved together. The start of the light one is off by a tenth of its load, which is next
// to nothing for the other. Another tower needs a solution in any case.
TEST(StepIslands, LoneContactsAreSolvedToo) {
  const auto spheres = [](double light) {
    BodyProblem problem;
    problem.reset(4);
    for (const int body : {0, 1, 2, 3}) {
      const double speed = body == 1 ? light : 1.0;
      problem.set_body(body,
                       RigidBody::space(1.0, Eigen::Matrix3d::Identity(), {0.1 * speed, 0, -speed, 0, 0, 0}));
      problem.add_contact(static_cast<std::uint64_t>(body + 1),
                          {.bodies = {body, body == 3 ? 2 : -1}, .frame = upright, .mu = 0.3});
    }
    return problem;
  };
  Driver driver({.settings = {.tolerance = 1e-5}});
  DriverResult result;
  driver.solve(spheres(1e-6), result);
  ASSERT_TRUE(result.solved()) << result.message;
  WarmStart start{result.r};
  start.x.segment(3, 3) *= 1.1;
  start.x.tail(6).setZero();
  driver.solve(spheres(1e-6), result, &start);
  ASSERT_TRUE(result.solved()) << result.message;
  ASSERT_EQ(result.islands.size(), 3u);
  for (const IslandReport& island : result.islands) {
    EXPECT_EQ(island.remedy, Remedy::none);
    EXPECT_LE(island.error, 1e-5);
  }
  EXPECT_NEAR(result.r[3], 1e-6, 1e-10);
}

// The whole accepts a start that is wrong on a small island. That island is solved again, the other is not.
TEST(StepIslands, RetryTouchesNoOtherIsland) {
  const BodyProblem problem = towers({1.0, 1e-7});
  Driver driver({.settings = {.tolerance = 1e-5}});
  DriverResult result;
  driver.solve(problem, result);
  WarmStart start{result.r};
  start.x.tail(6).setZero();
  driver.solve(problem, result, &start);
  ASSERT_TRUE(result.solved()) << result.message;
  EXPECT_EQ(result.islands[0].remedy, Remedy::none);
  EXPECT_EQ(result.islands[1].remedy, Remedy::retried);
  EXPECT_EQ(result.islands[1].status, Status::solved);
  EXPECT_EQ(result.r.head(6), start.x.head(6));
  EXPECT_LE((result.r.tail(6) * 1e7 - result.r.head(6)).norm(), 1e-3 * result.r.head(6).norm());
}

TEST(StepIslands, PolicyIsFollowedInItsOrder) {
  using enum PolicyAction;
  const BodyProblem problem = towers({1.0, 2.0});
  const auto solved_with = [&](const StepPolicy& policy) {
    DriverResult result;
    Driver({.settings = {.tolerance = 1e-10, .max_iterations = 1}, .solver = "nsgs", .policy = policy})
        .solve(problem, result);
    return result;
  };
  for (const IslandReport& island : solved_with({}).islands) {
    EXPECT_EQ(island.remedy, Remedy::kept);
    EXPECT_NE(island.status, Status::solved);
  }
  for (const IslandReport& island : solved_with({.actions = {next, loosen, keep}, .looser = 1e10}).islands) {
    EXPECT_EQ(island.remedy, Remedy::looser);
    EXPECT_NE(island.status, Status::solved);
  }
  const DriverResult by_convex_law = solved_with({.actions = {convex, loosen, keep}, .looser = 1e10});
  for (const IslandReport& island : by_convex_law.islands) {
    EXPECT_EQ(island.remedy, Remedy::convex_law);
    EXPECT_EQ(island.law, FrictionLaw::convex);
    EXPECT_LE(island.error, 1e-10);
  }
  DriverResult expected;
  Driver({.settings = {.tolerance = 1e-12}, .friction = FrictionLaw::convex}).solve(problem, expected);
  EXPECT_LE((by_convex_law.r - expected.r).norm(), 1e-8 * expected.r.norm());
  const DriverResult refused = solved_with({.actions = {next}});
  EXPECT_TRUE(refused.r.isZero(0.0));
  for (const IslandReport& island : refused.islands) EXPECT_EQ(island.remedy, Remedy::refused);
  EXPECT_FALSE(refused.solved());
}

// A body hangs on two joints that want other velocities along x. Along y they agree. Another island falls.
TEST(StepIslands, ContradictingJointsAreNamed) {
  BodyProblem problem;
  problem.reset(2);
  problem.set_body(0, RigidBody::space(0.5, Eigen::Matrix3d::Identity(), {0.3, 0.2, 0.1, 0, 0, 0}));
  problem.set_body(1, RigidBody::space(1.0, Eigen::Matrix3d::Identity(), {0.5, 0, -1, 0, 0, 0}));
  SmallMatrix along_x = SmallMatrix::Zero(1, 6), along_y = along_x;
  along_x(0, 0) = along_y(0, 1) = 1.0;
  problem.add_rows(10, {.bodies = {0, -1}, .jacobians = {along_x}, .bias = {-1.0}});
  problem.add_rows(11, {.bodies = {0, -1}, .jacobians = {along_x}, .bias = {-3.0}});
  problem.add_rows(12, {.bodies = {0, -1}, .jacobians = {along_y}});
  problem.add_rows(13, {.bodies = {0, -1}, .jacobians = {along_y}});
  problem.add_contact(20, {.bodies = {1, -1}, .frame = upright, .mu = 0.2});
  DriverResult result;
  Driver({.settings = {.tolerance = 1e-9}}).solve(problem, result);
  EXPECT_FALSE(result.solved());
  EXPECT_EQ(result.infeasible_keys, (std::vector<std::uint64_t>{10, 11}));
  ASSERT_EQ(result.islands.size(), 2u);
  EXPECT_EQ(result.islands[0].status, Status::solved);
  EXPECT_EQ(result.islands[1].status, Status::infeasible);
  Vector v(12);
  problem.velocities(result.r, v);
  // The mean of what the joints want, 1 and 3.
  EXPECT_NEAR(v[0], 2.0, 1e-8);
  EXPECT_NEAR(v[1], 0.0, 1e-8);
  EXPECT_LE(result.r.lpNorm<Eigen::Infinity>(), 10.0);
}

// A chain of 400 links between a wall and a machine that pulls its end. All joints share the gap.
TEST(StepIslands, ALongChainThatIsPulledApart) {
  constexpr int links = 400;
  BodyProblem problem;
  problem.reset(links);
  SmallMatrix along = SmallMatrix::Zero(1, 6);
  along(0, 0) = 1.0;
  const SmallMatrix against = -along;
  for (int body = 0; body < links; ++body) {
    problem.set_body(body, RigidBody::space(1.0, Eigen::Matrix3d::Identity()));
    problem.add_rows(static_cast<std::uint64_t>(body),
                     {.bodies = {body, body - 1}, .jacobians = {along, against}});
  }
  problem.add_rows(links, {.bodies = {-1, links - 1}, .jacobians = {along, against}, .bias = {1.0}});
  DriverResult result;
  Driver().solve(problem, result);
  EXPECT_EQ(result.islands.at(0).status, Status::infeasible);
  EXPECT_EQ(result.infeasible_keys.size(), static_cast<std::size_t>(links + 1));
  EXPECT_LE(result.r.lpNorm<Eigen::Infinity>(), 200.0);
  EXPECT_NEAR(result.v[6 * 199], 200.0 / (links + 1), 1e-5);
}

TEST(StepIslands, MethodsThatCannotAreReportedAsSuch) {
  const BodyProblem problem = towers({1.0});
  DriverResult result;
  Driver({.solver = "dantzig", .friction = FrictionLaw::convex}).solve(problem, result);
  EXPECT_EQ(result.status, Status::unsupported);
  EXPECT_EQ(result.message, "dantzig takes bounds only, and the rows from 0 on form a cone");
  EXPECT_TRUE(result.islands.empty());
  EXPECT_THROW(Driver({.policy = {.actions = {}, .looser = 0.5}}), Error);
}

// A job system of two threads.
class Jobs : public TaskRunner {
 public:
  void run(int count, const std::function<void(int)>& task) override {
    ++runs;
    std::vector<std::thread> threads;
    for (int k = 0; k < count; ++k) threads.emplace_back([&task, k] { task(k); });
    for (std::thread& thread : threads) thread.join();
  }
  int runs = 0;
};

TEST(StepIslands, TheCallersJobSystemGivesTheSameBits) {
  BodyProblem problem;
  constexpr int bodies = 400;
  problem.reset(bodies);
  for (int body = 0; body < bodies; ++body) {
    problem.set_body(body, RigidBody::space(1.0, Eigen::Matrix3d::Identity(),
                                            {std::sin(body), std::cos(body), -1, 0, 0, std::sin(2 * body)}));
    for (const int side : {-1, 1})
      problem.add_contact(
          static_cast<std::uint64_t>(2 * body + (side + 1) / 2),
          {.bodies = {body, -1}, .frame = upright, .arms = {SmallVector{0.3 * side, 0.1, -0.5}}, .mu = 0.3});
  }
  DriverResult by_openmp, by_jobs, by_one;
  Driver({.settings = {.threads = 2}}).solve(problem, by_openmp);
  Jobs jobs;
  Driver({.settings = {.threads = 2, .tasks = &jobs}}).solve(problem, by_jobs);
  Driver().solve(problem, by_one);
  ASSERT_TRUE(by_jobs.solved()) << by_jobs.message;
  EXPECT_GT(jobs.runs, 0);
  EXPECT_EQ(by_jobs.r, by_openmp.r);
  EXPECT_EQ(by_jobs.r, by_one.r);
  // An observer that throws.
  class Thrower : public Observer {
    bool observe(const Iteration&) override { throw Error("enough"); }
  } thrower;
  EXPECT_THROW(
      Driver({.settings = {.threads = 2, .tasks = &jobs}}).solve(problem, by_jobs, nullptr, &thrower), Error);
}

// Ten towers, solved one by one under every law.
TEST(StepIslands, AreSolvedOneByOneUnderTheConvexLaw) {
  const BodyProblem problem = towers({1, 2, 3, 4, 5, 6, 7, 8, 9, 1e-3}, true);
  DriverResult result, whole;
  Driver({.settings = {.tolerance = 1e-9}, .friction = FrictionLaw::convex}).solve(problem, result);
  ASSERT_TRUE(result.solved()) << result.message;
  int islands = 0;
  for (const Attempt& attempt : result.attempts) islands += attempt.solved_islands;
  EXPECT_EQ(islands, 10);
  for (const IslandReport& island : result.islands) EXPECT_LE(island.error, 1e-9);
  Driver({.settings = {.tolerance = 1e-12}, .solver = "ipm", .friction = FrictionLaw::convex})
      .solve(problem, whole);
  ASSERT_TRUE(whole.solved()) << whole.message;
  EXPECT_LE((result.u - whole.u).norm(), 1e-7 * problem.q().norm());
}

TEST(StepIslands, TheAnswerHasVelocitiesOfBodiesAndStates) {
  const BodyProblem problem = towers({1.0, 2.0}, true);
  DriverResult result;
  Driver({.settings = {.tolerance = 1e-9}}).solve(problem, result);
  Vector v(problem.bodies() * problem.dofs_per_body());
  problem.velocities(result.r, v);
  EXPECT_EQ(result.v, v);
  std::vector<ContactState> states;
  contact_states(std::get<LocalContactProblem>(problem.contact_form()), FrictionLaw::coulomb, result, states);
  EXPECT_EQ(result.states, states);
  EXPECT_EQ(result.states.size(), 4u);
}

TEST(StepIslands, NothingIsSolvedByNothing) {
  BodyProblem problem;
  problem.reset(2);
  DriverResult result;
  Driver().solve(problem, result);
  EXPECT_TRUE(result.solved());
  EXPECT_TRUE(result.islands.empty());
}

// Pairs of spheres that are pressed together, and go on with a common speed. They start from impulses that
// are near enough. Only pairs at rest are solved to rounding, because a creep would move them.
TEST(StepIslands, OnlyThoseNearRestAreSettled) {
  constexpr int pairs = 6;
  const auto common_speed = [](int pair) { return pair % 3 == 1 ? 100.0 : 0.0; };
  BodyProblem problem;
  problem.reset(2 * pairs);
  for (int pair = 0; pair < pairs; ++pair) {
    for (const int k : {0, 1})
      problem.set_body(2 * pair + k, RigidBody::space(1.0, 2.5 * Eigen::Matrix3d::Identity(),
                                                      {common_speed(pair), 0, k == 0 ? -1.0 : 1.0, 0, 0, 0}));
    problem.add_contact(static_cast<std::uint64_t>(pair),
                        {.bodies = {2 * pair, 2 * pair + 1},
                         .frame = upright,
                         .arms = {SmallVector{0, 0, -1}, SmallVector{0, 0, 1}},
                         .mu = 0.3});
  }
  Vector v(problem.bodies() * problem.dofs_per_body());
  problem.velocities(Vector::Zero(problem.rows()), v);
  problem.q_terms();
  constexpr double exact = 1.0, near = exact + 1e-6;
  WarmStart start;
  start.x = Vector::Zero(problem.rows());
  for (Index pair = 0; pair < pairs; ++pair) start.x[3 * pair] = near;
  Driver driver({.settings = {.tolerance = 1e-4}, .policy = {.settle = true}});
  DriverResult result;
  for (int step = 0; step < 4; ++step) {
    const std::size_t before = allocations();
    driver.solve(problem, result, &start);
    EXPECT_TRUE(step < 2 || allocations() == before) << allocations() - before << " in step " << step;
    ASSERT_TRUE(result.solved()) << result.message;
    ASSERT_EQ(result.islands.size(), static_cast<std::size_t>(pairs));
    for (int pair = 0; pair < pairs; ++pair) {
      if (common_speed(pair) > 0.0)
        EXPECT_EQ(result.r[3 * pair], near) << pair;
      else
        EXPECT_NEAR(result.r[3 * pair], exact, 1e-10) << pair;
    }
  }
}

TEST(StepIslands, AKeptObjectAllocatesNothing) {
  Driver driver({.settings = {.tolerance = 1e-8}});
  DriverResult result;
  for (int step = 0; step < 8; ++step) {
    const BodyProblem problem = towers({1.0 + 0.1 * step, 1e-4, 3.0}, true);
    Vector v(problem.bodies() * problem.dofs_per_body());
    problem.velocities(Vector::Zero(problem.rows()), v);
    problem.q_terms();
    const std::size_t before = allocations();
    driver.solve(problem, result);
    EXPECT_TRUE(result.solved());
    EXPECT_TRUE(step < 4 || allocations() == before) << allocations() - before << " in step " << step;
  }
}

}  // namespace slipstick::internal::step_islands_test
