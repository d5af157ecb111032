// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/ipm.hpp"

#include <gtest/gtest.h>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "tests/solvers/cone_cases.hpp"

namespace slipstick::internal::ipm_test {

using cone_cases::packing;

Result solve(const Problem& problem, double tolerance = 1e-12, const WarmStart* start = nullptr) {
  return solve_with(Ipm(), problem, tolerance, start);
}

TEST(Ipm, ContactsThatAreSingularAlongTheCone) {
  Ipm solver;
  cone_cases::expect_singular_contacts(solver, 1e-11);
}

TEST(Ipm, BoundsOfEveryKind) {
  Ipm solver;
  cone_cases::expect_bounds_of_every_kind(solver, 1e-12);
}

TEST(Ipm, FreeRowsAloneAreALinearSystem) {
  Problem problem{.A = Operator(csr_from_dense(DenseMatrix{{2.0, 1.0}, {1.0, 3.0}})),
                  .b = Vector{{-4.0, -7.0}},
                  .K = ProductSet::free(2)};
  const Result result = solve(problem);
  ASSERT_TRUE(result.solved()) << result.message;
  EXPECT_NEAR(result.x[0], 1.0, 1e-11);
  EXPECT_NEAR(result.x[1], 2.0, 1e-11);
  EXPECT_LE(result.counts.iterations, 2);
}

TEST(Ipm, EmptyRowsFollowTheSignOfTheLoad) {
  Problem problem;
  problem.A = Operator(csr_from_dense(DenseMatrix{{1.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}));
  problem.b = Vector{{-1.0, 1.0, -1.0}};
  problem.K = ProductSet::box(Vector::Zero(3), Vector{{infinity, infinity, 5.0}});
  const Result result = solve(problem, 1e-11);
  ASSERT_TRUE(result.solved()) << result.message;
  EXPECT_NEAR(result.x[0], 1.0, 1e-10);
  EXPECT_NEAR(result.x[1], 0.0, 1e-10);
  EXPECT_NEAR(result.x[2], 5.0, 1e-10);
}

TEST(Ipm, FindsTheKnownSolutionOfRandomBoxes) {
  for (const Index deficiency : {0, 20}) {
    const KnownProblem known = random_box({.rows = 120,
                                           .condition = 1e6,
                                           .rank_deficiency = deficiency,
                                           .free = 0.1,
                                           .two_sided = 0.3,
                                           .fixed = 0.1});
    const Result result = solve(known.problem, 1e-11);
    ASSERT_TRUE(result.solved()) << result.message;
    EXPECT_LE(result.counts.iterations, 30);
    // x is unique if A is regular, A x always.
    if (deficiency == 0) {
      EXPECT_LT((result.x - known.x).norm(), 1e-4 * known.x.norm());
    }
    Vector expected(120);
    known.problem.A.multiply(known.x, expected);
    EXPECT_LT((result.w - known.problem.b - expected).norm(), 1e-8 * known.problem.b.norm());
  }
}

TEST(Ipm, SolvesPackingsToHighAccuracy) {
  for (const double plate : {0.0, 100.0}) {
    const Result result = solve(packing(60, 0.3, plate), 1e-11);
    EXPECT_TRUE(result.solved()) << plate << ": " << result.message;
  }
}

TEST(Ipm, OpposedClosingWallsHaveNoSolution) {
  EXPECT_EQ(solve(cone_cases::closing_walls()).status, Status::infeasible);
  const Problem normals{csr_from_dense(DenseMatrix{{1.0, -1.0}, {-1.0, 1.0}}), Vector{{-1.0, -1.0}},
                        ProductSet::nonnegative(2)};
  EXPECT_EQ(solve(normals).status, Status::infeasible);
}

TEST(Ipm, IndefiniteMatrixIsNotCalledSolved) {
  Problem problem{.A = Operator(csr_from_dense(DenseMatrix{{1.0, 3.0}, {3.0, 1.0}})),
                  .b = Vector{{1.0, -1.0}},
                  .K = ProductSet::free(2)};
  EXPECT_EQ(solve(problem).status, Status::stalled);
}

TEST(Ipm, WarmStartAtTheSolutionCostsNoIteration) {
  const Problem problem = packing(20, 0.3, 0.0);
  const Result cold = solve(problem, 1e-9);
  ASSERT_TRUE(cold.solved());
  const WarmStart start{cold.x};
  EXPECT_EQ(solve(problem, 1e-9, &start).counts.iterations, 0);
}

TEST(Ipm, RefusesWhatItCannotTake) {
  Problem problem = cone_cases::contact(1.0, Vector::Ones(3), 0.5);
  problem.K = {};
  problem.K.append_disk(1.0, 3);
  EXPECT_NE(Ipm().explain_unsupported(problem).find("disk"), std::string::npos);
}

}  // namespace slipstick::internal::ipm_test
