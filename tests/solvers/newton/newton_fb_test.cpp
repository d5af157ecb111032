// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/newton/newton_fb.hpp"

#include <gtest/gtest.h>

#include "slipstick/scenes/random_problems.hpp"
#include "tests/solvers/box_cases.hpp"
#include "tests/support/sanitized.hpp"

namespace slipstick::internal::newton_fb_test {

using namespace box_cases;

Result solve(const Problem& problem, double tolerance = 1e-12, const NewtonFbSettings& method = {}) {
  return solve_with(NewtonFb(method), problem, tolerance);
}

TEST(NewtonFb, ClosedForms) {
  for (const double weight : {1.0, 0.95, 0.5}) {
    NewtonFb newton({.weight = weight});
    expect_closed_forms(newton, 1e-14, 1e-14);
  }
}

TEST(NewtonFb, PMatricesFarFromDefinite) {
  NewtonFb newton;
  expect_p_matrices(newton);
}

TEST(NewtonFb, DenseAndSparseSystemsAgree) {
  const KnownProblem known = random_box({.rows = sanitized ? 300 : 900,
                                         .condition = 1e4,
                                         .degenerate = 0.2,
                                         .free = 0.1,
                                         .two_sided = 0.3,
                                         .fixed = 0.05,
                                         .skew = 0.3});
  const Result sparse = solve(known.problem);
  EXPECT_TRUE(sparse.solved()) << sparse.message;
  EXPECT_LE(sparse.counts.iterations, 60);
  EXPECT_LE((sparse.x - known.x).norm(), 1e-9 * known.x.norm());
  Problem dense = known.problem;
  dense.A = Operator(DenseMatrix(*known.problem.A.assemble()));
  const Result same = solve(dense);
  EXPECT_TRUE(same.solved());
  EXPECT_LE((same.x - sparse.x).norm(), 1e-9 * known.x.norm());
}

TEST(NewtonFb, SingularMatrices) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const Index rows = seed < 3 ? 60 : 400;
    const RandomBoxOptions options{
        .rows = rows, .condition = 1e3, .rank_deficiency = rows / 4, .free = 0.3, .seed = seed};
    const Result result = solve(random_box(options).problem, 1e-10);
    EXPECT_TRUE(result.solved()) << seed << ": " << result.message;
    EXPECT_LE(result.counts.iterations, 60) << seed;
  }
  // A repeated equality and an empty free row.
  DenseMatrix M = DenseMatrix::Zero(4, 4);
  M.topLeftCorner(2, 2).setOnes();
  M(3, 3) = 2.0;
  M(3, 0) = M(3, 1) = 1.0;
  const Result repeated = solve(make(M, vec({-1, -1, 0, -5}), vec({-infinity, -infinity, -infinity, 0}),
                                     Vector::Constant(4, infinity)));
  EXPECT_TRUE(repeated.solved()) << repeated.message;
  EXPECT_NEAR(repeated.x[0] + repeated.x[1], 1.0, 1e-13);
  EXPECT_NEAR(repeated.x[3], 2.0, 1e-13);
}

TEST(NewtonFb, WarmStartSavesIterations) {
  // A change of the load moves the solution by up to the condition number times as much. If that exceeds the
  // solution itself (1 % at a condition of 1e4, say), the old solution is no better a start than another.
  struct {
    double condition, change;
  } const cases[] = {{1e2, 1e-2}, {1e4, 1e-4}};
  for (const auto& [condition, change] : cases) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const Problem problem =
          random_box({.rows = 300, .condition = condition, .two_sided = 0.2, .seed = seed}).problem;
      const Problem next = with_changed_load(problem, change);
      const WarmStart start{solve(problem, 1e-8).x};
      const Result cold = solve(next, 1e-8);
      const Result warm = solve_with(NewtonFb(), next, 1e-8, &start);
      EXPECT_TRUE(warm.solved());
      EXPECT_LT(warm.counts.iterations, cold.counts.iterations) << condition << ", seed " << seed;
    }
  }
}

TEST(NewtonFb, RestartsWhereTheMeritHasAStationaryPoint) {
  // w = x (x - ...) is not affine; a stationary point needs an indefinite matrix: from x = 0, both components
  // push against each other.
  const DenseMatrix M = (DenseMatrix(2, 2) << -1, 2, 2, -1).finished();
  const Problem problem = lcp(M, vec({-1, -1}));
  EXPECT_TRUE(solve(problem).solved());
  // No solution at all: the best iterate comes back, stalled.
  const Result none = solve(lcp(DenseMatrix::Constant(1, 1, -1.0), vec({-1})));
  EXPECT_EQ(none.status, Status::stalled);
  EXPECT_TRUE(std::isfinite(none.measures.scaled_natural_map));
}

TEST(NewtonFb, EntriesOverEighteenMagnitudes) {
  const Result result = solve(entries_over_eighteen_magnitudes().scaled);
  EXPECT_TRUE(result.solved()) << result.message;
}

TEST(NewtonFb, KeptObjectGivesTheSameBits) {
  NewtonFb kept, fresh;
  expect_kept_object_repeats_bits(kept, fresh, 250);
}

}  // namespace slipstick::internal::newton_fb_test
