// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/banded/banded_cholesky.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "slipstick/base/error.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/linalg/banded_matrix.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::banded_cholesky_test {

// Entries in [-1, 1], the diagonal 1.1 times the sum of the sizes of the rest of its row.
BandedMatrix random_positive(Index n, Index k, std::uint64_t seed) {
  Random random(seed);
  BandedMatrix a(n, k);
  Vector sum = Vector::Constant(n, 1e-3);
  for (Index j = 0; j < n; ++j) {
    for (Index i = j + 1; i < std::min(n, j + k + 1); ++i) {
      a.at(i, j) = random.uniform(-1.0, 1.0);
      sum[i] += std::abs(a.at(i, j));
      sum[j] += std::abs(a.at(i, j));
    }
  }
  for (Index i = 0; i < n; ++i) a.at(i, i) = 1.1 * sum[i];
  return a;
}

DenseMatrix dense(const BandedMatrix& a) {
  return DenseMatrix(a.to_csr());
}

TEST(BandedCholesky, SolvesByHand) {
  // [4 2 0; 2 5 2; 0 2 5] = L L' with L = [2 0 0; 1 2 0; 0 1 2]
  BandedMatrix a(3, 1);
  a.at(0, 0) = 4.0;
  a.at(1, 0) = 2.0;
  a.at(1, 1) = 5.0;
  a.at(2, 1) = 2.0;
  a.at(2, 2) = 5.0;
  BandedCholesky cholesky;
  ASSERT_TRUE(cholesky.factorize(a));
  EXPECT_EQ(cholesky.failed_row(), -1);
  DenseMatrix x = mat({{6.0, 4.0}, {9.0, 2.0}, {7.0, 0.0}});
  cholesky.solve(x);
  EXPECT_EQ(x.col(0), Vector::Ones(3));
  EXPECT_EQ(x.col(1), Vector::Unit(3, 0));
  Vector y = (Vector(3) << 6.0, 9.0, 7.0).finished();
  cholesky.solve(y);
  EXPECT_EQ(y, Vector::Ones(3));
}

TEST(BandedCholesky, AgreesWithTheDenseFactorization) {
  for (const Index block : {0, 24, 48, 96}) {
    BandedCholesky cholesky;
    cholesky.set_block_size(block);
    for (const Index n : {1, 2, 5, 23, 24, 25, 48, 73, 131, 300}) {
      for (const Index k : {0, 1, 2, 3, 11, 12, 13, 23, 24, 25, 30, 47, 48, 60, 250}) {
        const BandedMatrix a = random_positive(n, k, 7);
        const DenseMatrix b = random_matrix(n, 6, 11);
        const DenseMatrix expected = inverse(dense(a)) * b;
        ASSERT_TRUE(cholesky.factorize(a));
        EXPECT_EQ(cholesky.rows(), n);
        EXPECT_EQ(cholesky.bandwidth(), std::min(k, n - 1));
        DenseMatrix x = b;
        cholesky.solve(x);
        EXPECT_LT((x - expected).norm(), 1e-12 * expected.norm()) << n << " " << k << " " << block;
      }
    }
  }
}

TEST(BandedCholesky, PrincipalSubmatricesAgreeWithTheDenseFactorization) {
  const BandedMatrix a = random_positive(200, 37, 3);
  const DenseMatrix whole = dense(a);
  BandedCholesky cholesky;
  for (const int keep : {1, 2, 3, 7, 50}) {
    std::vector<int> rows;
    for (int i = 0; i < 200; ++i) {
      if ((i * 7) % 50 < keep || (i > 90 && i < 90 + keep)) rows.push_back(i);
    }
    const DenseMatrix part = whole(rows, rows);
    const DenseMatrix b = random_matrix(part.rows(), 5, 11);
    ASSERT_TRUE(cholesky.factorize(a, rows));
    EXPECT_EQ(cholesky.rows(), part.rows());
    EXPECT_LE(cholesky.bandwidth(), 37);
    DenseMatrix x = b;
    cholesky.solve(x);
    EXPECT_LT((x - inverse(part) * b).norm(), 1e-12 * x.norm());
  }
  EXPECT_TRUE(cholesky.factorize(a, std::span<const int>()));
  EXPECT_EQ(cholesky.rows(), 0);
}

TEST(BandedCholesky, ManyRightHandSidesAreSolvedOneByOne) {
  const Index n = 150;
  const BandedMatrix a = random_positive(n, 40, 5);
  BandedCholesky cholesky;
  ASSERT_TRUE(cholesky.factorize(a));
  const DenseMatrix b = random_matrix(n, 131, 11);
  DenseMatrix together = b;
  cholesky.solve(together);
  for (Index c = 0; c < b.cols(); ++c) {
    Vector x = b.col(c);
    cholesky.solve(x);
    ASSERT_EQ(x, together.col(c)) << c;  // to the last bit
  }
  // Columns of a larger matrix, those beside them not touched.
  DenseMatrix larger = DenseMatrix::Constant(n + 3, 9, std::numeric_limits<double>::quiet_NaN());
  larger.block(1, 2, n, 5) = b.leftCols(5);
  cholesky.solve(larger.block(1, 2, n, 5));
  EXPECT_EQ(larger.block(1, 2, n, 5), together.leftCols(5));
  EXPECT_EQ(larger.array().isNaN().count(), larger.size() - n * 5);
  DenseMatrix none(n, 0);
  cholesky.solve(none);
}

