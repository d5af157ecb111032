// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/krylov/minres.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/linsolve/krylov_testing.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::minres_test {

using testing::convection_diffusion;
using testing::normal_vector;
using testing::product_with;

MinresSettings tight(double tolerance) {
  MinresSettings settings;
  settings.tolerance = tolerance;
  return settings;
}

TEST(Minres, SolvesByHand) {
  // Indefinite, with a zero diagonal: the first Lanczos coefficient is zero for b = e_1.
  const DenseMatrix a = mat({{0.0, 2.0}, {2.0, 0.0}});
  Vector b = vec({1.0, 0.0});
  Vector x = Vector::Zero(2);
  const KrylovOutcome outcome = Minres().solve(product_with(a), b, x, tight(1e-14));
  EXPECT_EQ(outcome.status, KrylovStatus::converged);
  EXPECT_EQ(outcome.iterations, 2);
  EXPECT_NEAR(x[0], 0.0, 1e-15);
  EXPECT_NEAR(x[1], 0.5, 1e-15);
}

TEST(Minres, TakesAsManyStepsAsThereAreEigenvalues) {
  for (const Index distinct : {1, 2, 3, 6}) {
    Vector eigenvalues(40);
    for (Index i = 0; i < 40; ++i) eigenvalues[i] = (i % 2 == 0 ? 1.0 : -1.0) * (1.0 + i % distinct);
    // Both signs of each size only if `distinct` is odd.
    const Index expected = distinct % 2 == 0 ? distinct : 2 * distinct;
    const DenseMatrix a = with_eigenvalues(eigenvalues, 3);
    const Vector b = normal_vector(40, 4);
    Vector x = Vector::Zero(40);
    const KrylovOutcome outcome = Minres().solve(product_with(a), b, x, tight(1e-11));
    EXPECT_EQ(outcome.status, KrylovStatus::converged);
    EXPECT_EQ(outcome.iterations, expected);
    EXPECT_LT((b - a * x).norm(), 1e-10 * b.norm());
  }
}

TEST(Minres, ResidualIsTheLeastOfTheKrylovSpace) {
  Vector eigenvalues = Vector::LinSpaced(30, -3.0, 5.0);
  const DenseMatrix a = with_eigenvalues(eigenvalues, 13);
  const Vector b = normal_vector(30, 14);
  // Columns of A K_k, orthonormalized one by one.
  DenseMatrix image(30, 12);
  Vector v = b;
  for (Index k = 0; k < 12; ++k) {
    v = a * v;
    for (int pass = 0; pass < 2; ++pass) v -= image.leftCols(k) * (image.leftCols(k).transpose() * v);
    v.normalize();
    image.col(k) = v;
  }
  Vector x = Vector::Zero(30);
  Minres().solve(product_with(a), b, x, tight(0.0), NoPreconditioner(), [&](Index k, double residual) {
    const DenseMatrix q = image.leftCols(k);
    const double least = (b - q * (q.transpose() * b)).norm();
    EXPECT_NEAR(residual, least, 1e-8 * b.norm()) << k;
    EXPECT_NEAR((b - a * x).norm(), least, 1e-8 * b.norm()) << k;
    return k < 12;
  });
}

TEST(Minres, SingularConsistentSystem) {
  Vector eigenvalues = Vector::LinSpaced(50, -1.0, 4.0);
  for (Index i = 0; i < 50; i += 2) eigenvalues[i] = 0.0;
  const DenseMatrix a = with_eigenvalues(eigenvalues, 5);
  const Vector b = a * normal_vector(50, 6);
  Vector x = Vector::Zero(50);
  const KrylovOutcome outcome = Minres().solve(product_with(a), b, x, tight(1e-10));
  EXPECT_EQ(outcome.status, KrylovStatus::converged);
  EXPECT_LT((b - a * x).norm(), 1e-9 * b.norm());
}

TEST(Minres, InconsistentSystemEndsAtTheLeastResidual) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    Vector eigenvalues = Vector::LinSpaced(40, -2.0, 3.0);
    eigenvalues.segment(10, 12).setZero();
    const DenseMatrix a = with_eigenvalues(eigenvalues, seed);
    const Vector b = normal_vector(40, 100 + seed);
    const Vector nearest = least_squares(a, b, 1e-10);
    const double least = (b - a * nearest).norm();
    ASSERT_GT(least, 0.1);
    Vector x = Vector::Zero(40);
    const KrylovOutcome outcome = Minres().solve(product_with(a), b, x, tight(1e-10));
    EXPECT_EQ(outcome.status, KrylovStatus::least_squares);
    EXPECT_NEAR(outcome.residual, least, 1e-9 * b.norm());
    EXPECT_LT((a * (b - a * x)).norm(), 1e-8 * b.norm());
    EXPECT_LT(x.norm(), 1e4 * nearest.norm());
  }
}

