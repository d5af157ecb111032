// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/pgcg.hpp"

#include <gtest/gtest.h>

#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/scenes/uic.hpp"
#include "tests/solvers/box_cases.hpp"

namespace slipstick::internal::pgcg_test {

using namespace box_cases;

PgcgSettings with(FreePreconditioning preconditioner, double refactor) {
  PgcgSettings settings;
  settings.preconditioner = preconditioner;
  settings.refactor = refactor;
  return settings;
}

TEST(Pgcg, ClosedForms) {
  for (const FreePreconditioning p :
       {FreePreconditioning::jacobi, FreePreconditioning::ic0, FreePreconditioning::mic0,
        FreePreconditioning::imaginary, FreePreconditioning::partial_shift, FreePreconditioning::ict}) {
    for (const double refactor : {0.0, 0.5}) {
      Pgcg solver(with(p, refactor));
      expect_closed_forms(solver, 1e-13, 1e-11);
    }
  }
}

// Without bounds it is preconditioned conjugate gradients: about n steps, or one factorization.
TEST(Pgcg, FreeRowsAreOneRunOfConjugateGradients) {
  Random random(4);
  const Index n = 30;
  const DenseMatrix A = random_spd(random, n, 100.0);
  const Vector b = random_vector(n, random);
  PgcgSettings settings = with(FreePreconditioning::jacobi, 0.0);
  settings.inner = 1e-12;
  const Result result = solve_with(Pgcg(settings), make(A, b, -infinity, infinity), 1e-9);
  ASSERT_TRUE(result.solved());
  EXPECT_LE(result.counts.iterations, n + 10);
  EXPECT_LE((result.x + *solve_linear(A, b)).norm(), 1e-6 * result.x.norm());
  // A dense matrix has no fill to drop: the factor is exact.
  const Result direct =
      solve_with(Pgcg(with(FreePreconditioning::ic0, 0.0)), make(A, b, -infinity, infinity), 1e-9);
  EXPECT_TRUE(direct.solved());
  EXPECT_LE(direct.counts.iterations, 3);
  EXPECT_EQ(direct.counts.factorizations, 1);
}

TEST(Pgcg, TheObjectiveFallsWithinTheBox) {
  const Problem problem = random_box({.rows = 200, .condition = 1e4, .two_sided = 0.5}).problem;
  ExpectDescent watch(problem);
  Pgcg solver;
  Result result;
  solver.solve(problem, {.tolerance = 1e-9}, result, nullptr, &watch);
  EXPECT_TRUE(result.solved());
}

TEST(Pgcg, PreconditioningSavesSteps) {
  const Problem problem = uic_pressure({.resolution = 40});
  const Result slow = solve_with(Pgcg(with(FreePreconditioning::jacobi, 0.0)), problem);
  const Result fast = solve_with(Pgcg(with(FreePreconditioning::mic0, 0.0)), problem);
  ASSERT_TRUE(slow.solved() && fast.solved());
  EXPECT_LT(fast.counts.iterations, slow.counts.iterations);
}

TEST(Pgcg, SingularProblems) {
  Pgcg solver;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const KnownProblem known = rank_deficient(150, 50, seed);
    const Result result = solve_with(solver, known.problem, 1e-10);
    EXPECT_TRUE(result.solved()) << seed << ": " << result.message;
    EXPECT_LE((result.w - known.w).norm(), 1e-6 * known.problem.b.norm());
  }
  const Problem falling = make(mat({{1, -1}, {-1, 1}}), vec({-1, -1}), 0, infinity);
  EXPECT_FALSE(solve_with(solver, falling).solved());
}

TEST(Pgcg, WarmStartSavesSteps) {
  const Problem problem = random_lcp({.rows = 400, .condition = 1e3}).problem;
  const Problem next = with_changed_load(problem, 1e-3);
  const WarmStart start{solve_with(Pgcg(), problem).x};
  const Result cold = solve_with(Pgcg(), next);
  const Result warm = solve_with(Pgcg(), next, 1e-8, &start);
  ASSERT_TRUE(cold.solved() && warm.solved());
  EXPECT_LT(warm.counts.iterations, cold.counts.iterations);
}

TEST(Pgcg, RegularizationEndsUnshiftedAndSaysSo) {
  PgcgSettings settings = with(FreePreconditioning::jacobi, 0.0);
  settings.inner = 0.5;
  Pgcg plain(settings);
  settings.regularization = 1e-2;
  settings.pivot_limit = 1;
  Pgcg regularized(settings);
  expect_unshifted_end(plain, regularized, 1e4, 1e-11, 1e-8, 1);
}

}  // namespace slipstick::internal::pgcg_test
