// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/krylov/conjugate_gradient.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/linsolve/krylov_testing.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::conjugate_gradient_test {

using testing::convection_diffusion;
using testing::normal_vector;
using testing::product_with;

TEST(ConjugateGradient, SolvesByHand) {
  const DenseMatrix a = mat({{4.0, 1.0}, {1.0, 3.0}});
  Vector b = vec({1.0, 2.0});
  Vector x = Vector::Zero(2);
  const KrylovOutcome outcome = ConjugateGradient().solve(product_with(a), b, x, {.tolerance = 1e-14});
  EXPECT_EQ(outcome.status, KrylovStatus::converged);
  EXPECT_EQ(outcome.iterations, 2);
  EXPECT_NEAR(x[0], 1.0 / 11.0, 1e-15);
  EXPECT_NEAR(x[1], 7.0 / 11.0, 1e-15);
}

TEST(ConjugateGradient, TakesAsManyStepsAsThereAreEigenvalues) {
  for (const Index distinct : {1, 2, 3, 5}) {
    Vector eigenvalues(40);
    for (Index i = 0; i < 40; ++i) eigenvalues[i] = 1.0 + static_cast<double>(i % distinct);
    const DenseMatrix a = with_eigenvalues(eigenvalues, 3);
    const Vector b = normal_vector(40, 4);
    Vector x = Vector::Zero(40);
    const KrylovOutcome outcome = ConjugateGradient().solve(product_with(a), b, x, {.tolerance = 1e-12});
    EXPECT_EQ(outcome.status, KrylovStatus::converged);
    EXPECT_EQ(outcome.iterations, distinct);
    EXPECT_LT((b - a * x).norm(), 1e-11 * b.norm());
  }
}

TEST(ConjugateGradient, MeetsTheErrorBound) {
  // ||e_k||_A <= 2 ((sqrt(kappa) - 1) / (sqrt(kappa) + 1))^k ||e_0||_A
  const DenseMatrix a = with_eigenvalues(Vector::LinSpaced(60, 1.0, 100.0), 8);
  const Vector solution = normal_vector(60, 9);
  const Vector b = a * solution;
  const double start = std::sqrt(solution.dot(b));
  Vector x = Vector::Zero(60);
  ConjugateGradient().solve(product_with(a), b, x, {.tolerance = 1e-13}, NoPreconditioner(),
                            [&](Index k, double residual) {
                              const Vector e = solution - x;
                              const double bound = 2.0 * std::pow(9.0 / 11.0, static_cast<double>(k)) * start;
                              EXPECT_LE(std::sqrt(e.dot(a * e)), bound * (1.0 + 1e-9));
                              EXPECT_NEAR((b - a * x).norm(), residual, 1e-9 * b.norm());
                              return k < 40;
                            });
}

TEST(ConjugateGradient, ExactPreconditionerTakesOneStep) {
  const DenseMatrix a = with_eigenvalues(Vector::LinSpaced(30, 1e-3, 1e3), 1);
  const DenseMatrix exact = inverse(a);
  const Vector b = normal_vector(30, 2);
  Vector x = normal_vector(30, 3);
  const KrylovOutcome outcome =
      ConjugateGradient().solve(product_with(a), b, x, {.tolerance = 1e-8}, product_with(exact));
  EXPECT_EQ(outcome.status, KrylovStatus::converged);
  EXPECT_LE(outcome.iterations, 2);
}

TEST(ConjugateGradient, SingularConsistentSystem) {
  Vector eigenvalues = Vector::LinSpaced(50, 0.5, 4.0);
  eigenvalues.head(20).setZero();
  const DenseMatrix a = with_eigenvalues(eigenvalues, 5);
  const Vector b = a * normal_vector(50, 6);
  Vector x = Vector::Zero(50);
  const KrylovOutcome outcome = ConjugateGradient().solve(product_with(a), b, x, {.tolerance = 1e-10});
  EXPECT_EQ(outcome.status, KrylovStatus::converged);
  EXPECT_LT((b - a * x).norm(), 1e-9 * b.norm());
}

