// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/krylov/condition_estimate.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/dense.hpp"

namespace slipstick::internal::condition_estimate_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// A factor that is its matrix' inverse.
struct Inverse {
  DenseMatrix inverse;
  mutable int solves = 0;

  Index rows() const { return inverse.rows(); }
  void solve(Vector& x) const {
    ++solves;
    x = (inverse * x).eval();
  }
  void solve_transposed(Vector& x) const {
    ++solves;
    x = (inverse.transpose() * x).eval();
  }
};

double norm1(const DenseMatrix& a) {
  return a.cwiseAbs().colwise().sum().maxCoeff();
}

double estimate(const DenseMatrix& inverse) {
  Vector x = vec({nan}), sign = vec({nan, nan});  // scratch: neither sizes nor values count
  return inverse_norm_estimate(Inverse{inverse}, x, sign);
}

TEST(ConditionEstimate, ExactOfMatricesWithPositiveInverse) {
  EXPECT_DOUBLE_EQ(estimate(mat({{4}})), 4.0);
  EXPECT_DOUBLE_EQ(estimate(mat({{-4}})), 4.0);
  EXPECT_DOUBLE_EQ(estimate(vec({1, 5, 2}).asDiagonal()), 5.0);
  EXPECT_DOUBLE_EQ(estimate(mat({{1, 2}, {3, 4}})), 6.0);
  // The norm is that of the columns, not of the rows.
  EXPECT_DOUBLE_EQ(estimate(mat({{1, 0}, {9, 1}})), 10.0);
  EXPECT_DOUBLE_EQ(estimate(mat({{1, 9}, {0, 1}})), 10.0);
}

TEST(ConditionEstimate, NoRows) {
  EXPECT_EQ(estimate(DenseMatrix(0, 0)), 0.0);
}

TEST(ConditionEstimate, IsALowerBoundWithinAFactorOfThree) {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 1 + random.below(12);
    DenseMatrix inverse(n, n);
    for (double& value : inverse.reshaped()) value = random.normal();
    const double exact = norm1(inverse);
    EXPECT_LE(estimate(inverse), exact * (1.0 + 1e-14));
    EXPECT_GE(estimate(inverse), exact / 3.0);
  }
}

// From the even vector both columns cancel; the alternating one sees them.
TEST(ConditionEstimate, CancellationIsCaught) {
  const DenseMatrix inverse = mat({{1e6, -1e6, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}});
  EXPECT_GE(estimate(inverse), 1e6 / 3.0);
  // Nothing but differences: A^-1 e = 0.
  const DenseMatrix differences = mat({{1, -1}, {-1, 1}});
  EXPECT_GE(estimate(1e8 * differences), 2e8 / 3.0);
}

TEST(ConditionEstimate, OverflowShows) {
  EXPECT_EQ(estimate(mat({{infinity}})), infinity);
  EXPECT_FALSE(std::isfinite(estimate(mat({{nan, 0}, {0, 1}}))));
}

TEST(ConditionEstimate, TakesAFewSolves) {
  Random random(2);
  const Inverse factor{random_spd(random, 40, 1e6)};
  Vector x, sign;
  inverse_norm_estimate(factor, x, sign);
  EXPECT_LE(factor.solves, 11);
}

}  // namespace slipstick::internal::condition_estimate_test
