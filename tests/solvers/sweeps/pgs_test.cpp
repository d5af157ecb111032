// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/sweeps/pgs.hpp"

#include <gtest/gtest.h>

#include "slipstick/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/solve/options.hpp"
#include "tests/solvers/box_cases.hpp"

namespace slipstick::internal::pgs_test {

using namespace box_cases;

TEST(Pgs, ClosedForms) {
  for (const double relaxation : {0.5, 1.5}) {
    for (const bool symmetric : {false, true}) {
      Pgs relaxed({.relaxation = relaxation, .symmetric = symmetric});
      expect_closed_forms(relaxed);
    }
  }
}

TEST(Pgs, OneSweepIsTheListing) {
  // x_1 = 3/2, then x_2 = (3 - x_1)/2, and backward after that.
  const Problem problem = make((DenseMatrix(2, 2) << 2, 1, 1, 2).finished(), vec({-3, -3}), 0, infinity);
  Settings settings{.tolerance = 1e-15, .max_iterations = 1};
  Result result;
  Pgs().solve(problem, settings, result);
  EXPECT_DOUBLE_EQ(result.x[0], 1.5);
  EXPECT_DOUBLE_EQ(result.x[1], 0.75);
  settings.max_iterations = 2;
  Pgs().solve(problem, settings, result);
  EXPECT_DOUBLE_EQ(result.x[0], 1.125);
  EXPECT_DOUBLE_EQ(result.x[1], 0.9375);
  Pgs({.symmetric = true}).solve(problem, settings, result);
  EXPECT_DOUBLE_EQ(result.x[1], 0.75);
  EXPECT_DOUBLE_EQ(result.x[0], 1.125);
  settings.max_iterations = 1;
  Pgs({.relaxation = 1.5}).solve(problem, settings, result);
  EXPECT_DOUBLE_EQ(result.x[0], 2.25);
  EXPECT_DOUBLE_EQ(result.x[1], 0.5625);
}

TEST(Pgs, FreeRowsAreALinearSolve) {
  Pgs solver;
  expect_linear_solve(solver, 12, 50.0, 1e-10);
}

TEST(Pgs, NonsymmetricDiagonallyDominant) {
  Random random(9);
  const Index n = 20;
  DenseMatrix A(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) A(i, j) = random.uniform(-1.0, 1.0);
    A(i, i) = 0.0;
    A(i, i) = A.row(i).cwiseAbs().sum() + 0.5;
  }
  Vector x(n), w(n);
  for (Index i = 0; i < n; ++i) {
    x[i] = i % 2 == 0 ? random.uniform(0.1, 1.0) : 0.0;
    w[i] = i % 2 == 0 ? 0.0 : random.uniform(0.1, 1.0);
  }
  const Result result = solve_with(Pgs(), make(A, w - A * x, 0.0, infinity), 1e-13);
  ASSERT_TRUE(result.solved()) << result.message;
  EXPECT_LE((result.x - x).norm(), 1e-10);
}

TEST(Pgs, DivergenceIsNoticedAndTheBestIterateReturned) {
  // Gauss-Seidel's iteration matrix has the eigenvalue 20.
  const Problem problem =
      make((DenseMatrix(2, 2) << 1, 4, -5, 1).finished(), vec({-1, -1}), -infinity, infinity);
  Result result;
  Pgs solver;
  solver.solve(problem, {}, result);
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_NE(result.message.find("diverged"), std::string::npos) << result.message;
  EXPECT_LT(result.counts.iterations, 20);
  EXPECT_LE(result.measures.scaled_natural_map, 1.0);  // that of the start
}