TEST(BandedCholesky, HalvesMakeAWhole) {
  const BandedMatrix a = random_positive(100, 17, 3);
  BandedCholesky cholesky;
  ASSERT_TRUE(cholesky.factorize(a));
  const DenseMatrix b = random_matrix(100, 5, 1);
  DenseMatrix whole = b;
  cholesky.solve(whole);
  DenseMatrix half = b;
  cholesky.solve_lower(half);
  // Y'Y = B'A^-1 B
  EXPECT_LT((half.transpose() * half - b.transpose() * whole).norm(), 1e-13 * (b.transpose() * whole).norm());
  cholesky.solve_upper(half);
  EXPECT_EQ(half, whole);
}

TEST(BandedCholesky, SaysWhereAPivotIsNotPositive) {
  BandedCholesky cholesky;
  for (const Index row : {0, 1, 30, 99}) {
    for (const double value :
         {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      BandedMatrix a = random_positive(100, 20, 2);
      for (Index i = 0; i < 100; ++i) {
        if (i != row && std::abs(i - row) <= 20) a.at(std::max(i, row), std::min(i, row)) = 0.0;
      }
      a.at(row, row) = value;
      EXPECT_FALSE(cholesky.factorize(a)) << row << " " << value;
      EXPECT_EQ(cholesky.failed_row(), row);
    }
  }
  EXPECT_TRUE(cholesky.factorize(random_positive(100, 20, 2)));
  EXPECT_EQ(cholesky.failed_row(), -1);
}

TEST(BandedCholesky, EntriesPastTheLastRowAreNotRead) {
  BandedMatrix a = random_positive(60, 10, 4);
  const DenseMatrix expected = inverse(dense(a));
  for (Index j = 50; j < 60; ++j) {
    for (Index k = 60 - j; k <= 10; ++k) a.at(j + k, j) = std::numeric_limits<double>::quiet_NaN();
  }
  BandedCholesky cholesky;
  ASSERT_TRUE(cholesky.factorize(a));
  DenseMatrix x = DenseMatrix::Identity(60, 60);
  cholesky.solve(x);
  EXPECT_LT((x - expected).norm(), 1e-12 * expected.norm());
}

TEST(BandedCholesky, HilbertsMatrixToTheAccuracyItsConditionAllows) {
  const Index n = 7;  // condition 5e8
  BandedMatrix a(n, n - 1);
  for (Index j = 0; j < n; ++j) {
    for (Index i = j; i < n; ++i) a.at(i, j) = 1.0 / static_cast<double>(i + j + 1);
  }
  BandedCholesky cholesky;
  ASSERT_TRUE(cholesky.factorize(a));
  const Vector ones = Vector::Ones(n);
  Vector x(n);
  a.multiply(ones, x, 1);
  cholesky.solve(x);
  EXPECT_LT((x - ones).norm(), 1e-6);
}

TEST(BandedCholesky, SmallerOnesAllocateNothing) {
  const BandedMatrix a = random_positive(200, 30, 1), smaller = random_positive(150, 20, 1);
  std::vector<int> rows;
  for (int i = 0; i < 200; i += 1 + i % 2) rows.push_back(i);
  BandedCholesky cholesky;
  ASSERT_TRUE(cholesky.factorize(a));
  cholesky.reserve(10);
  DenseMatrix x = random_matrix(200, 10, 11), y = random_matrix(150, 4, 11);
  DenseMatrix z = random_matrix(static_cast<Index>(rows.size()), 7, 11);
  const auto before = allocations();
  cholesky.solve(x);
  ASSERT_TRUE(cholesky.factorize(smaller));
  cholesky.solve(y);
  ASSERT_TRUE(cholesky.factorize(a, rows));
  cholesky.solve(z);
  EXPECT_EQ(allocations(), before);
  EXPECT_TRUE(x.allFinite() && y.allFinite() && z.allFinite());
}

TEST(BandedCholesky, RefusesOddBlocks) {
  BandedCholesky cholesky;
  EXPECT_THROW(cholesky.set_block_size(20), Error);
  EXPECT_THROW(cholesky.set_block_size(-24), Error);
  ASSERT_TRUE(cholesky.factorize(BandedMatrix()));
  DenseMatrix x(0, 3);
  cholesky.solve(x);
}

}  // namespace slipstick::internal::banded_cholesky_test
