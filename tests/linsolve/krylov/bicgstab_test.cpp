// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/krylov/bicgstab.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "slipstick/error.hpp"
#include "tests/linsolve/krylov_testing.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::bicgstab_test {

using testing::convection_diffusion;
using testing::normal_vector;
using testing::product_with;

BicgstabSettings of_degree(int degree, double tolerance = 1e-10) {
  BicgstabSettings settings;
  settings.degree = degree;
  settings.tolerance = tolerance;
  return settings;
}

class BicgstabOfDegree : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Degrees, BicgstabOfDegree, ::testing::Values(1, 2, 4));

TEST_P(BicgstabOfDegree, SolvesByHand) {
  const DenseMatrix a = mat({{3.0, 1.0}, {-1.0, 2.0}});
  Vector b = vec({5.0, 3.0});
  Vector x = Vector::Zero(2);
  const KrylovOutcome outcome = Bicgstab().solve(product_with(a), b, x, of_degree(GetParam(), 1e-14));
  EXPECT_EQ(outcome.status, KrylovStatus::converged);
  EXPECT_LE(outcome.iterations, 2);
  EXPECT_NEAR(x[0], 1.0, 1e-13);
  EXPECT_NEAR(x[1], 2.0, 1e-13);
}

TEST_P(BicgstabOfDegree, TakesAsManyStepsAsThereAreEigenvalues) {
  for (const Index distinct : {1, 2, 3}) {
    Vector eigenvalues(30);
    for (Index i = 0; i < 30; ++i) eigenvalues[i] = 1.0 + static_cast<double>(i % distinct);
    DenseMatrix basis = random_matrix(30, 30, 3) / 12.0;
    basis.diagonal().array() += 1.0;
    const DenseMatrix a = basis * eigenvalues.asDiagonal() * inverse(basis);
    const Vector b = normal_vector(30, 4);
    Vector x = Vector::Zero(30);
    const KrylovOutcome outcome = Bicgstab().solve(product_with(a), b, x, of_degree(GetParam(), 1e-9));
    EXPECT_EQ(outcome.status, KrylovStatus::converged);
    // BiCG ends after `distinct` steps; the minimization may end it before.
    EXPECT_LE(outcome.iterations, distinct);
    EXPECT_LT((b - a * x).norm(), 1e-8 * b.norm());
  }
}

TEST_P(BicgstabOfDegree, ConvectionDiffusion) {
  for (const double wind : {0.0, 0.5, 5.0}) {
    const CsrMatrix a = convection_diffusion(25, wind);
    const Vector solution = normal_vector(a.rows(), 11);
    const Vector b = a * solution;
    Vector x = normal_vector(a.rows(), 12);
    const KrylovOutcome outcome = Bicgstab().solve(product_with(a), b, x, of_degree(GetParam()));
    EXPECT_EQ(outcome.status, KrylovStatus::converged) << wind;
    const double residual = (b - a * x).norm();
    EXPECT_LE(residual, 1e-10 * b.norm());
    EXPECT_NEAR(outcome.residual, residual, 1e-12 * b.norm());
  }
}

TEST_P(BicgstabOfDegree, ExactPreconditionerTakesOneStep) {
  DenseMatrix a = random_matrix(30, 30, 1);
  a.diagonal().array() += 8.0;
  const DenseMatrix exact = inverse(a);
  const Vector b = normal_vector(30, 2);
  Vector x = Vector::Zero(30);
  const KrylovOutcome outcome =
      Bicgstab().solve(product_with(a), b, x, of_degree(GetParam()), product_with(exact));
  EXPECT_EQ(outcome.status, KrylovStatus::converged);
  EXPECT_EQ(outcome.iterations, 1);
}

TEST_P(BicgstabOfDegree, RightPreconditioningIsTheMethodOnTheProduct) {
  const CsrMatrix a = convection_diffusion(12, 2.0);
  const Index n = a.rows();
  const Vector scale = Vector::LinSpaced(n, 0.2, 3.0);
  const auto apply_inverse = [&](const Vector& r, Vector& z) { z = scale.cwiseProduct(r); };
  const DenseMatrix product = DenseMatrix(a) * scale.asDiagonal();
  const Vector b = normal_vector(n, 3);
  BicgstabSettings settings = of_degree(GetParam(), 1e-14);
  settings.max_iterations = 8;
  Vector x = Vector::Zero(n);
  Bicgstab().solve(product_with(a), b, x, settings, apply_inverse);
  Vector y = Vector::Zero(n);
  Bicgstab().solve(product_with(product), b, y, settings);
  EXPECT_LT((x - scale.cwiseProduct(y)).norm(), 1e-9 * x.norm());
}

TEST_P(BicgstabOfDegree, SecondSolveAllocatesNothingAndRepeatsItsBits) {
  const CsrMatrix a = convection_diffusion(20, 1.0);
  const Vector b = normal_vector(a.rows(), 1);
  Bicgstab bicgstab;
  Vector first = Vector::Zero(a.rows());
  bicgstab.solve(product_with(a), b, first, of_degree(GetParam()));
  Vector second = Vector::Zero(a.rows());
  const std::size_t before = allocations();
  const KrylovOutcome outcome = bicgstab.solve(product_with(a), b, second, of_degree(GetParam()));
  EXPECT_EQ(allocations(), before);
  EXPECT_EQ(outcome.status, KrylovStatus::converged);
  EXPECT_EQ(first, second);
}

