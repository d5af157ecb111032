// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/incomplete_cholesky.hpp"

#include <gtest/gtest.h>

#include "slipstick/problems/generators.hpp"
#include "support/dense.hpp"

namespace slipstick {
namespace {

CsrMatrix tridiagonal(Index n) {
  DenseMatrix a = DenseMatrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    a(i, i) = 2.5;
    if (i + 1 < n) a(i, i + 1) = a(i + 1, i) = -1.0;
  }
  return csr_from_dense(a);
}

// Five-point Laplacian with Dirichlet edges.
CsrMatrix grid_laplacian(int m) {
  std::vector<Triplet> t;
  for (int j = 0; j < m; ++j) {
    for (int i = 0; i < m; ++i) {
      const int row = j * m + i;
      t.push_back({row, row, 4.0});
      if (i > 0) t.push_back({row, row - 1, -1.0});
      if (i + 1 < m) t.push_back({row, row + 1, -1.0});
      if (j > 0) t.push_back({row, row - m, -1.0});
      if (j + 1 < m) t.push_back({row, row + m, -1.0});
    }
  }
  return csr_from_triplets(m * m, m * m, t);
}

// (L L')^-1 as a dense matrix, by solving with unit vectors on the free rows.
DenseMatrix inverse_of(const IncompleteCholesky& factor, const std::vector<char>& free) {
  const Index n = factor.rows();
  DenseMatrix inverse(n, n);
  for (Index j = 0; j < n; ++j) {
    Vector z = Vector::Unit(n, j) * (free[j] != 0 ? 1.0 : 0.0);
    factor.solve(free, z.data());
    inverse.col(j) = z;
  }
  return inverse;
}

TEST(IncompleteCholesky, IsExactWhereThereIsNoFill) {
  const CsrMatrix a = tridiagonal(12);
  for (const double compensation : {0.0, 1.0}) {
    IncompleteCholesky factor;
    factor.factor(a, {}, {.compensation = compensation});
    const Vector b = Vector::LinSpaced(12, -1.0, 2.0);
    Vector x = b;
    factor.solve(x);
    EXPECT_LT((a * x - b).norm(), 1e-13);
    EXPECT_EQ(factor.shift(), 0.0);
  }
}

TEST(IncompleteCholesky, FullCompensationKeepsRowSums) {
  const CsrMatrix a = grid_laplacian(6);
  IncompleteCholesky factor;
  factor.factor(a, {}, {.compensation = 1.0});
  const Vector ones = Vector::Ones(a.rows());
  Vector x = a * ones;
  factor.solve(x);  // L L' 1 = A 1 for MIC(0)
  EXPECT_LT((x - ones).norm(), 1e-12);
}

TEST(IncompleteCholesky, PlainOneMatchesAOnItsPattern) {
  const CsrMatrix a = grid_laplacian(5);
  IncompleteCholesky factor;
  factor.factor(a, {}, {.compensation = 0.0});
  const DenseMatrix product = inverse(inverse_of(factor, std::vector<char>(25, 1)));
  for (Index i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(a, i); it; ++it) EXPECT_NEAR(product(i, it.col()), it.value(), 1e-12);
  }
}

TEST(IncompleteCholesky, MaskedIsSymmetricPositiveDefiniteOnTheFreeRows) {
  const CsrMatrix a = grid_laplacian(5);
  std::vector<char> free(25, 1);
  for (const int row : {0, 3, 7, 12, 13, 24}) free[row] = 0;
  for (const bool refactored : {false, true}) {
    IncompleteCholesky factor;
    factor.factor(a, refactored ? std::span<const char>(free) : std::span<const char>(), {});
    const DenseMatrix inverse = inverse_of(factor, free);
    EXPECT_LT((inverse - inverse.transpose()).norm(), 1e-13);
    const Vector spectrum = eigenvalues(inverse);
    EXPECT_NEAR(spectrum[5], 0.0, 1e-12);  // six masked rows
    EXPECT_GT(spectrum[6], 1e-3);
  }
}

TEST(IncompleteCholesky, BreakdownShiftsAndGoesOn) {
  // Kershaw's matrix: positive definite, but IC(0) meets a negative pivot.
  DenseMatrix a(4, 4);
  a << 3, -2, 0, 2, -2, 3, -2, 0, 0, -2, 3, -2, 2, 0, -2, 3;
  IncompleteCholesky factor;
  factor.factor(csr_from_dense(a), {}, {.compensation = 0.0});
  EXPECT_GT(factor.shift(), 0.0);
  const DenseMatrix inverse = inverse_of(factor, std::vector<char>(4, 1));
  EXPECT_GT(eigenvalues(inverse)[0], 0.0);
}

TEST(IncompleteCholesky, EmptyRowsAndSizes) {
  IncompleteCholesky factor;
  factor.factor(CsrMatrix(0, 0), {}, {});
  EXPECT_EQ(factor.rows(), 0);
  CsrMatrix a(3, 3);
  a.insert(1, 1) = 4.0;
  a.makeCompressed();
  factor.factor(a, {}, {});
  Vector z(3);
  z << 1.0, 8.0, 2.0;
  factor.solve(z);
  EXPECT_EQ(z[1], 2.0);
  EXPECT_TRUE(z.allFinite());
}

TEST(IncompleteCholesky, CompensationHelpsOnThePressureProblem) {
  const CsrMatrix a = grid_laplacian(40);
  const Vector b = Vector::Ones(a.rows());
  const auto iterations = [&](double compensation) {
    IncompleteCholesky factor;
    factor.factor(a, {}, {.compensation = compensation});
    Vector x = Vector::Zero(a.rows()), r = b, z = r;
    factor.solve(z);
    Vector p = z;
    double rz = r.dot(z);
    int k = 0;
    while (r.norm() > 1e-8 * b.norm() && k < 1000) {
      const Vector Ap = a * p;
      const double step = rz / p.dot(Ap);
      x += step * p;
      r -= step * Ap;
      z = r;
      factor.solve(z);
      const double next = r.dot(z);
      p = z + (next / rz) * p;
      rz = next;
      ++k;
    }
    return k;
  };
  const int plain = iterations(0.0);
  EXPECT_LT(plain, 60);
  EXPECT_LT(iterations(0.97), 0.8 * plain);
}

TEST(IncompleteCholesky, TakenRowsAreTheOthersMaskedOut) {
  const CsrMatrix a = grid_laplacian(7);
  const Index n = a.rows();
  IncompleteCholesky whole;
  whole.factor(a, {}, {});
  std::vector<int> rows, place(static_cast<std::size_t>(n), -1);
  std::vector<char> taken(static_cast<std::size_t>(n), 0);
  for (int i = 0; i < n; ++i) {
    if (i % 5 == 2 || i % 7 == 3) continue;
    place[i] = static_cast<int>(rows.size());
    rows.push_back(i);
    taken[i] = 1;
  }
  IncompleteCholesky part;
  part.reserve(n, a.nonZeros());
  part.take_rows(whole, rows, place);
  ASSERT_EQ(part.rows(), static_cast<Index>(rows.size()));

  Vector z = Vector::LinSpaced(n, -1.0, 3.0);
  Vector short_z(part.rows());
  for (std::size_t k = 0; k < rows.size(); ++k) short_z[k] = z[rows[k]];
  whole.solve(taken, z.data());
  part.solve(std::vector<char>(rows.size(), 1), short_z.data());
  for (std::size_t k = 0; k < rows.size(); ++k) EXPECT_EQ(short_z[k], z[rows[k]]);
}

}  // namespace
}  // namespace slipstick
