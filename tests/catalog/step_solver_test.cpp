// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// The driver as a simulator sees it.
#include "slipstick/step_solver.hpp"

#include <gtest/gtest.h>

#include "slipstick/body_problem.hpp"
#include "slipstick/measures.hpp"
#include "slipstick/solve.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::step_solver_test {

// A sphere of mass 2 that is pressed on the ground with an impulse of 3 and pushed along x with 1.
void add_sphere(BodyProblem& problem, double mu) {
  problem.reset(1);
  problem.set_body(
      0, RigidBody::space(0.5, Eigen::Matrix3d::Zero(), {}, SmallVector{1.0, 0.0, -3.0, 0.0, 0.0, 0.0}));
  problem.add_contact(
      7, {.bodies = {0, -1}, .frame = Eigen::Matrix3d{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}, .mu = mu});
}

// The impulses stand in r under every law.
TEST(StepSolver, HasImpulsesOfAllRows) {
  BodyProblem problem;
  add_sphere(problem, 0.5);
  for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::convex, FrictionLaw::diamond}) {
    Driver driver({.settings = {.tolerance = 1e-12}, .friction = law});
    StepSolver& solver = driver;
    DriverResult result;
    for (int repeat = 0; repeat < 3; ++repeat) {
      solver.solve(problem, result);
      ASSERT_TRUE(result.solved()) << name(law) << ": " << result.message;
      EXPECT_LE((result.r - vec({3.0, -1.0, 0.0})).norm(), 1e-10) << name(law);
      EXPECT_LE(result.u.norm(), 1e-10) << name(law);
      EXPECT_EQ(result.u.size(), 3);
      EXPECT_EQ(result.law, law);
    }
    const WarmStart start{.x = result.r};
    solver.solve(problem, result, &start);
    EXPECT_TRUE(result.start_used);
  }
}

// A sliding sphere tells the laws apart: the convex one lifts it by mu times its speed.
TEST(StepSolver, ObeysTheLaw) {
  BodyProblem problem;
  add_sphere(problem, 0.1);
  DriverResult result;
  Driver({.settings = {.tolerance = 1e-12}}).solve(problem, result);
  EXPECT_LE((result.u - vec({0.0, 0.35, 0.0})).norm(), 1e-10);
  Driver({.settings = {.tolerance = 1e-12}, .friction = FrictionLaw::convex}).solve(problem, result);
  EXPECT_NEAR(result.u[0], 0.1 * result.u[1], 1e-10);
  EXPECT_GT(result.u[0], 0.01);
}

// Friction is bounded by mu times the normal impulse without friction, which is 1 here. Friction then raises
// the normal impulse, but not its bound (Ho 2022, 2.4.2).
TEST(StepSolver, BoundsOfFrictionComeFromOnePass) {
  const AnyProblem problem = LocalContactProblem{
      .dimension = 2, .W = DenseMatrix{{2.0, 0.5}, {0.5, 1.0}}, .q = vec({-2.0, 3.0}), .mu = vec({0.2})};
  Driver driver({.settings = {.tolerance = 1e-12}, .friction = FrictionLaw::box_once});
  DriverResult result;
  for (int repeat = 0; repeat < 2; ++repeat) {
    driver.solve(problem, result);
    ASSERT_TRUE(result.solved()) << result.message;
    EXPECT_LE((result.friction_bounds - vec({0.2})).norm(), 1e-12);
    EXPECT_LE((result.r - vec({1.05, -0.2})).norm(), 1e-12);
  }
  // Anybody can measure the answer with its bounds. Without bounds there is no law.
  const auto& local = std::get<LocalContactProblem>(problem);
  Measures measures;
  measure(local, FrictionLaw::box_once, result, measures);
  EXPECT_LE(measures.scaled_natural_map, 1e-12);
  std::vector<ContactState> states;
  contact_states(local, FrictionLaw::box_once, result, states);
  EXPECT_EQ(states.at(0), ContactState::slip);
  Solution other = result;
  other.friction_bounds[0] = 0.1;
  measure(local, FrictionLaw::box_once, other, measures);
  EXPECT_GT(measures.scaled_natural_map, 0.02);
  other.friction_bounds.resize(0);
  EXPECT_THROW(measure(local, FrictionLaw::box_once, other, measures), Error);

  // Bounds of the caller count.
  LocalContactProblem given = local;
  given.friction_bounds = vec({0.4});
  driver.solve(given, result);
  ASSERT_TRUE(result.solved()) << result.message;
  EXPECT_LE((result.r - vec({1.1, -0.4})).norm(), 1e-12);
  EXPECT_EQ(result.friction_bounds.size(), 0);
  given.friction_bounds = vec({-0.4});
  EXPECT_THROW(driver.solve(given, result), Error);
  given.friction_bounds = vec({0.4, 0.4});
  EXPECT_THROW(driver.solve(given, result), Error);
}

// Islands are judged with the bounds of their contacts.
TEST(StepSolver, OnePassJudgesIslands) {
  BodyProblem problem;
  for (const double mu : {0.1, 0.5}) {
    add_sphere(problem, mu);
    DriverResult result;
    Driver driver({.settings = {.tolerance = 1e-12}, .friction = FrictionLaw::box_once});
    driver.solve(problem, result);
    ASSERT_TRUE(result.solved()) << result.message;
    EXPECT_LE((result.r - vec({3.0, -std::min(1.0, 3.0 * mu), 0.0})).norm(), 1e-10);
    ASSERT_EQ(result.islands.size(), 1u);
    EXPECT_LE(result.islands[0].error, 1e-12);
    EXPECT_EQ(result.islands[0].law, FrictionLaw::box_once);
    EXPECT_EQ(result.states.at(0), mu < 0.3 ? ContactState::slip : ContactState::stick);
  }
}

TEST(StepSolver, ConvexLawAllocatesNothingLater) {
  BodyProblem problem;
  Driver driver({.friction = FrictionLaw::convex});
  DriverResult result;
  for (int step = 0; step < 6; ++step) {
    add_sphere(problem, 0.1 + 0.1 * step);
    const std::size_t before = allocations();
    driver.solve(problem, result);
    EXPECT_TRUE(step < 3 || allocations() == before) << allocations() - before << " in step " << step;
  }
}

TEST(StepSolver, SolvesProblemsWithoutRows) {
  BodyProblem problem;
  for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::convex}) {
    DriverResult result;
    Driver({.friction = law}).solve(problem, result);
    EXPECT_TRUE(result.solved()) << name(law) << ": " << result.message;
    EXPECT_EQ(result.r.size(), 0);
  }
}

}  // namespace slipstick::internal::step_solver_test
