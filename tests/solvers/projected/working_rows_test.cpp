// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/projected/working_rows.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "slipstick/scenes/random_problems.hpp"

namespace slipstick::internal::working_rows_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Operator chain(Index rows) {
  std::vector<Triplet> triplets;
  for (int i = 0; i < rows; ++i) {
    triplets.push_back({i, i, 2.0});
    if (i > 0) triplets.push_back({i, i - 1, -1.0 - i});
    if (i + 1 < rows) triplets.push_back({i, i + 1, -2.0 - i});
  }
  return Operator(csr_from_triplets(rows, rows, triplets));
}

TEST(WorkingRows, AreTheFreeRowsAndTheirNeighbours) {
  const Operator a = chain(10);
  WorkingRows working;
  working.reset(a);
  EXPECT_EQ(working.size(), 0);
  working.choose(std::vector<char>{1, 0, 0, 0, 0, 1, 1, 0, 0, 0});
  EXPECT_FALSE(working.everything());
  const std::vector<int> expected = {0, 1, 4, 5, 6, 7};
  EXPECT_EQ(std::vector<int>(working.rows().begin(), working.rows().end()), expected);
  EXPECT_EQ(working.places()[4], 2);
  EXPECT_LT(working.places()[2], 0);
  // A smaller choice forgets the rows of the larger one.
  working.choose(std::vector<char>{0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
  EXPECT_EQ(working.size(), 2);
}

TEST(WorkingRows, ProductIsThatOfTheWholeMatrixWhileFreeRowsMove) {
  const Operator a = random_lcp({.rows = 200}).problem.A;
  std::vector<char> free(200, 0);
  Vector x = Vector::Zero(200);
  for (Index i = 0; i < 200; i += 7) {
    free[i] = 1;
    x[i] = std::sin(static_cast<double>(i));
  }
  WorkingRows working;
  working.reset(a);
  working.choose(free);
  ASSERT_LT(working.size(), 200);
  Vector whole(200);
  a.multiply(x, whole);
  Vector part(working.size()), product(working.size());
  working.gather(x.data(), part.data());
  for (const int threads : {1, 2}) {
    working.multiply(part, product, threads);
    Vector scattered = Vector::Zero(200);
    working.scatter(product.data(), scattered.data());
    EXPECT_LT((scattered - whole).norm(), 1e-14 * whole.norm());
  }
}

TEST(WorkingRows, LeaveTheOtherRowsAlone) {
  const Operator a = chain(4);
  WorkingRows working;
  working.reset(a);
  working.choose(std::vector<char>{1, 0, 0, 0});
  Vector full(4);
  full << 1.0, 2.0, nan, nan;
  Vector part(2);
  working.gather(full.data(), part.data());
  EXPECT_EQ(part[1], 2.0);
  part << 5.0, 6.0;
  full << 0.0, 0.0, 7.0, 8.0;
  working.scatter(part.data(), full.data());
  EXPECT_EQ(full, (Vector(4) << 5.0, 6.0, 7.0, 8.0).finished());
}

TEST(WorkingRows, AreEverythingWithoutExplicitRows) {
  const Operator a(DenseMatrix::Identity(3, 3));
  WorkingRows working;
  working.reset(a);
  working.choose(std::vector<char>{0, 1, 0});
  EXPECT_TRUE(working.everything());
  EXPECT_EQ(working.size(), 3);
  const Vector x = Vector::LinSpaced(3, 1.0, 3.0);
  Vector y(3), copy(3);
  working.gather(x.data(), copy.data());
  working.multiply(copy, y, 1);
  EXPECT_EQ(y, x);
}

}  // namespace slipstick::internal::working_rows_test
