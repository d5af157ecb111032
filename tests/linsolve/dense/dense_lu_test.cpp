// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/dense/dense_lu.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <limits>

#include "tests/support/dense.hpp"

namespace slipstick::internal::dense_lu_test {

TEST(DenseLu, SolvesByHand) {
  const DenseMatrix a = mat({{0.0, 2.0}, {4.0, 1.0}});
  DenseLu lu;
  ASSERT_TRUE(lu.factorize(a));
  Vector x = vec({6.0, 7.0});
  lu.solve(x);
  EXPECT_EQ(x, Vector::Map(std::vector<double>{1.0, 3.0}.data(), 2));
  x << 4.0, 3.0;
  lu.solve_transposed(x);
  EXPECT_DOUBLE_EQ(x[0], 1.0);
  EXPECT_DOUBLE_EQ(x[1], 1.0);
}

TEST(DenseLu, EmptyAndOneByOne) {
  DenseLu lu;
  EXPECT_TRUE(lu.factorize(DenseMatrix(0, 0)));
  Vector none(0);
  lu.solve(none);
  lu.solve_transposed(none);
  EXPECT_EQ(lu.rcond(), 1.0);
  EXPECT_TRUE(lu.factorize(DenseMatrix::Constant(1, 1, -4.0)));
  Vector one = Vector::Constant(1, 2.0);
  lu.solve(one);
  EXPECT_EQ(one[0], -0.5);
  EXPECT_DOUBLE_EQ(lu.rcond(), 1.0);
  EXPECT_FALSE(lu.factorize(DenseMatrix::Zero(1, 1)));
  EXPECT_EQ(lu.singular_column(), 0);
  EXPECT_EQ(lu.rcond(), 0.0);
}

TEST(DenseLu, NamesTheSingularColumn) {
  DenseMatrix a = DenseMatrix::Identity(5, 5);
  a.col(3) = a.col(1);
  DenseLu lu;
  EXPECT_FALSE(lu.factorize(a));
  EXPECT_EQ(lu.singular_column(), 3);
}

TEST(DenseLu, RefusesNonFiniteValues) {
  DenseMatrix a = random_matrix(40, 40, 3);
  a(20, 35) = std::numeric_limits<double>::quiet_NaN();
  DenseLu lu;
  EXPECT_FALSE(lu.factorize(a) && std::isfinite(lu.rcond()) && lu.rcond() > 0.0);
  a(20, 35) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(lu.factorize(a) && lu.rcond() > 0.0);
}

TEST(DenseLu, AgreesWithEigenAcrossPanelWidths) {
  for (const Index n : {2, 3, 7, 31, 32, 33, 64, 65, 97, 300}) {
    const DenseMatrix a = random_matrix(n, n, 17 + static_cast<std::uint64_t>(n));
    const Vector b = random_matrix(n, n, 5).col(0);
    DenseLu lu;
    ASSERT_TRUE(lu.factorize(a));
    const Eigen::PartialPivLU<DenseMatrix> eigen(a);
    Vector x = b;
    lu.solve(x);
    EXPECT_LE((a * x - b).norm(), 1e-11 * a.norm() * x.norm()) << n;
    lu.refine(a, b, x);
    EXPECT_LE((a * x - b).norm(), 1e-14 * a.norm() * x.norm()) << n;
    Vector y = b;
    lu.solve_transposed(y);
    EXPECT_LE((a.transpose() * y - b).norm(), 1e-11 * a.norm() * y.norm()) << n;
    EXPECT_LE(lu.rcond(), 30.0 * eigen.rcond()) << n;
    EXPECT_GE(lu.rcond(), eigen.rcond() / 30.0) << n;
  }
}

TEST(DenseLu, ConditionEstimateSeesNearSingularity) {
  DenseMatrix a = random_matrix(30, 30, 9);
  a.col(7) = a.col(3) + a.col(5);
  a(4, 7) += 1e-12;
  DenseLu lu;
  ASSERT_TRUE(lu.factorize(a));
  EXPECT_LT(lu.rcond(), 1e-13);
  EXPECT_GT(lu.rcond(), 0.0);
}

TEST(DenseLu, ForgetsTheLastMatrix) {
  DenseLu lu;
  ASSERT_TRUE(lu.factorize(random_matrix(50, 50, 1)));
  EXPECT_FALSE(lu.factorize(DenseMatrix::Zero(4, 4)));
  const DenseMatrix a = random_matrix(8, 8, 2);
  ASSERT_TRUE(lu.factorize(a));
  EXPECT_EQ(lu.singular_column(), -1);
  Vector x = Vector::Ones(8);
  lu.solve(x);
  EXPECT_LE((a * x - Vector::Ones(8)).norm(), 1e-12 * a.norm() * x.norm());
}

}  // namespace slipstick::internal::dense_lu_test
