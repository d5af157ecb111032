// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/sweeps/pjacobi.hpp"

#include <gtest/gtest.h>

#include "slipstick/error.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/scenes/uic.hpp"
#include "tests/solvers/box_cases.hpp"

namespace slipstick::internal::pjacobi_test {

using namespace box_cases;

PjacobiSettings relaxed(double relaxation) {
  return {.relaxation = relaxation};
}

TEST(Pjacobi, ClosedForms) {
  Pjacobi automatic(relaxed(0.0));
  expect_closed_forms(automatic);
}

TEST(Pjacobi, OneStepIsTheListing) {
  const Problem problem = make((DenseMatrix(2, 2) << 2, 1, 1, 4).finished(), vec({-3, -4}), 0, infinity);
  const Settings settings{.max_iterations = 1};
  Result result;
  Pjacobi(relaxed(1.0)).solve(problem, settings, result);
  EXPECT_DOUBLE_EQ(result.x[0], 1.5);
  EXPECT_DOUBLE_EQ(result.x[1], 1.0);
  Pjacobi().solve(problem, settings, result);
  EXPECT_DOUBLE_EQ(result.x[0], 0.45);
  EXPECT_DOUBLE_EQ(result.x[1], 0.3);
}

TEST(Pjacobi, UndampedDivergesAutomaticConverges) {
  // rho(D^-1 A) = 1 + 0.9 (n - 1) = 9.1: beyond 2 / 1 and 2 / 0.3.
  const Index n = 10;
  const DenseMatrix A = DenseMatrix::Constant(n, n, 0.9) + 0.1 * DenseMatrix::Identity(n, n);
  const Problem problem = make(A, Vector::Constant(n, -9.1), -infinity, infinity);
  Result result;
  for (const double relaxation : {1.0, 0.3}) {
    Pjacobi(relaxed(relaxation)).solve(problem, {}, result);
    EXPECT_EQ(result.status, Status::stalled);
    EXPECT_NE(result.message.find("diverged"), std::string::npos) << result.message;
    EXPECT_LE(result.measures.scaled_natural_map, 1.0 + 1e-12);
  }
  Pjacobi(relaxed(0.0)).solve(problem, {.tolerance = 1e-12}, result);
  EXPECT_TRUE(result.solved()) << result.message;
  for (Index i = 0; i < n; ++i) EXPECT_NEAR(result.x[i], 1.0, 1e-10);
}

TEST(Pjacobi, RadiusIsOnTheSafeSide) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Operator A = random_lcp({.rows = 80, .condition = 1e3, .seed = seed}).problem.A;
    const DenseMatrix dense(*A.assemble());
    const Vector inverse = dense.diagonal().cwiseInverse();
    const Vector root = inverse.cwiseSqrt();
    const double exact = eigenvalues(root.asDiagonal() * dense * root.asDiagonal()).maxCoeff();
    JacobiRadius radius;
    std::int64_t products = 0;
    const double found = radius(A, inverse, 1, products);
    EXPECT_GE(found, 0.96 * exact);  // 1.9 / found < 2 / exact needs 0.95
    EXPECT_LE(found, 1.3 * exact);
    EXPECT_LE(products, 50);
    // Known for the same matrix.
    products = 0;
    EXPECT_EQ(radius(A, inverse, 1, products), found);
    EXPECT_EQ(products, 0);
  }
}

TEST(Pjacobi, SameBitsForAnyNumberOfThreads) {
  UicOptions options;
  options.resolution = 80;  // more than one piece of the sum
  const Problem problem = uic_pressure(options);
  Settings settings{.max_iterations = 40};
  Result one, two;
  Pjacobi solver(relaxed(0.0));
  solver.solve(problem, settings, one);
  settings.threads = 2;
  Pjacobi(relaxed(0.0)).solve(problem, settings, two);
  EXPECT_EQ(one.x, two.x);
  EXPECT_EQ(one.counts.iterations, two.counts.iterations);
}

TEST(Pjacobi, MatrixFreeFollowsTheAssembledMatrix) {
  Pjacobi solver(relaxed(0.0));
  expect_matrix_free_agrees(solver, 21, 1e-2);
}

TEST(Pjacobi, KnownSolutions) {
  Pjacobi fixed, automatic(relaxed(0.0));
  expect_known_solutions(fixed, 40, 4, 1e4, 1e-6);
  expect_known_solutions(automatic, 40, 4, 1e4, 1e-6);
}

TEST(Pjacobi, NonsymmetricDiagonallyDominant) {
  const DenseMatrix A = (DenseMatrix(3, 3) << 4, 1, -2, -1, 3, 1, 2, 0, 5).finished();
  const Vector x = vec({1, 0, 2}), w = vec({0, 3, 0});
  const Result result = solve_with(Pjacobi(relaxed(1.0)), make(A, w - A * x, 0.0, infinity), 1e-13);
  EXPECT_TRUE(result.solved());
  EXPECT_LE((result.x - x).norm(), 1e-11);
}

TEST(Pjacobi, ObjectiveWithoutAMinimum) {
  Pjacobi solver;
  expect_unbounded(solver);
}

TEST(Pjacobi, RefusesABadRelaxation) {
  for (const double relaxation : {-0.1, 2.5, std::nan("")}) EXPECT_THROW(Pjacobi{relaxed(relaxation)}, Error);
}

}  // namespace slipstick::internal::pjacobi_test
