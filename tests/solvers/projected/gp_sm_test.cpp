// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/projected/gp_sm.hpp"

#include <gtest/gtest.h>

#include "slipstick/error.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/scenes/uic.hpp"
#include "slipstick/solvers/sweeps/pgs.hpp"
#include "tests/solvers/box_cases.hpp"

namespace slipstick::internal::gp_sm_test {

using namespace box_cases;

// Stops after the Cauchy point.
Vector cauchy_point(const Problem& problem, const Vector& start) {
  Result result;
  const WarmStart warm{start};
  GpSm().solve(problem, {.tolerance = 0.0, .max_iterations = 1}, result, &warm);
  return result.x;
}

TEST(GpSm, CauchyPointByHand) {
  // A = I: along (1, 1) - t (-2, 3) the second row stops at t = 1/3, the first minimizes at t = 1.
  const DenseMatrix I = DenseMatrix::Identity(2, 2);
  Vector x = cauchy_point(make(I, vec({-3, 2}), 0, infinity), vec({1, 1}));
  EXPECT_NEAR(x[0], 3.0, 1e-14);
  EXPECT_EQ(x[1], 0.0);
  // A = [2 1; 1 2], b = 0, from (1, 1/4): g = (9/4, 3/2), d = -(9/8, 3/4). Row 2 stops at t = 1/3 with x =
  // (5/8, 0). Row 1 goes on with slope 2 x_1: to 0, at t = 8/9.
  const DenseMatrix A = (DenseMatrix(2, 2) << 2, 1, 1, 2).finished();
  x = cauchy_point(make(A, vec({-0.5, 0.5}), 0, infinity), vec({1, 0.25}));
  // g = (1.75, 2), d = -(0.875, 1): row 2 stops at t = 1/4 with x_1 = 0.78125; then 2 x_1 = 1/2.
  EXPECT_NEAR(x[0], 0.25, 1e-14);
  EXPECT_EQ(x[1], 0.0);
  // No breakpoint in the way: the minimizer along the scaled gradient, t = g'D^-1 g / (d'Ad).
  x = cauchy_point(make(A, vec({-3, -3}), 0, infinity), vec({0, 0}));
  EXPECT_NEAR(x[0], 1.0, 1e-14);
  EXPECT_NEAR(x[1], 1.0, 1e-14);
}

TEST(GpSm, FreeRowsAreALinearSolve) {
  GpSm solver;
  expect_linear_solve(solver, 30, 1e4, 1e-8);
}

TEST(GpSm, TheObjectiveFalls) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Problem problem =
        random_box({.rows = 80, .condition = 1e4, .two_sided = 0.3, .seed = seed}).problem;
    ExpectDescent objective(problem);
    Result result;
    GpSm().solve(problem, {}, result, nullptr, &objective);
    EXPECT_TRUE(result.solved()) << result.message;
  }
}

TEST(GpSm, ObjectiveWithoutAMinimum) {
  GpSm solver;
  expect_unbounded(solver);
  // Without curvature towards a bound.
  const DenseMatrix A = mat({{1, -1}, {-1, 1}});
  const Result result = solve_with(solver, make(A, vec({-1, -1}), vec({0, 0}), vec({3, infinity})));
  EXPECT_TRUE(result.solved()) << result.message;
  EXPECT_LE((result.x - vec({3, 4})).norm(), 1e-6);
}

TEST(GpSm, MatrixFreeObjectiveWithoutAMinimum) {
  // Two rows that pull the same body the same way: A = [1 1; 1 1].
  DelassusOperator bodies(1, 1, {1.0}, {{0, 1, {0, -1}}, {1, 1, {0, -1}}}, {1.0, 0.0, 1.0, 0.0},
                          Vector::Zero(2));
  Problem problem{Operator(bodies), vec({-1, -2}), ProductSet::free(2)};
  Result result = solve_with(GpSm(), problem);
  EXPECT_EQ(result.status, Status::unbounded) << result.message;
  problem.K = ProductSet::nonnegative(2);
  GpSm().solve(problem, {}, result);
  EXPECT_TRUE(result.solved()) << result.message;
  EXPECT_NEAR(result.x[0], 0.0, 1e-7);
  EXPECT_NEAR(result.x[1], 2.0, 1e-7);
}

TEST(GpSm, RankDeficientAndDegenerate) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const KnownProblem known = rank_deficient(60, 10, seed);
    const Result result = solve_with(GpSm(), known.problem, 1e-10);
    EXPECT_TRUE(result.solved()) << result.message;
    // x need not be the known one, w is.
    EXPECT_LE((result.w - known.w).norm(), 1e-5 * (1.0 + known.w.norm())) << "seed " << seed;
  }
}

TEST(GpSm, KnownSolutions) {
  GpSm solver;
  expect_known_solutions(solver, 60, 4, 1e5, 1e-6);
}

TEST(GpSm, UicPressure) {
  const Problem problem = uic_pressure({.resolution = 24});
  Result projection, sweep;
  GpSm().solve(problem, {}, projection);
  Pgs().solve(problem, {}, sweep);
  ASSERT_TRUE(projection.solved()) << projection.message;
  ASSERT_TRUE(sweep.solved()) << sweep.message;
  EXPECT_LE((projection.x - sweep.x).norm(), 1e-4 * sweep.x.norm());
  EXPECT_LT(projection.counts.products, sweep.counts.products / 2);
}

TEST(GpSm, UnreachableToleranceEnds) {
  Random random(4);
  const Settings settings{.tolerance = 0.0};
  Result result;
  GpSm().solve(make(random_spd(random, 10, 20.0), Vector::LinSpaced(10, -1.0, 2.0), -infinity, infinity),
               settings, result);
  EXPECT_TRUE(result.status == Status::stalled || result.solved()) << result.message;
  EXPECT_LE(result.measures.scaled_natural_map, 1e-14);
  // Rounding along the null vector is no descent without end.
  const DenseMatrix A = (DenseMatrix(2, 2) << 1, -1, -1, 1).finished();
  GpSm().solve(make(A, vec({1.0 / 3, -1.0 / 3}), -infinity, infinity), settings, result);
  EXPECT_NE(result.status, Status::unbounded);
}

TEST(GpSm, RefusesABadReduction) {
  for (const double reduction : {0.0, 1.0, -1.0, std::nan("")}) {
    EXPECT_THROW(GpSm{GpSmSettings{.reduction = reduction}}, Error);
  }
}

}  // namespace slipstick::internal::gp_sm_test