TEST(Pgs, RowsThatCannotBeSwept) {
  const DenseMatrix saddle = (DenseMatrix(2, 2) << 2, 1, 1, 0).finished();
  Pgs solver;
  Result result;
  // Free: refused, with the row.
  const Problem equality = make(saddle, vec({-1, -1}), -infinity, infinity);
  EXPECT_NE(solver.explain_unsupported(equality).find("row 1"), std::string::npos);
  solver.solve(equality, {}, result);
  EXPECT_EQ(result.status, Status::unsupported);
  DenseMatrix negative = saddle;
  negative(1, 1) = -1.0;
  EXPECT_NE(solver.explain_unsupported(make(negative, vec({-1, -1}), -infinity, infinity)).find("row 1"),
            std::string::npos);
  // Bounded: it keeps its start, and the others are solved around it.
  const Settings settings{.max_iterations = 100};
  solver.solve(make(saddle, vec({-3, 5}), 0.0, infinity), settings, result);
  EXPECT_TRUE(result.solved());
  EXPECT_NEAR(result.x[0], 1.5, 1e-12);
  EXPECT_EQ(result.x[1], 0.0);
  solver.solve(make(saddle, vec({-3, -5}), 0.0, infinity), settings, result);
  EXPECT_FALSE(result.solved());
  EXPECT_EQ(result.x[1], 0.0);
  // Empty and free with b = 0: any x will do, and it is 0.
  solver.solve(one_row(0.0, 0.0, -infinity, infinity), {}, result);
  EXPECT_TRUE(result.solved());
  EXPECT_EQ(result.x[0], 0.0);
}

TEST(Pgs, RefusesWhatItCannotTake) {
  const Pgs solver;
  Problem cones{Operator(DenseMatrix(DenseMatrix::Identity(3, 3))), Vector::Ones(3),
                ProductSet::cones(Vector::Ones(1), 3)};
  EXPECT_NE(solver.explain_unsupported(cones).find("cone"), std::string::npos);
  Problem rows = chain(3);
  EXPECT_EQ(solver.explain_unsupported(rows), "");
  rows.rows = LinearRows{std::make_shared<const CsrMatrix>(csr_from_dense(DenseMatrix::Ones(1, 3))),
                         Vector::Zero(1), Vector::Ones(1)};
  EXPECT_NE(solver.explain_unsupported(rows).find("linear rows"), std::string::npos);
  for (const double relaxation : {0.0, 2.0, -1.0, std::nan("")}) {
    EXPECT_THROW(Pgs{PgsSettings{.relaxation = relaxation}}, Error) << relaxation;
  }
  EXPECT_EQ(read_options<PgsSettings>({{"relaxation", "1.3"}, {"symmetric", "true"}}, "pgs").relaxation, 1.3);
  EXPECT_THROW(read_options<PgsSettings>({{"relaxation", "2.5"}}, "pgs"), Error);
}

TEST(Pgs, ObjectiveWithoutAMinimum) {
  Pgs solver;
  expect_unbounded(solver);
}

TEST(Pgs, SingularWithASolution) {
  // x_1 - x_2 = -1 in every solution.
  const DenseMatrix A = (DenseMatrix(2, 2) << 1, -1, -1, 1).finished();
  const Result result = solve_with(Pgs(), make(A, vec({1, -1}), -infinity, infinity), 1e-13);
  EXPECT_TRUE(result.solved()) << result.message;
  EXPECT_NEAR(result.x[0] - result.x[1], -1.0, 1e-12);
}

TEST(Pgs, UnreachableToleranceEndsStalled) {
  Random random(4);
  const DenseMatrix A = random_spd(random, 10, 20.0);
  const Result result =
      solve_with(Pgs(), make(A, Vector::LinSpaced(10, -1.0, 2.0), -infinity, infinity), 0.0);
  EXPECT_NE(result.status, Status::iteration_limit);
  EXPECT_LE(result.measures.scaled_natural_map, 1e-14);
}

TEST(Pgs, RandomProblemsWithKnownSolutions) {
  Pgs solver;
  expect_known_solutions(solver, 60, 6, 1e5, 1e-5);
}

}  // namespace slipstick::internal::pgs_test
