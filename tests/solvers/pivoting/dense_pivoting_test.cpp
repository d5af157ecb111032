// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/dense_pivoting.hpp"

#include <gtest/gtest.h>

#include "slipstick/scenes/random_problems.hpp"
#include "tests/solvers/box_cases.hpp"
#include "tests/support/allocation_counter.hpp"

namespace slipstick::internal::dense_pivoting_test {

using namespace box_cases;

Result solve(const Problem& problem, double tolerance = 1e-12, const DensePivotingSettings& method = {}) {
  return solve_with(DensePivoting(method), problem, tolerance);
}

TEST(DensePivoting, KnownSolutions) {
  DensePivoting solver;
  for (const Index rows : {3, 10, 16, 17, 60, 150}) expect_known_solutions(solver, rows, 6, 1e4, 1e-8);
}

TEST(DensePivoting, TwoBoundsFromBothSides) {
  const DenseMatrix A = (DenseMatrix(2, 2) << 2, 1, 1, 2).finished();
  EXPECT_EQ(solve(make(A, vec({5, 5}), -1.0, 1.0)).x, vec({-1, -1}));
  EXPECT_EQ(solve(make(A, vec({-5, -5}), -1.0, 1.0)).x, vec({1, 1}));
  EXPECT_EQ(solve(make(A, vec({5, -5}), -1.0, 1.0)).x, vec({-1, 1}));
  EXPECT_EQ(solve(make(A, vec({-5, 0.5}), -1.0, 1.0)).x, vec({1, -0.75}));
}

TEST(DensePivoting, WithoutASolutionItStalls) {
  for (const Problem& problem : {lcp(DenseMatrix::Zero(2, 2), vec({1, -1})),
                                 lcp(DenseMatrix::Zero(20, 20), Vector::Constant(20, -1.0)),
                                 make(DenseMatrix::Ones(2, 2), vec({1, 2}), -infinity, infinity)}) {
    const Result result = solve(problem);
    EXPECT_EQ(result.status, Status::stalled) << result.message;
    EXPECT_TRUE(result.x.allFinite());
  }
}

TEST(DensePivoting, Unsupported) {
  RandomBoxOptions options{.rows = 32, .skew = 0.5};
  const DensePivoting solver;
  EXPECT_FALSE(solver.explain_unsupported(random_box(options).problem).empty());
  options.skew = 0.0;
  EXPECT_TRUE(solver.explain_unsupported(random_box(options).problem).empty());
  EXPECT_FALSE(DensePivoting(DensePivotingSettings{.max_rows = 10})
                   .explain_unsupported(random_box(options).problem)
                   .empty());
}

TEST(DensePivoting, KeptObjectRepeatsBitsWithoutAllocations) {
  for (const Index rows : {2, 5, 13, 40}) {
    Problem problem = random_box({.rows = rows, .free = 0.2, .two_sided = 0.3}).problem;
    const Vector first = problem.b;
    DensePivoting kept;
    Result result = solve_with(kept, problem);
    problem.b = -first;
    kept.solve(problem, {}, result);
    for (const double factor : {1.0, -1.0, 0.5}) {
      problem.b = factor * first;
      const std::size_t before = allocations();
      kept.solve(problem, {}, result);
      if (factor != 0.5) {
        EXPECT_EQ(allocations() - before, 0u) << rows;
      }
      EXPECT_TRUE(result.solved()) << rows << " " << result.message;
      EXPECT_EQ(result.x, solve_with(DensePivoting(), problem, Settings().tolerance).x) << rows;
    }
    // Other bounds for the same matrix.
    problem.K = ProductSet::nonnegative(rows);
    kept.solve(problem, {}, result);
    EXPECT_EQ(result.x, solve_with(DensePivoting(), problem, Settings().tolerance).x) << rows;
  }
}

TEST(DensePivoting, WarmStartCostsOneSet) {
  const RandomBoxOptions options{.rows = 80, .two_sided = 0.3};
  const KnownProblem known = random_box(options);
  DensePivoting solver;
  Result result;
  // The right set with a wrong x.
  WarmStart start{known.x};
  for (Index i = 0; i < options.rows; ++i) {
    const double lower = known.problem.K.lower()[i], upper = known.problem.K.upper()[i];
    if (known.x[i] > lower && known.x[i] < upper) start.x[i] += 1e-4 * std::min(upper - known.x[i], 1.0);
  }
  solver.solve(known.problem, {}, result, &start);
  EXPECT_TRUE(result.solved());
  EXPECT_EQ(result.counts.iterations, 1);
}

}  // namespace slipstick::internal::dense_pivoting_test
