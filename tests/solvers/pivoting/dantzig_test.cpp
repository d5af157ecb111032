// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/dantzig.hpp"

#include <gtest/gtest.h>

#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/solvers/pivoting/principal_pivoting.hpp"
#include "tests/solvers/box_cases.hpp"

namespace slipstick::internal::dantzig_test {

using namespace box_cases;

TEST(Dantzig, FreeRowsAreALinearSystem) {
  Dantzig solver;
  // Nothing has to be driven.
  EXPECT_EQ(expect_linear_solve(solver, 60, 1e5, 1e-9, 1e-9).counts.iterations, 0);
}

TEST(Dantzig, StartsInsideTwoSidedRows) {
  // P_K(0) is between the bounds, so every row is driven from there.
  Random random(9);
  const Index n = 40;
  const Problem problem = make(random_spd(random, n, 1e3), 3.0 * random_vector(n, random), -1.0, 1.0);
  const Result driven = solve_with(Dantzig(), problem, 1e-12);
  const Result pivoted = solve_with(PrincipalPivoting{BppSettings{}}, problem, 1e-12);
  ASSERT_TRUE(driven.solved() && pivoted.solved());
  EXPECT_GE(driven.counts.iterations, n);
  EXPECT_LE((driven.x - pivoted.x).norm(), 1e-10 * pivoted.x.norm());
}

TEST(Dantzig, SingularProblems) {
  Dantzig solver;
  const Result repeated = solve_with(solver, repeated_rows(), 1e-13);
  EXPECT_TRUE(repeated.solved()) << repeated.message;
  EXPECT_NEAR(repeated.x[0] + repeated.x[1], 1.0, 1e-13);
  EXPECT_NEAR(repeated.x[2] + repeated.x[3], 3.0, 1e-13);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const KnownProblem known = rank_deficient(150, 50, seed);
    const Result result = solve_with(solver, known.problem, 1e-10);
    EXPECT_TRUE(result.solved()) << seed << ": " << result.message;
    EXPECT_LE((result.w - known.w).norm(), 1e-7 * known.problem.b.norm());
  }
}

TEST(Dantzig, NoSolutionIsNotCalledOne) {
  Dantzig solver;
  const Problem contradiction = make(DenseMatrix::Ones(2, 2), vec({-1, -2}), -infinity, infinity);
  const Problem falling = make(mat({{1, -1}, {-1, 1}}), vec({-1, -1}), 0, infinity);
  for (const Problem& problem : {contradiction, falling}) {
    const Result result = solve_with(solver, problem, 1e-9);
    EXPECT_EQ(result.status, Status::unbounded);
    EXPECT_TRUE(result.x.allFinite());
  }
}

TEST(Dantzig, WarmStartSavesSteps) {
  const Problem problem = random_box({.rows = 200, .condition = 1e3, .two_sided = 0.3}).problem;
  const Problem next = with_changed_load(problem, 1e-2);
  const WarmStart start{solve_with(Dantzig(), problem).x};
  const Result cold = solve_with(Dantzig(), next);
  const Result warm = solve_with(Dantzig(), next, 1e-8, &start);
  ASSERT_TRUE(cold.solved() && warm.solved());
  EXPECT_LT(4 * warm.counts.iterations, cold.counts.iterations);
  EXPECT_LE((warm.x - cold.x).norm(), 1e-9 * cold.x.norm());
}

TEST(Dantzig, RegularizationEndsUnshiftedAndSaysSo) {
  DantzigSettings settings;
  settings.regularization = 1e-2;
  settings.pivot_limit = 1;
  Dantzig plain, regularized(settings);
  expect_unshifted_end(plain, regularized, 1e6, 1e-12, 1e-9, 3);
}

TEST(Dantzig, Refuses) {
  DantzigSettings settings;
  settings.max_rows = 3;
  Dantzig solver(settings);
  EXPECT_EQ(solve_with(solver, box_cases::chain(4)).status, Status::unsupported);
  EXPECT_TRUE(solve_with(solver, box_cases::chain(3)).solved());
  EXPECT_EQ(solve_with(solver, lcp(mat({{1, 2}, {0, 1}}), vec({1, 1}))).status, Status::unsupported);
}

}  // namespace slipstick::internal::dantzig_test
