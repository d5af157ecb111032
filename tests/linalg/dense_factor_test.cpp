// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/dense_factor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/dense.hpp"

namespace slipstick::internal::dense_factor_test {

TEST(DenseFactor, CholeskySolves) {
  Random random(1);
  const DenseMatrix a = random_spd(random, 9, 100.0);
  DenseMatrix l = a;
  ASSERT_TRUE(cholesky(l));
  const Vector x = random_vector(9, random);
  Vector y = a * x;
  solve_cholesky(l, y);
  EXPECT_LE((y - x).norm(), 1e-12 * x.norm());
  DenseMatrix indefinite = mat({{1, 2}, {2, 1}});
  EXPECT_FALSE(cholesky(indefinite));
}

TEST(DenseFactor, RootOfASemidefiniteMatrix) {
  Random random(2);
  DenseMatrix half = DenseMatrix::Zero(6, 3);
  for (Index j = 0; j < 3; ++j) half.col(j) = random_vector(6, random);
  half.row(2).setZero();
  const DenseMatrix a = half * half.transpose();
  const DenseMatrix root = semidefinite_root(a);
  EXPECT_LE((root * root.transpose() - a).norm(), 1e-13 * a.norm());
  EXPECT_EQ(semidefinite_root(DenseMatrix::Zero(2, 2)), DenseMatrix::Zero(2, 2));
}

TEST(DenseFactor, SpectrumOfASecondDifference) {
  const Index n = 20;
  const SpectrumEnds ends = tridiagonal_spectrum(Vector::Constant(n, 2.0), Vector::Constant(n - 1, -1.0));
  const double angle = std::numbers::pi / static_cast<double>(n + 1);
  EXPECT_NEAR(ends.smallest, 2.0 - 2.0 * std::cos(angle), 1e-14);
  EXPECT_NEAR(ends.largest, 2.0 + 2.0 * std::cos(angle), 1e-14);
  const SpectrumEnds one = tridiagonal_spectrum(Vector::Constant(1, -3.0), Vector(0));
  EXPECT_EQ(one.smallest, -3.0);
  EXPECT_EQ(one.largest, -3.0);
}

TEST(DenseFactor, LuSolvesManyRightSides) {
  const DenseMatrix a = mat({{0, 2}, {4, 1}});
  const LuFactor lu(a);
  EXPECT_EQ(lu.pivots(), vec({4, 2}));
  EXPECT_GT(lu.rcond(), 0.1);
  EXPECT_LE((a * lu.solve(DenseMatrix::Identity(2, 2)) - DenseMatrix::Identity(2, 2)).norm(), 1e-15);
}

}  // namespace slipstick::internal::dense_factor_test
