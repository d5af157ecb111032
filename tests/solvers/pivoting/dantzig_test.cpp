// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/dantzig.hpp"

#include <gtest/gtest.h>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/solvers/pivoting/principal_pivoting.hpp"
#include "tests/solvers/box_cases.hpp"

namespace slipstick::internal::dantzig_test {

using namespace box_cases;

TEST(Dantzig, ClosedForms) {
  Dantzig solver;
  expect_closed_forms(solver, 1e-14, 1e-14);
}

TEST(Dantzig, KnownSolutions) {
  Dantzig solver;
  expect_known_solutions(solver, 120, 4, 1e5, 1e-9);
}

TEST(Dantzig, GoodManners) {
  Dantzig solver;
  RandomBoxOptions options;
  options.rows = 100;
  options.condition = 1e4;
  expect_good_manners(solver, random_lcp(options).problem);
  expect_zero_without_load(solver);
}

TEST(Dantzig, MatrixFree) {
  Dantzig solver;
  expect_matrix_free_agrees(solver, 3, 0.05, 0);
}

TEST(Dantzig, FreeRowsAreALinearSystem) {
  Random random(4);
  const DenseMatrix A = random_spd(random, 60, 1e5);
  const Vector b = random_vector(60, random);
  Dantzig solver;
  const Result result = solve_with(solver, make(A, b, -infinity, infinity), 1e-9);
  ASSERT_TRUE(result.solved()) << result.message;
  EXPECT_EQ(result.counts.iterations, 0);  // nothing has to be driven
  EXPECT_LE((result.x + *solve_linear(A, b)).norm(), 1e-9 * result.x.norm());
}

TEST(Dantzig, StartsInsideTwoSidedRows) {
  // P_K(0) is between the bounds, so every row is driven from there.
  Random random(9);
  const Index n = 40;
  const Problem problem = make(random_spd(random, n, 1e3), 3.0 * random_vector(n, random), -1.0, 1.0);
  Dantzig solver;
  PrincipalPivoting bpp{BppSettings{}};
  const Result driven = solve_with(solver, problem, 1e-12);
  const Result pivoted = solve_with(bpp, problem, 1e-12);
  ASSERT_TRUE(driven.solved() && pivoted.solved());
  EXPECT_GE(driven.counts.iterations, n);
  EXPECT_LE((driven.x - pivoted.x).norm(), 1e-10 * pivoted.x.norm());
}

TEST(Dantzig, SingularProblems) {
  Dantzig solver;
  DenseMatrix M = DenseMatrix::Zero(5, 5);
  M.topLeftCorner(2, 2).setOnes();
  M.block(2, 2, 2, 2).setConstant(2.0);
  const Result repeated =
      solve_with(solver,
                 make(M, vec({-1, -1, -6, -6, 0}), vec({0, 0, -infinity, -infinity, -infinity}),
                      Vector::Constant(5, infinity)),
                 1e-13);
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
  RandomBoxOptions options;
  options.rows = 200;
  options.condition = 1e3;
  options.two_sided = 0.3;
  Problem problem = random_box(options).problem;
  Dantzig solver;
  Result before, cold, warm;
  solver.solve(problem, {}, before);
  Random random(8);
  for (double& value : problem.b) value *= 1.0 + 1e-2 * random.normal();
  solver.solve(problem, {}, cold);
  const WarmStart start{before.x};
  solver.solve(problem, {}, warm, &start);
  ASSERT_TRUE(cold.solved() && warm.solved());
  EXPECT_LT(4 * warm.counts.iterations, cold.counts.iterations);
  EXPECT_LE((warm.x - cold.x).norm(), 1e-9 * cold.x.norm());
}

TEST(Dantzig, RegularizationEndsUnshiftedAndSaysSo) {
  int shifted = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    Problem problem;
    problem.A = Operator(csr_from_dense(random_spd(random, 60, 1e6)));
    problem.b = random_vector(60, random);
    for (int contact = 0; contact < 20; ++contact) {
      problem.K.append_nonnegative(1, Role::normal);
      problem.K.append_interval(-0.2, 0.2, Role::friction);
      problem.K.append_interval(-0.2, 0.2, Role::friction);
    }
    DantzigSettings settings;
    settings.regularization = 1e-2;
    settings.pivot_limit = 1;
    Dantzig plain, regularized(settings);
    const Result expected = solve_with(plain, problem, 1e-12);
    const Result result = solve_with(regularized, problem, 1e-12);
    ASSERT_TRUE(expected.solved()) << expected.message;
    ASSERT_TRUE(result.solved()) << result.message;
    EXPECT_LE((result.w - expected.w).norm(), 1e-9 * problem.b.norm());
    if (result.message.find("friction rows were shifted") == std::string::npos) continue;
    EXPECT_NE(result.message.find("not at the end"), std::string::npos) << result.message;
    ++shifted;
  }
  EXPECT_GE(shifted, 3);
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