TEST(Minres, ZeroMatrixAndRightSideInTheNullSpace) {
  const DenseMatrix zero = DenseMatrix::Zero(4, 4);
  const Vector b = Vector::Ones(4);
  Vector x = Vector::Zero(4);
  KrylovOutcome outcome = Minres().solve(product_with(zero), b, x);
  EXPECT_EQ(outcome.status, KrylovStatus::least_squares);
  EXPECT_EQ(x, Vector::Zero(4));
  EXPECT_DOUBLE_EQ(outcome.residual, 2.0);
  DenseMatrix a = DenseMatrix::Identity(4, 4);
  a(3, 3) = 0.0;
  outcome = Minres().solve(product_with(a), Vector::Unit(4, 3), x);
  EXPECT_EQ(outcome.status, KrylovStatus::least_squares);
  EXPECT_EQ(x, Vector::Zero(4));
}

TEST(Minres, PreconditionedIsMinresOfTheSplitMatrix) {
  const Index n = 30;
  const DenseMatrix a = with_eigenvalues(Vector::LinSpaced(n, -2.0, 4.0), 21);
  const Vector sizes = Vector::LinSpaced(n, 0.5, 3.0);
  const DenseMatrix root = with_eigenvalues(sizes.cwiseSqrt().cwiseInverse(), 22);  // M^-1/2
  const DenseMatrix inverse = root * root;
  const DenseMatrix split = root * a * root;
  const Vector b = normal_vector(n, 23);
  for (const Index steps : {1, 4, 9, 15}) {
    MinresSettings settings = tight(0.0);
    settings.max_iterations = steps;
    Vector x = Vector::Zero(n);
    const KrylovOutcome outcome = Minres().solve(product_with(a), b, x, settings, product_with(inverse));
    Vector y = Vector::Zero(n);
    const KrylovOutcome reference = Minres().solve(product_with(split), root * b, y, settings);
    EXPECT_NEAR((x - root * y).norm(), 0.0, 1e-9 * y.norm());
    EXPECT_NEAR(outcome.residual, reference.residual, 1e-9 * b.norm());
    EXPECT_NEAR(outcome.residual, (root * (b - a * x)).norm(), 1e-9 * b.norm());
  }
}

TEST(Minres, AbsoluteValuePreconditionerTakesTwoSteps) {
  // |A|^-1 A has the eigenvalues 1 and -1 alone.
  const Vector eigenvalues = Vector::LinSpaced(30, -10.0, 17.0);
  const DenseMatrix a = with_eigenvalues(eigenvalues, 31);
  const DenseMatrix inverse = with_eigenvalues(eigenvalues.cwiseAbs().cwiseInverse(), 31);
  const Vector b = normal_vector(30, 32);
  Vector x = Vector::Zero(30);
  const KrylovOutcome outcome = Minres().solve(product_with(a), b, x, tight(1e-10), product_with(inverse));
  EXPECT_EQ(outcome.status, KrylovStatus::converged);
  EXPECT_EQ(outcome.iterations, 2);
}

TEST(Minres, StartsFromTheGuess) {
  const DenseMatrix a = with_eigenvalues(Vector::LinSpaced(20, -2.0, 4.0), 41);
  const Vector solution = normal_vector(20, 42);
  const Vector b = a * solution;
  Vector x = solution;
  EXPECT_EQ(Minres().solve(product_with(a), b, x, tight(1e-10)).iterations, 0);
  EXPECT_EQ(x, solution);
  x = solution + 1e-3 * normal_vector(20, 43);
  EXPECT_EQ(Minres().solve(product_with(a), b, x, tight(1e-10)).status, KrylovStatus::converged);
  EXPECT_LT((x - solution).norm(), 1e-8);
}

TEST(Minres, StopsWhereItIsTold) {
  const DenseMatrix a = with_eigenvalues(Vector::LinSpaced(40, 1.0, 1e4), 7);
  const Vector b = normal_vector(40, 8);
  Vector x = Vector::Zero(40);
  MinresSettings settings;
  settings.max_iterations = 5;
  KrylovOutcome outcome = Minres().solve(product_with(a), b, x, settings);
  EXPECT_EQ(outcome.status, KrylovStatus::iteration_limit);
  EXPECT_EQ(outcome.iterations, 5);
  x.setZero();
  outcome =
      Minres().solve(product_with(a), b, x, {}, NoPreconditioner(), [](Index k, double) { return k < 3; });
  EXPECT_EQ(outcome.status, KrylovStatus::stopped);
  EXPECT_EQ(outcome.iterations, 3);
}

TEST(Minres, RefusesWhatItCannotUse) {
  const DenseMatrix a = DenseMatrix::Identity(3, 3);
  DenseMatrix indefinite = a;
  indefinite(1, 1) = -1.0;
  Vector x = Vector::Zero(3);
  Vector b = vec({1.0, 5.0, 1.0});
  EXPECT_EQ(Minres().solve(product_with(a), b, x, {}, product_with(indefinite)).status,
            KrylovStatus::breakdown);
  b[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Minres().solve(product_with(a), b, x).status, KrylovStatus::breakdown);
}

TEST(Minres, SecondSolveAllocatesNothingAndRepeatsItsBits) {
  testing::expect_second_solve_repeats(Minres(), convection_diffusion(20, 0.0));
}

}  // namespace slipstick::internal::minres_test
