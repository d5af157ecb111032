// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/ipm.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "tests/solvers/cone_cases.hpp"

namespace slipstick::internal::ipm_test {

using cone_cases::packing;

Result solve(const Problem& problem, double tolerance = 1e-12, const WarmStart* start = nullptr) {
  Ipm solver;
  return solve_with(solver, problem, tolerance, start);
}

TEST(Ipm, OneContactInEveryRegimeIsAProjection) {
  Ipm solver;
  cone_cases::expect_projections(solver);
}

TEST(Ipm, ContactsThatAreSingularAlongTheCone) {
  Ipm solver;
  cone_cases::expect_singular_contacts(solver, 1e-11);
}

TEST(Ipm, BoundsOfEveryKind) {
  Problem problem;
  problem.A = Operator(csr_from_dense(DenseMatrix(DenseMatrix::Identity(6, 6) * 2.0)));
  problem.b = Vector{{-2.0, -2.0, -2.0, 2.0, -2.0, 2.0}};
  problem.K = ProductSet::box(Vector{{0.0, -1.0, -infinity, -0.5, 3.0, -infinity}},
                              Vector{{infinity, 0.5, infinity, 4.0, 3.0, -2.0}});
  const Result result = solve(problem);
  ASSERT_TRUE(result.solved()) << result.message;
  const Vector expected{{1.0, 0.5, 1.0, -0.5, 3.0, -2.0}};
  EXPECT_LT((result.x - expected).norm(), 1e-10);
}

TEST(Ipm, FreeRowsAloneAreALinearSystem) {
  Problem problem;
  problem.A = Operator(csr_from_dense(DenseMatrix{{2.0, 1.0}, {1.0, 3.0}}));
  problem.b = Vector{{-4.0, -7.0}};
  problem.K = ProductSet::free(2);
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
    RandomBoxOptions options;
    options.rows = 120;
    options.condition = 1e6;
    options.two_sided = 0.3;
    options.free = 0.1;
    options.fixed = 0.1;
    options.rank_deficiency = deficiency;
    const KnownProblem known = random_box(options);
    const Result result = solve(known.problem, 1e-11);
    ASSERT_TRUE(result.solved()) << result.message;
    EXPECT_LE(result.counts.iterations, 30);
    // x is unique where A is regular, A x always.
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

// Two walls that close on a body: the impulses along (1, 1) change nothing, and nothing opens the contacts.
TEST(Ipm, OpposedClosingWallsHaveNoSolution) {
  Problem problem;
  problem.A = Operator(csr_from_dense(DenseMatrix{{1.0, -1.0}, {-1.0, 1.0}}));
  problem.b = Vector{{-1.0, -1.0}};
  problem.K = ProductSet::nonnegative(2);
  EXPECT_EQ(solve(problem).status, Status::infeasible);

  DenseMatrix walls = DenseMatrix::Zero(6, 6);
  walls.topLeftCorner(3, 3).setIdentity();
  walls.bottomRightCorner(3, 3).setIdentity();
  walls.topRightCorner(3, 3) = -DenseMatrix::Identity(3, 3);
  walls.bottomLeftCorner(3, 3) = -DenseMatrix::Identity(3, 3);
  problem.A = Operator(csr_from_dense(walls));
  problem.b = Vector{{-1.0, 0.1, 0.0, -1.0, 0.0, 0.2}};
  problem.K = ProductSet::cones(Vector::Constant(2, 0.3), 3);
  EXPECT_EQ(solve(problem).status, Status::infeasible);
}

TEST(Ipm, IndefiniteMatrixIsNotCalledSolved) {
  Problem problem;
  problem.A = Operator(csr_from_dense(DenseMatrix{{1.0, 3.0}, {3.0, 1.0}}));
  problem.b = Vector{{1.0, -1.0}};
  problem.K = ProductSet::free(2);
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
  cone_cases::expect_needs_symmetry(Ipm());
  Problem problem = cone_cases::contact(1.0, Vector::Ones(3), 0.5);
  problem.K = {};
  problem.K.append_disk(1.0, 3);
  EXPECT_NE(Ipm().explain_unsupported(problem).find("disk"), std::string::npos);
}

}  // namespace slipstick::internal::ipm_test
