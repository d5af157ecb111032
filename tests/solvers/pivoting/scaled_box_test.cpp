// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/scaled_box.hpp"

#include <gtest/gtest.h>

#include "tests/solvers/box_cases.hpp"

namespace slipstick::internal::scaled_box_test {

using namespace box_cases;

// Bounded below, free, bounded above, two-sided, fixed.
Problem five_rows(std::uint64_t seed, double spread) {
  Random random(seed);
  DenseMatrix A(5, 5);
  for (double& value : A.reshaped())
    value = random.normal() * std::pow(10.0, random.uniform(-spread, spread));
  Vector b(5);
  for (double& value : b) value = random.normal();
  return make(A, b, vec({1, -infinity, -infinity, -1, 7}), vec({infinity, infinity, 3, 2, 7}));
}

TEST(ScaledBox, OrdersRows) {
  ScaledBox box;
  box.build(five_rows(1, 1));
  ASSERT_EQ(box.size(), 4);
  ASSERT_EQ(box.bounded(), 3);
  EXPECT_EQ(box.row(0), 0);
  EXPECT_EQ(box.row(1), 2);
  EXPECT_EQ(box.row(2), 3);
  EXPECT_EQ(box.row(3), 1);
  EXPECT_EQ(box.origin(), vec({1, 0, 3, -1, 7}));
  EXPECT_FALSE(box.reflected(0));
  EXPECT_TRUE(box.reflected(1));
  EXPECT_LT(box.unit(1), 0.0);
  EXPECT_EQ(box.width(0), infinity);
  EXPECT_EQ(box.width(2) * box.unit(2), 3.0);
}

TEST(ScaledBox, IsTheSameProblem) {
  const Problem problem = five_rows(2, 6);
  ScaledBox box;
  box.build(problem);
  // w of the scaled problem is w of the problem, up to a positive factor per row.
  Vector ratio;
  for (const std::uint64_t seed : {3, 4}) {
    Random random(seed);
    Vector z(4), x = box.origin();
    for (Index k = 0; k < 4; ++k) {
      z[k] = random.normal();
      x[box.row(k)] += box.unit(k) * z[k];
    }
    Vector w(5);
    problem.A.multiply(x, w);
    w += problem.b;
    const Vector scaled = box.matrix().col(0) + box.matrix().rightCols(4) * z;
    Vector factor(4);
    for (Index k = 0; k < 4; ++k) factor[k] = scaled[k] / ((box.reflected(k) ? -1.0 : 1.0) * w[box.row(k)]);
    EXPECT_GT(factor.minCoeff(), 0.0);
    if (ratio.size() == 0) ratio = factor;
    EXPECT_LE((factor - ratio).cwiseQuotient(ratio).norm(), 1e-6);
  }
}

TEST(ScaledBox, BringsEntriesTogether) {
  const Problem problem = five_rows(5, 9);
  ScaledBox box;
  box.build(problem);
  const auto M = box.matrix().rightCols(4).cwiseAbs();
  for (Index j = 0; j < 4; ++j) {
    EXPECT_LE(M.col(j).maxCoeff(), 2.0);
    EXPECT_GE(M.col(j).maxCoeff(), 0.5);
    EXPECT_GE(M.row(j).maxCoeff(), 1e-2);
  }
  EXPECT_LE(box.matrix().col(0).cwiseAbs().maxCoeff(), 1.5);
}

TEST(ScaledBox, EmptyRowsAndEmptyProblems) {
  ScaledBox box;
  box.build(make(DenseMatrix::Zero(2, 2), vec({0, 0}), 0, infinity));
  EXPECT_EQ(box.unit(0), 1.0);
  EXPECT_EQ(box.matrix().norm(), 0.0);
  box.build(Problem{});
  EXPECT_EQ(box.size(), 0);
}

}  // namespace slipstick::internal::scaled_box_test
