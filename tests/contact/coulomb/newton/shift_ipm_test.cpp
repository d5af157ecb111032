// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/shift_ipm.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <memory>

#include "slipstick/base/random.hpp"
#include "slipstick/contact/coulomb/coulomb_solver.hpp"
#include "slipstick/contact/coulomb/sweeps/nsgs.hpp"
#include "slipstick/linalg/operator.hpp"
#include "tests/contact/coulomb_cases.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/sanitized.hpp"

namespace slipstick::internal::shift_ipm_test {

Result solved(const LocalContactProblem& problem, double tolerance = 1e-8,
              const ShiftIpmSettings& settings = {}) {
  ShiftIpm method(settings);
  Result result = solve_coulomb(method, problem, tolerance);
  EXPECT_TRUE(result.solved()) << name(result.status) << ' ' << result.measures.scaled_natural_map << ' '
                               << result.measures.desaxce;
  return result;
}

TEST(ShiftIpm, HoldsAndReleasesABlockOnASlope) {
  ShiftIpm method;
  expect_slope(method, 1e-6);
}

TEST(ShiftIpm, LetsABlockFly) {
  EXPECT_LE(solved(block_on_slope(3, 0.3, 0.5, 20.0)).r.norm(), 1e-6);
}

TEST(ShiftIpm, SolvesOneContactInClosedForm) {
  // W = 1: it sticks if q is inside the cone, and slides along -q_T otherwise.
  const DenseMatrix W = DenseMatrix::Identity(3, 3);
  EXPECT_LE((solved(one_contact(W, vec({-2, 0.5, 0.5}), 0.5)).r - vec({2, -0.5, -0.5})).norm(), 1e-6);
  EXPECT_LE((solved(one_contact(W, vec({-2, 3, 4}), 0.5)).r - vec({2, -0.6, -0.8})).norm(), 1e-6);
  EXPECT_LE((solved(one_contact(W, vec({-2, 1, 1}), 0.0)).r - vec({2, 0, 0})).norm(), 1e-6);
  EXPECT_TRUE(solved(one_contact(W, vec({1, 3, 4}), 0.5)).r.isZero(1e-6));
}

TEST(ShiftIpm, TakesNoContactsZeroBlocksAndZeroVelocity) {
  EXPECT_EQ(solved({}).r.size(), 0);
  EXPECT_TRUE(solved(one_contact(DenseMatrix::Zero(3, 3), vec({0.5, 1, 1}), 0.5)).r.isZero());
  EXPECT_TRUE(solved(one_contact(DenseMatrix::Identity(3, 3), Vector::Zero(3), 0.5)).r.isZero());
  ShiftIpm method;
  const Result hopeless =
      solve_coulomb(method, one_contact(DenseMatrix::Zero(3, 3), vec({-0.5, 1, 1}), 0.5), 1e-8, 200);
  EXPECT_FALSE(hopeless.solved());
  EXPECT_TRUE(hopeless.r.allFinite());
}

TEST(ShiftIpm, StopsALimitAndDrivesAMotor) {
  // A slider of mass 1 with u = r + q: a limit r >= 0, a motor |r| <= 1.
  LocalContactProblem problem;
  problem.W = Operator(DenseMatrix(DenseMatrix::Identity(3, 3)));
  problem.q = vec({-2, -3, 0.5});
  problem.lower = vec({0, -1, -infinity});
  problem.upper = vec({infinity, 1, infinity});
  EXPECT_LE((solved(problem).r - vec({2, 1, -0.5})).norm(), 1e-6);
}

TEST(ShiftIpm, SolvesRandomContacts) {
  ShiftIpm method;
  expect_random_contacts(method);
}

TEST(ShiftIpm, HoldsJointsLimitsAndMotors) {
  for (const int dimension : {2, 3}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const LocalContactProblem problem = limits_and_motors(dimension, seed);
      expect_coulomb(problem, solved(problem), 1e-5);
    }
  }
}

TEST(ShiftIpm, AgreesWithSweeps) {
  Nsgs nsgs;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const LocalContactProblem problem = random_contacts(
        {.contacts = 12, .dofs = 60, .friction = 0.1 * static_cast<double>(seed), .seed = seed});
    const Vector u = solve_coulomb(nsgs, problem, 1e-10).u;
    EXPECT_LE((solved(problem, 1e-9).u - u).norm(), 1e-6 * problem.q.norm());
  }
}

TEST(ShiftIpm, SolvesRedundantContacts) {
  const LocalContactProblem problem =
      random_contacts({.contacts = 20, .dofs = 24, .friction = 0.3, .seed = 2});
  expect_coulomb(problem, solved(problem), 1e-5);
}

TEST(ShiftIpm, DoesNotMindUnits) {
  const LocalContactProblem problem = random_contacts({.contacts = 10, .dofs = 40, .friction = 0.4});
  const Result plain = solved(problem);
  for (const double mass : {1e-6, 1e6})
    EXPECT_EQ(solved(rescaled(problem, mass, 1e-3)).counts.factorizations, plain.counts.factorizations);
}

