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

// The factor of the first rows stays if the next matrix has them too.
TEST(DenseLdl, SolvesAnySize) {
  DenseLdl ldl;
  std::srand(1);
  const DenseMatrix factor = DenseMatrix::Random(201, 201);
  const DenseMatrix whole = factor * factor.transpose() + DenseMatrix::Identity(201, 201);
  Index last = 0;
  for (const Index n : {0, 1, 2, 3, 4, 7, 10, 16, 17, 19, 22, 33, 64, 90, 60, 61, 201, 201, 5}) {
    const DenseMatrix a = whole.topLeftCorner(n, n);
    const Vector expected = Vector::Random(n);
    for (const Index kept : {std::min(n, last), Index{0}, n}) {
      Vector x;
      ASSERT_TRUE(solve(ldl, a, a * expected, x, kept)) << n;
      EXPECT_LE((x - expected).norm(), 1e-10 * (1.0 + expected.norm())) << n << " with " << kept;
    }
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
