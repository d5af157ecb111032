// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/qp_builder.hpp"

#include <gtest/gtest.h>

#include "tests/support/dense.hpp"

namespace slipstick::internal::qp_builder_test {

// 3/2 (x + 2 y - 5)^2 + 7 y = 3/2 x^2 + 6 x y + 6 y^2 - 15 x - 23 y + 37.5
TEST(QpBuilder, SquaresAddUp) {
  QpBuilder qp(2, -1.0, 1.0);
  qp.add_square(3.0, {{0, 1.0}, {1, 2.0}}, 5.0);
  qp.add_linear(1, 7.0);
  qp.set_bounds(1, 0.0, infinity);
  qp.add_row({{1, 2.0}, {0, 1.0}, {1, 2.0}}, -3.0, 4.0);
  qp.add_equality({{0, 1.0}}, 0.5);
  const Problem problem = qp.finish();
  EXPECT_EQ(dense(problem.A), mat({{3, 6}, {6, 12}}));
  EXPECT_EQ(problem.b, vec({-15, -23}));
  EXPECT_EQ(problem.constant, 37.5);
  EXPECT_EQ(problem.K.lower(), vec({-1, 0}));
  EXPECT_EQ(problem.K.upper(), vec({1, infinity}));
  EXPECT_EQ(DenseMatrix(*problem.rows->G), mat({{1, 4}, {1, 0}}));
  EXPECT_EQ(problem.rows->lower, vec({-3, 0.5}));
  EXPECT_EQ(problem.rows->upper, vec({4, 0.5}));
}

TEST(QpBuilder, WithoutRows) {
  const Problem problem = QpBuilder(3).finish();
  EXPECT_FALSE(problem.rows);
  EXPECT_TRUE(validate(problem).ok());
}

}  // namespace slipstick::internal::qp_builder_test
