// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/sweeps/nsgs_fast.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "slipstick/linalg/operator.hpp"
#include "tests/contact/coulomb_cases.hpp"
#include "tests/support/sanitized.hpp"

namespace slipstick::internal::nsgs_fast_test {

Result solved(const LocalContactProblem& problem, double tolerance, const NsgsFastSettings& settings = {}) {
  NsgsFast method(settings);
  Result result = solve_coulomb(method, problem, tolerance);
  EXPECT_TRUE(result.solved()) << name(result.status) << ' ' << result.measures.scaled_natural_map << ' '
                               << result.measures.desaxce;
  return result;
}

TEST(NsgsFast, HoldsAndReleasesABlockOnASlope) {
  NsgsFast method;
  expect_slope(method, 1e-6);
}

TEST(NsgsFast, SolvesRandomContacts) {
  NsgsFast method;
  expect_random_contacts(method);
}

TEST(NsgsFast, HoldsJointsLimitsAndMotors) {
  for (const int dimension : {2, 3}) {
    const LocalContactProblem problem = limits_and_motors(dimension, 1);
    expect_coulomb(problem, solved(problem, 1e-8), 1e-5);
  }
}

TEST(NsgsFast, SolvesAPackingAtRest) {
  const LocalContactProblem problem = sphere_contacts(sanitized ? 40 : 200, 0.6, 5);
  expect_coulomb(problem, solved(problem, 1e-6), 1e-4);
}

// A few spheres are loose. The answer is of moderate accuracy.
TEST(NsgsFast, SolvesAJammedPacking) {
  const LocalContactProblem problem = sphere_contacts(sanitized ? 40 : 200, 0.3, 5);
  expect_coulomb(problem, solved(problem, 1e-3), 0.1);
}

// Through the bodies and by blocks of W the iterations are the same, up to rounding.
TEST(NsgsFast, BodiesAndBlocksTakeTheSameWay) {
  const LocalContactProblem problem = sphere_contacts(60, 0.4, 1);
  LocalContactProblem assembled = problem;
  assembled.W = Operator(problem.W.assemble());
  NsgsFast method;
  const Result by_bodies = solve_coulomb(method, problem, 1e-12, 20);
  const Result by_blocks = solve_coulomb(method, assembled, 1e-12, 20);
  EXPECT_EQ(by_bodies.counts.iterations, by_blocks.counts.iterations);
  EXPECT_LE((by_bodies.r - by_blocks.r).norm(), 1e-9 * by_blocks.r.norm());
}

// A column of blocks: each one carries all that are above it.
TEST(NsgsFast, CarriesTheLoadOfAColumnInFewerSweepsThanNsgs) {
  constexpr Index blocks = 40;
  for (const int d : {2, 3}) {
    const LocalContactProblem column = stack_of_blocks(d, blocks);
    Nsgs plain;
    const Result slow = solve_coulomb(plain, column, 1e-8);
    const Result fast = solved(column, 1e-8);
    EXPECT_TRUE(slow.solved());
    EXPECT_LE(3 * fast.counts.iterations, slow.counts.iterations);
    EXPECT_LE(fast.counts.products,
              fast.counts.iterations + fast.counts.iterations / 10 + 30);  // and a descent
    for (Index i = 0; i < blocks; ++i)
      EXPECT_NEAR(fast.r[d * i], 10.0 * static_cast<double>(blocks - i), 1e-3) << i;
  }
}

// The same column from the impulses of a slightly lighter one.
TEST(NsgsFast, AWarmStartSavesSweeps) {
  LocalContactProblem column = stack_of_blocks(3, 40);
  const Result before = solved(column, 1e-8);
  column.q *= 1.0 + 1e-4;
  NsgsFast method;
  ContactBlocks blocks;
  Result warm, cold;
  solve_coulomb(method, blocks, column, {.tolerance = 1e-6, .max_iterations = 20000}, warm, &before.r);
  solve_coulomb(method, blocks, column, {.tolerance = 1e-6, .max_iterations = 20000}, cold);
  EXPECT_TRUE(warm.solved());
  EXPECT_TRUE(cold.solved());
  EXPECT_LT(warm.counts.iterations, cold.counts.iterations);
}

TEST(NsgsFast, NeedsFewerSweepsThanNsgs) {
  const LocalContactProblem problem = sphere_contacts(sanitized ? 60 : 400, 0.6, 2);
  Nsgs plain;
  const Result slow = solve_coulomb(plain, problem, 1e-3, 20000);
  const Result fast = solved(problem, 1e-3);
  EXPECT_TRUE(slow.solved());
  EXPECT_TRUE(sanitized || 2 * fast.counts.iterations < slow.counts.iterations);
}

TEST(NsgsFast, AVeryLateRestartAlsoEndsAtTheSolution) {
  const LocalContactProblem problem = sphere_contacts(60, 0.6, 3);
  expect_coulomb(problem, solved(problem, 1e-6, {.restart = 100.0, .test = 1}), 1e-4);
}

TEST(NsgsFast, GivesUpIfNewtonsMethodIsCheaper) {
  NsgsFast method({}, std::make_shared<SweepWorkspace>(), {.trial = 20, .newton_steps = 1e-3},
                  [](const ContactBlocks&, const Island&) { return 1.0; });
  const Result result = solve_coulomb(method, sphere_contacts(60, 0.3, 1), 1e-10);
  EXPECT_EQ(result.status, Status::iteration_limit);
  EXPECT_LE(result.counts.iterations, 100);
}

// Rounding keeps the error above the tolerance.
TEST(NsgsFast, StallsAfterItsPatience) {
  const LocalContactProblem problem = sphere_contacts(20, 0.6, 1);
  const auto iterations = [&](int patience) {
    NsgsFast method({}, std::make_shared<SweepWorkspace>(), {.patience = patience}, {});
    const Result result = solve_coulomb(method, problem, 1e-30, 20000);
    EXPECT_EQ(result.status, Status::stalled);
    return result.counts.iterations;
  };
  const int early = iterations(100);
  EXPECT_GE(early, 100);
  EXPECT_GE(iterations(1000), early + 800);
}

// Threads take other parts, and so other iterations. Every run with as many threads has the same bits.
TEST(NsgsFast, ThreadsGiveTheSameBitsEveryTime) {
  const LocalContactProblem problem = sphere_contacts(sanitized ? 750 : 800, 0.6, 1);
  ContactBlocks blocks;
  Result first, second, alone;
  const auto solve = [&](int threads, Result& result) {
    NsgsFast method;
    solve_coulomb(method, blocks, problem,
                  {.tolerance = 1e-3, .max_iterations = sanitized ? 20 : 2000, .threads = threads}, result);
  };
  solve(2, first);
  solve(2, second);
  solve(1, alone);
  EXPECT_EQ(first.r, second.r);
  EXPECT_EQ(first.counts.iterations, second.counts.iterations);
  if (sanitized) return;
  EXPECT_TRUE(first.solved());
  EXPECT_LE(first.counts.iterations, 2 * alone.counts.iterations);
}

TEST(NsgsFast, KeepsABetterStart) {
  const LocalContactProblem problem = sphere_contacts(30, 0.6, 1);
  const Vector start = solved(problem, 1e-8).r;
  NsgsFast method;
  ContactBlocks blocks;
  Result result;
  solve_coulomb(method, blocks, problem, {.tolerance = 1e-8, .max_iterations = 5}, result, &start);
  EXPECT_EQ(result.counts.iterations, 0);
  EXPECT_EQ(result.r, start);
}

TEST(NsgsFast, AllocatesNothingTheSecondTime) {
  NsgsFast method;
  expect_no_allocation(method, random_contacts({.contacts = 15, .dofs = 60, .bilateral = 5}));
}

}  // namespace slipstick::internal::nsgs_fast_test