TEST(ConjugateGradient, ReportsNegativeCurvature) {
  DenseMatrix a = DenseMatrix::Identity(3, 3);
  a(2, 2) = -1.0;
  const Vector b = Vector::Ones(3);
  Vector x = Vector::Zero(3);
  ConjugateGradient cg;
  const KrylovOutcome outcome = cg.solve(product_with(a), b, x);
  EXPECT_EQ(outcome.status, KrylovStatus::negative_curvature);
  EXPECT_LE(cg.direction().dot(a * cg.direction()), 0.0);
  EXPECT_TRUE(x.allFinite());
  // An indefinite preconditioner is a breakdown, not curvature.
  const DenseMatrix good = DenseMatrix::Identity(3, 3);
  const DenseMatrix bad = -good;
  x.setZero();
  EXPECT_EQ(cg.solve(product_with(good), b, x, {}, product_with(bad)).status, KrylovStatus::breakdown);
}

TEST(ConjugateGradient, StopsWhereItIsTold) {
  const DenseMatrix a = with_eigenvalues(Vector::LinSpaced(40, 1.0, 1e4), 7);
  const Vector b = normal_vector(40, 8);
  Vector x = Vector::Zero(40);
  KrylovOutcome outcome = ConjugateGradient().solve(product_with(a), b, x, {.max_iterations = 5});
  EXPECT_EQ(outcome.status, KrylovStatus::iteration_limit);
  EXPECT_EQ(outcome.iterations, 5);
  x.setZero();
  outcome = ConjugateGradient().solve(product_with(a), b, x, {}, NoPreconditioner(),
                                      [](Index k, double) { return k < 3; });
  EXPECT_EQ(outcome.status, KrylovStatus::stopped);
  EXPECT_EQ(outcome.iterations, 3);
  x.setZero();
  outcome = ConjugateGradient().solve(product_with(a), b, x, {.tolerance = 0.0, .absolute_floor = 1e9});
  EXPECT_EQ(outcome.status, KrylovStatus::converged);
  EXPECT_EQ(outcome.iterations, 0);
}

TEST(ConjugateGradient, ZeroSizesRightSidesAndExactGuesses) {
  const DenseMatrix none(0, 0);
  Vector empty(0);
  EXPECT_EQ(ConjugateGradient().solve(product_with(none), empty, empty).status, KrylovStatus::converged);
  const DenseMatrix a = DenseMatrix::Identity(3, 3) * 2.0;
  Vector x = Vector::Ones(3);
  KrylovOutcome outcome = ConjugateGradient().solve(product_with(a), Vector::Zero(3), x);
  EXPECT_EQ(outcome.status, KrylovStatus::converged);
  EXPECT_EQ(x, Vector::Zero(3));
  x.setOnes();
  outcome = ConjugateGradient().solve(product_with(a), Vector::Constant(3, 2.0), x);
  EXPECT_EQ(outcome.iterations, 0);
}

TEST(ConjugateGradient, NonFiniteValuesAreABreakdown) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  DenseMatrix a = DenseMatrix::Identity(3, 3);
  Vector x = Vector::Zero(3);
  Vector b = Vector::Ones(3);
  b[1] = nan;
  EXPECT_EQ(ConjugateGradient().solve(product_with(a), b, x).status, KrylovStatus::breakdown);
  a(0, 1) = nan;
  x.setZero();
  EXPECT_EQ(ConjugateGradient().solve(product_with(a), Vector::Ones(3), x).status, KrylovStatus::breakdown);
}

TEST(ConjugateGradient, SecondSolveAllocatesNothingAndRepeatsItsBits) {
  testing::expect_second_solve_repeats(ConjugateGradient(), convection_diffusion(20, 0.0));
}

}  // namespace slipstick::internal::conjugate_gradient_test
