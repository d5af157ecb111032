// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/pgcg.hpp"

#include <gtest/gtest.h>

#include "slipstick/linalg/csr_matrix.hpp"
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

TEST(Pgcg, KnownSolutions) {
  Pgcg solver;
  expect_known_solutions(solver, 120, 4, 1e4, 1e-7);
}

TEST(Pgcg, GoodManners) {
  Pgcg solver;
  RandomBoxOptions options;
  options.rows = 300;
  options.condition = 1e4;
  expect_good_manners(solver, random_lcp(options).problem);
  expect_zero_without_load(solver);
}

TEST(Pgcg, MatrixFree) {
  Pgcg solver;
  expect_matrix_free_agrees(solver, 3, 0.05);
}

// Without bounds it is preconditioned conjugate gradients: about n steps, or one factorization.
TEST(Pgcg, FreeRowsAreOneRunOfConjugateGradients) {
  Random random(4);
  const Index n = 30;
  const DenseMatrix A = random_spd(random, n, 100.0);
  const Vector b = random_vector(n, random);
  PgcgSettings settings = with(FreePreconditioning::jacobi, 0.0);
  settings.inner = 1e-12;
  Pgcg solver(settings);
  const Result result = solve_with(solver, make(A, b, -infinity, infinity), 1e-9);
  ASSERT_TRUE(result.solved());
  EXPECT_LE(result.counts.iterations, n + 10);
  EXPECT_LE((result.x + *solve_linear(A, b)).norm(), 1e-6 * result.x.norm());
  // A dense matrix has no fill to drop: the factor is exact.
  Pgcg exact(with(FreePreconditioning::ic0, 0.0));
  const Result direct = solve_with(exact, make(A, b, -infinity, infinity), 1e-9);
  EXPECT_TRUE(direct.solved());
  EXPECT_LE(direct.counts.iterations, 3);
  EXPECT_EQ(direct.counts.factorizations, 1);
}

TEST(Pgcg, TheObjectiveFallsWithinTheBox) {
  RandomBoxOptions options;
  options.rows = 200;
  options.condition = 1e4;
  options.two_sided = 0.5;
  const Problem problem = random_box(options).problem;
  struct Watch : Observer {
    explicit Watch(const Problem& p) : problem(p) {}
    bool observe(const Iteration& iteration) override {
      Vector product(iteration.x.size());
      problem.A.multiply(iteration.x, product);
      const double objective = 0.5 * iteration.x.dot(product) + problem.b.dot(iteration.x);
      EXPECT_LE(objective, last + 1e-13 * std::abs(last));
      last = objective;
      Vector projected = iteration.x;
      problem.K.project(projected);
      EXPECT_EQ(projected, Vector(iteration.x));
      return true;
    }
    const Problem& problem;
    double last = 1e300;
  } watch(problem);
  Pgcg solver;
  Result result;
  solver.solve(problem, {.tolerance = 1e-9}, result, nullptr, &watch);
  EXPECT_TRUE(result.solved());
}

TEST(Pgcg, PreconditioningSavesSteps) {
  UicOptions options;
  options.resolution = 40;
  const Problem problem = uic_pressure(options);
  Pgcg plain(with(FreePreconditioning::jacobi, 0.0)), incomplete(with(FreePreconditioning::mic0, 0.0));
  const Result slow = solve_with(plain, problem);
  const Result fast = solve_with(incomplete, problem);
  ASSERT_TRUE(slow.solved() && fast.solved());
  EXPECT_LT(fast.counts.iterations, slow.counts.iterations);
}

TEST(Pgcg, SingularProblems) {
  Pgcg solver;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    RandomBoxOptions options;
    options.rows = 150;
    options.rank_deficiency = 50;
    options.condition = 1e3;
    options.degenerate = 0.3;
    options.free = 0.2;
    options.seed = seed;
    const KnownProblem known = random_box(options);
    const Result result = solve_with(solver, known.problem, 1e-10);
    EXPECT_TRUE(result.solved()) << seed << ": " << result.message;
    EXPECT_LE((result.w - known.w).norm(), 1e-6 * known.problem.b.norm());
  }
  const Problem falling = make(mat({{1, -1}, {-1, 1}}), vec({-1, -1}), 0, infinity);
  EXPECT_FALSE(solve_with(solver, falling).solved());
}

TEST(Pgcg, WarmStartSavesSteps) {
  RandomBoxOptions options;
  options.rows = 400;
  options.condition = 1e3;
  Problem problem = random_lcp(options).problem;
  Pgcg solver;
  Result before, cold, warm;
  solver.solve(problem, {}, before);
  Random random(8);
  for (double& value : problem.b) value *= 1.0 + 1e-3 * random.normal();
  solver.solve(problem, {}, cold);
  const WarmStart start{before.x};
  solver.solve(problem, {}, warm, &start);
  ASSERT_TRUE(cold.solved() && warm.solved());
  EXPECT_LT(warm.counts.iterations, cold.counts.iterations);
}

TEST(Pgcg, RegularizationEndsUnshiftedAndSaysSo) {
  int shifted = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    Problem problem;
    problem.A = Operator(csr_from_dense(random_spd(random, 60, 1e4)));
    problem.b = random_vector(60, random);
    for (int contact = 0; contact < 20; ++contact) {
      problem.K.append_nonnegative(1, Role::normal);
      problem.K.append_interval(-0.2, 0.2, Role::friction);
      problem.K.append_interval(-0.2, 0.2, Role::friction);
    }
    PgcgSettings settings = with(FreePreconditioning::jacobi, 0.0);
    settings.inner = 0.5;
    Pgcg plain(settings);
    settings.regularization = 1e-2;
    settings.pivot_limit = 1;
    Pgcg regularized(settings);
    const Result expected = solve_with(plain, problem, 1e-11);
    const Result result = solve_with(regularized, problem, 1e-11);
    ASSERT_TRUE(expected.solved()) << expected.message;
    ASSERT_TRUE(result.solved()) << result.message;
    EXPECT_LE((result.w - expected.w).norm(), 1e-8 * problem.b.norm());
    if (result.message.find("friction rows were shifted") == std::string::npos) continue;
    EXPECT_NE(result.message.find("not at the end"), std::string::npos) << result.message;
    ++shifted;
  }
  EXPECT_GE(shifted, 1);
}

}  // namespace slipstick::internal::pgcg_test