TEST(Bicgstab, SkewMatrixNeedsARestartAndAnEvenDegree) {
  // r'A r = 0 for every r. With the residual as shadow vector the first step breaks down. A polynomial of
  // degree one cannot reduce the residual.
  DenseMatrix a = random_matrix(20, 20, 5);
  a = (a - a.transpose()).eval();
  const Vector b = normal_vector(20, 6);
  Vector x = Vector::Zero(20);
  const KrylovOutcome outcome = Bicgstab().solve(product_with(a), b, x, of_degree(2, 1e-8));
  EXPECT_EQ(outcome.status, KrylovStatus::converged);
  EXPECT_LT((b - a * x).norm(), 1e-7 * b.norm());
}

TEST(Bicgstab, HigherDegreeCopesWithAComplexSpectrum) {
  // Rotations by nearly a right angle: eigenvalues 0.05 +- i s.
  const Index n = 60;
  DenseMatrix a = DenseMatrix::Zero(n, n);
  for (Index i = 0; i < n; i += 2) {
    const double s = 1.0 + 0.1 * static_cast<double>(i);
    a.block<2, 2>(i, i) << 0.05, s, -s, 0.05;
  }
  const Vector b = normal_vector(n, 8);
  const auto residual = [&](int degree) {
    BicgstabSettings settings = of_degree(degree, 1e-10);
    settings.max_iterations = 120;
    Vector x = Vector::Zero(n);
    Bicgstab().solve(product_with(a), b, x, settings);
    return (b - a * x).norm() / b.norm();
  };
  EXPECT_LE(residual(2), 1e-10);
  EXPECT_LE(residual(4), 1e-10);
  EXPECT_GT(residual(1), 1e-6);
}

TEST(Bicgstab, NeverReturnsAWorseResidualThanItsGuess) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    const DenseMatrix a = random_matrix(60, 60, seed);
    const Vector b = normal_vector(60, 50 + seed);
    BicgstabSettings settings = of_degree(1, 1e-12);
    settings.max_iterations = 7;
    Vector x = Vector::Zero(60);
    const KrylovOutcome outcome = Bicgstab().solve(product_with(a), b, x, settings);
    EXPECT_LE(outcome.residual, b.norm());
    EXPECT_NEAR(outcome.residual, (b - a * x).norm(), 1e-10 * b.norm());
    EXPECT_NE(outcome.status, KrylovStatus::converged);
  }
}

TEST(Bicgstab, StopsWhereItIsTold) {
  const CsrMatrix a = convection_diffusion(20, 0.1);
  const Vector b = normal_vector(a.rows(), 8);
  BicgstabSettings settings = of_degree(2);
  settings.max_iterations = 6;
  Vector x = Vector::Zero(a.rows());
  KrylovOutcome outcome = Bicgstab().solve(product_with(a), b, x, settings);
  EXPECT_EQ(outcome.status, KrylovStatus::iteration_limit);
  EXPECT_EQ(outcome.iterations, 6);
  EXPECT_LT(outcome.residual, b.norm());
  x.setZero();
  outcome = Bicgstab().solve(product_with(a), b, x, of_degree(2), NoPreconditioner(),
                             [](Index k, double) { return k < 4; });
  EXPECT_EQ(outcome.status, KrylovStatus::stopped);
  EXPECT_EQ(outcome.iterations, 4);
  EXPECT_NEAR(outcome.residual, (b - a * x).norm(), 1e-12 * b.norm());
}

TEST(Bicgstab, TrivialAndImpossibleSystems) {
  const DenseMatrix none(0, 0);
  Vector empty(0);
  EXPECT_EQ(Bicgstab().solve(product_with(none), empty, empty).status, KrylovStatus::converged);
  const DenseMatrix zero = DenseMatrix::Zero(3, 3);
  Vector x = Vector::Ones(3);
  EXPECT_EQ(Bicgstab().solve(product_with(zero), Vector::Zero(3), x).status, KrylovStatus::converged);
  KrylovOutcome outcome = Bicgstab().solve(product_with(zero), Vector::Ones(3), x);
  EXPECT_EQ(outcome.status, KrylovStatus::breakdown);
  EXPECT_TRUE(x.allFinite());
  Vector b = Vector::Ones(3);
  b[0] = std::numeric_limits<double>::quiet_NaN();
  const DenseMatrix identity = DenseMatrix::Identity(3, 3);
  EXPECT_EQ(Bicgstab().solve(product_with(identity), b, x).status, KrylovStatus::breakdown);
  EXPECT_THROW(Bicgstab().solve(product_with(identity), b, x, of_degree(0)), Error);
  EXPECT_THROW(Bicgstab().solve(product_with(identity), b, x, of_degree(9)), Error);
}

}  // namespace slipstick::internal::bicgstab_test
