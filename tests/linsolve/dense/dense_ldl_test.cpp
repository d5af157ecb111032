// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/dense/dense_ldl.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace slipstick::internal::dense_ldl_test {

// Above the diagonal nothing is read.
bool solve(DenseLdl& ldl, const DenseMatrix& a, const Vector& r, Vector& x) {
  const Index n = a.rows();
  ldl.resize(n);
  for (Index j = 0; j < n; ++j) {
    double* const column = ldl.column(j);
    for (Index i = 0; i < j; ++i) column[i] = std::numeric_limits<double>::quiet_NaN();
    for (Index i = j; i < n; ++i) column[i] = a(i, j);
    column[n] = r[j];
  }
  x.setZero(n);
  return ldl.solve(1e-13, x.data());
}

TEST(DenseLdl, SolvesAnySize) {
  DenseLdl ldl;
  std::srand(1);
  for (const Index n : {0, 1, 2, 3, 4, 7, 16, 17, 33, 64, 90, 201, 5}) {
    const DenseMatrix factor = DenseMatrix::Random(n, n);
    const DenseMatrix a = factor * factor.transpose() + DenseMatrix::Identity(n, n);
    const Vector expected = Vector::Random(n);
    Vector x;
    ASSERT_TRUE(solve(ldl, a, a * expected, x)) << n;
    EXPECT_LE((x - expected).norm(), 1e-10 * (1.0 + expected.norm())) << n;
  }
}

TEST(DenseLdl, SaysWhereItIsNotPositiveDefinite) {
  DenseLdl ldl;
  Vector x;
  EXPECT_FALSE(solve(ldl, DenseMatrix::Ones(20, 20), Vector::Ones(20), x));
  EXPECT_FALSE(solve(ldl, -DenseMatrix::Identity(3, 3), Vector::Ones(3), x));
  EXPECT_TRUE(solve(ldl, DenseMatrix::Identity(3, 3), Vector::Ones(3), x));
}

}  // namespace slipstick::internal::dense_ldl_test