// At 0.2 the spheres flow, at 0.3 a few are loose, at 0.6 all are at rest.
TEST(ShiftIpm, SolvesPackings) {
  for (const double friction : {0.2, 0.3, 0.6}) {
    for (const std::uint64_t seed : {5, 8}) {
      const LocalContactProblem problem = sphere_contacts(sanitized ? 20 : 60, friction, seed);
      expect_coulomb(problem, solved(problem), 1e-6);
    }
  }
}

// The same without the bodies: W is assembled.
TEST(ShiftIpm, SolvesAnAssembledPacking) {
  LocalContactProblem problem = sphere_contacts(30, 0.3, 1);
  problem.W = Operator(problem.W.assemble());
  expect_coulomb(problem, solved(problem), 1e-6);
}

TEST(ShiftIpm, KeepsABetterStartAndSaysThatItWasStopped) {
  const LocalContactProblem problem = random_contacts({.contacts = 10, .dofs = 40});
  Vector start = solved(problem).r;
  start[0] += 1e-6;
  ShiftIpm method;
  ContactBlocks blocks;
  Result result;
  solve_coulomb(method, blocks, problem, {.tolerance = 1e-13, .max_iterations = 1}, result, &start);
  EXPECT_EQ(result.status, Status::iteration_limit);
  EXPECT_EQ(result.r, start);
}

// To a tolerance that is out of reach.
TEST(ShiftIpm, EndsAfterItsTurns) {
  const LocalContactProblem heap = sphere_contacts(20, 0.3, 1);
  int last = 0;
  for (const int turns : {1, 2, 4}) {
    ShiftIpm method({.turns = turns});
    const Result result = solve_coulomb(method, heap, 1e-30, 10000);
    EXPECT_EQ(result.status, Status::iteration_limit);
    EXPECT_GT(result.counts.factorizations, last);
    last = result.counts.factorizations;
  }
}

TEST(ShiftIpm, AllocatesNothingTheSecondTime) {
  ShiftIpm method(ShiftIpmSettings{.starts = 1});
  expect_no_allocation(method, random_contacts({.contacts = 15, .dofs = 60, .bilateral = 5}));
}

TEST(ShiftIpm, SolvesRealProblems) {
  if (std::getenv("SLIPSTICK_DATA") == nullptr) GTEST_SKIP() << "SLIPSTICK_DATA is not set";
  int seen = 0;
  for (const char* folder : {"fc2d", "fc3d"}) {
    for (const auto& [name, problem] : real_contacts(folder, 100)) {
      SCOPED_TRACE(name);
      solved(problem, 1e-4);
      ++seen;
    }
  }
  EXPECT_GE(seen, 10);
}

CoulombSolver alone(const ShiftIpmSettings& settings = {}, FrictionLaw law = FrictionLaw::coulomb) {
  return CoulombSolver(
      [settings] {
        CoulombSolver::Chain chain;
        chain.push_back({[settings] { return std::make_unique<ShiftIpm>(settings); }, "alone"});
        return chain;
      },
      law);
}

// Problems whose load changes by a thousandth: from the answer before, and from nothing.
TEST(ShiftIpm, BeginsNearTheAnswerOfASimilarProblem) {
  Random random(1);
  for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::box}) {
    LocalContactProblem problems[] = {sphere_contacts(60, 0.3, 5), limits_and_motors(3, 1)};
    for (LocalContactProblem& problem : problems) {
      CoulombSolver solver = alone({}, law);
      Result before, from_nothing, from_before;
      solver.solve(problem, {.tolerance = 1e-8}, before);
      ASSERT_TRUE(before.solved());
      for (double& value : problem.q) value *= 1.0 + 1e-3 * random.normal();
      const WarmStart start{before.r};
      solver.solve(problem, {.tolerance = 1e-6}, from_nothing);
      solver.solve(problem, {.tolerance = 1e-6}, from_before, &start);
      EXPECT_TRUE(from_before.solved()) << from_before.measures.scaled_natural_map;
      EXPECT_LT(2 * from_before.counts.factorizations, from_nothing.counts.factorizations);
    }
  }
}

TEST(ShiftIpm, GivesTheSameBitsForEveryNumberOfThreads) {
  const LocalContactProblem problem = sphere_contacts(300, 0.6, 1);
  CoulombSolver solver = alone();
  Vector reference;
  for (const int threads : {1, 2, 3}) {
    Result result;
    solver.solve(problem, {.tolerance = 1e-6, .threads = threads}, result);
    EXPECT_TRUE(result.solved());
    if (reference.size() == 0) reference = result.r;
    EXPECT_EQ(result.r, reference) << threads << " threads";
  }
}

}  // namespace slipstick::internal::shift_ipm_test
