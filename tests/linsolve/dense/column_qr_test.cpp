// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/dense/column_qr.hpp"

#include <gtest/gtest.h>

#include "tests/support/dense.hpp"

namespace slipstick::internal::column_qr_test {

TEST(ColumnQr, SolvesLikeEigen) {
  for (const Index n : {1, 2, 7, 20}) {
    const DenseMatrix a = random_matrix(n, n, 3);
    const Vector b = random_matrix(n, 1, 4).col(0);
    ColumnQr qr;
    qr.reset(n, n);
    for (Index j = 0; j < n; ++j) EXPECT_TRUE(qr.append(a.col(j), 1e-12));
    Vector c = b, x(n);
    qr.transform(c);
    EXPECT_NEAR(c.norm(), b.norm(), 1e-13 * b.norm());
    qr.solve(c, x);
    EXPECT_LE((x - solve_linear(a, b).value()).norm(), 1e-10 * x.norm());
    EXPECT_EQ(qr.rank(), n);
  }
}

TEST(ColumnQr, TakesColumnsBack) {
  const Index n = 6;
  const DenseMatrix a = random_matrix(n, n, 5);
  const Vector b = random_matrix(n, 1, 6).col(0);
  ColumnQr qr;
  qr.reset(n, n);
  for (Index j = 0; j < 3; ++j) qr.append(a.col(j), 1e-12);
  // The right side is transformed in two parts, around a detour.
  Vector c = b;
  qr.transform(c);
  const Index rank = qr.rank();
  for (Index j = 0; j < 3; ++j)
    qr.append(random_matrix(n, 1, 10 + static_cast<std::uint64_t>(j)).col(0), 1e-12);
  qr.truncate(3);
  EXPECT_EQ(qr.columns(), 3);
  EXPECT_EQ(qr.rank(), 3);
  for (Index j = 3; j < n; ++j) qr.append(a.col(j), 1e-12);
  qr.transform(c, rank);
  Vector x(n);
  qr.solve(c, x);
  EXPECT_LE((a * x - b).norm(), 1e-13 * a.norm() * x.norm());
}

TEST(ColumnQr, DependentColumnsAndTheirNullVectors) {
  const Index n = 5;
  DenseMatrix a = random_matrix(n, n, 8);
  a.col(1) = 2.0 * a.col(0);
  a.col(3) = a.col(0) - a.col(2);
  ColumnQr qr;
  qr.reset(n, n);
  for (Index j = 0; j < n; ++j) EXPECT_EQ(qr.append(a.col(j), 1e-12), j != 1 && j != 3) << j;
  EXPECT_EQ(qr.rank(), 3);
  for (const Index j : {1, 3}) {
    EXPECT_TRUE(qr.is_dependent(j));
    Vector y(n);
    qr.null_vector(j, y);
    EXPECT_EQ(y[j], 1.0);
    EXPECT_LE((a * y).norm(), 1e-13 * y.norm());
  }
  // A consistent right side is met, what is left of another one is below the rank.
  Vector b = a * Vector::Ones(n), c = b, x(n);
  qr.transform(c);
  EXPECT_LE(c.tail(2).norm(), 1e-13);
  qr.solve(c, x);
  EXPECT_EQ(x[1], 0.0);
  EXPECT_LE((a * x - b).norm(), 1e-13 * x.norm());
  c = Vector::Unit(n, 0);
  qr.transform(c);
  EXPECT_GT(c.tail(2).norm(), 1e-3);
}

TEST(ColumnQr, ZeroColumnIsDependentAndIndependenceIsADistance) {
  ColumnQr qr;
  qr.reset(3, 3);
  EXPECT_FALSE(qr.append(Vector::Zero(3), 1e-12));
  EXPECT_EQ(qr.independence(), 0.0);
  EXPECT_TRUE(qr.append(Vector::Unit(3, 1), 1e-12));
  EXPECT_EQ(qr.independence(), 1.0);
  Vector skewed = Vector::Unit(3, 1);
  skewed[2] = 1e-6;
  EXPECT_TRUE(qr.append(skewed, 1e-12));
  EXPECT_NEAR(qr.independence(), 1e-6, 1e-12);
  qr.truncate(2);
  EXPECT_FALSE(qr.append(skewed, 1e-3));
  qr.reset(0, 0);
  EXPECT_EQ(qr.rank(), 0);
}

}  // namespace slipstick::internal::column_qr_test
