// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/dense/dense_ldl.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace slipstick::internal::dense_ldl_test {

// Above the diagonal nothing is read.
bool solve(DenseLdl& ldl, const DenseMatrix& a, const Vector& r, Vector& x, Index kept = 0) {
  const Index n = a.rows();
  const Index first = ldl.resize(n, kept);
  for (Index j = 0; j < n; ++j) {
    double* const column = ldl.column(j);
    for (Index i = first; i < j; ++i) column[i] = std::numeric_limits<double>::quiet_NaN();
    for (Index i = std::max(first, j); i < n; ++i) column[i] = a(i, j);
    column[n] = r[j];
  }
  const double* const solution = ldl.solve(1e-13);
  if (solution != nullptr) x = Vector::Map(solution, n);
  return solution != nullptr;
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

// The factor of the first rows stays, also if the matrix shrinks in between.
TEST(DenseLdl, KeepsTheRowsBeforeAChange) {
  DenseLdl ldl;
  std::srand(2);
  constexpr Index most = 90;
  DenseMatrix a = DenseMatrix::Random(most, most);
  a = (a * a.transpose()).eval() + DenseMatrix::Identity(most, most);
  Index last = 0;
  for (const Index n : {10, 16, 19, 21, 22, 60, 61, 30, 90, 90, 0, 5}) {
    const Vector expected = Vector::Random(n);
    Vector x;
    ASSERT_TRUE(solve(ldl, a.topLeftCorner(n, n), a.topLeftCorner(n, n) * expected, x, std::min(n, last)));
    EXPECT_LE((x - expected).norm(), 1e-10 * (1.0 + expected.norm())) << n << " after " << last;
    last = n;
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
