// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/lemke_tableau.hpp"

#include <gtest/gtest.h>

#include "tests/solvers/box_cases.hpp"

namespace slipstick::internal::lemke_tableau_test {

using box_cases::vec;

TEST(Exchange, SolvesOneRowForOneColumn) {
  // y0 = 2 a + 4 b, y1 = 3 a + b  becomes  b = (y0 - 2 a) / 4, y1 = 3 a + b.
  DenseMatrix T = mat({{2, 4}, {3, 1}});
  Vector scratch(2);
  exchange(T, 2, 0, 1, scratch);
  EXPECT_EQ(T, (DenseMatrix(2, 2) << -0.5, 0.25, 2.5, 0.25).finished());
}

TEST(Exchange, TwiceIsNothingAndLeavesOtherColumnsAlone) {
  const DenseMatrix original = random_matrix(5, 7, 1);
  DenseMatrix T = original;
  T.col(6).setConstant(std::nan(""));
  Vector scratch(5);
  exchange(T, 6, 3, 2, scratch);
  EXPECT_GT((T.leftCols(6) - original.leftCols(6)).norm(), 0.1);
  exchange(T, 6, 3, 2, scratch);
  EXPECT_LE((T.leftCols(6) - original.leftCols(6)).norm(), 1e-13);
}

TEST(LemkeTableau, WalksThroughTheTextbookExample) {
  // Two rows, both constants negative: three pivots with the one that brings z_0 in.
  LemkeTableau tableau;
  tableau.load((DenseMatrix(2, 2) << 2, 1, 1, 2).finished(), vec({-5, -6}));
  ASSERT_TRUE(tableau.start(Vector::Ones(2)));
  EXPECT_EQ(tableau.artificial(), 6.0);
  EXPECT_EQ(tableau.w(0), 1.0);
  EXPECT_EQ(tableau.pivot(), LemkeTableau::Outcome::pivoted);
  EXPECT_EQ(tableau.z(1), 1.0);
  EXPECT_EQ(tableau.artificial(), 4.0);
  EXPECT_EQ(tableau.pivot(), LemkeTableau::Outcome::solved);
  EXPECT_NEAR(tableau.z(0), 4.0 / 3.0, 1e-15);
  EXPECT_NEAR(tableau.z(1), 7.0 / 3.0, 1e-15);
  EXPECT_TRUE(tableau.z_is_basic(0) && tableau.z_is_basic(1));
  EXPECT_FALSE(tableau.w_is_basic(0) || tableau.w_is_basic(1));
}

TEST(LemkeTableau, FeasibleBasisNeedsNoStart) {
  LemkeTableau tableau;
  tableau.load(DenseMatrix::Identity(2, 2), vec({0, 3}));
  EXPECT_FALSE(tableau.start(Vector::Ones(2)));
  EXPECT_EQ(tableau.w(1), 3.0);
  EXPECT_EQ(tableau.z(1), 0.0);
  tableau.load(DenseMatrix(0, 0), Vector(0));
  EXPECT_FALSE(tableau.start(Vector(0)));
}

TEST(LemkeTableau, EnterIsAPrincipalPivot) {
  const Index n = 8;
  const DenseMatrix M = random_matrix(n, n, 3);
  const Vector q = random_matrix(n, 1, 4).col(0);
  LemkeTableau tableau;
  tableau.load(M, q);
  ASSERT_TRUE(tableau.enter({1, 4, 6}));
  // z of the three solves their rows, w of the others follows.
  const std::vector<Index> in{1, 4, 6};
  const DenseMatrix block = M(in, in);
  const Vector z = solve_linear(block, -q(in)).value();
  for (Index k = 0; k < 3; ++k) EXPECT_NEAR(tableau.z(in[static_cast<std::size_t>(k)]), z[k], 1e-12);
  for (const Index i : {0, 2, 3, 5, 7}) {
    EXPECT_NEAR(tableau.w(i), q[i] + M(i, in) * z, 1e-12);
    EXPECT_FALSE(tableau.z_is_basic(i));
  }
  // A singular block is refused.
  tableau.load((DenseMatrix(2, 2) << 1, 1, 1, 1).finished(), vec({-1, -1}));
  EXPECT_FALSE(tableau.enter({0, 1}));
}

TEST(LemkeTableau, ReportsTheRay) {
  LemkeTableau tableau;
  tableau.load(DenseMatrix::Zero(2, 2), vec({1, -1}));
  ASSERT_TRUE(tableau.start(Vector::Ones(2)));
  EXPECT_EQ(tableau.pivot(), LemkeTableau::Outcome::ray);
  EXPECT_EQ(tableau.ray(1), 1.0);
  EXPECT_EQ(tableau.ray(0), 0.0);
  EXPECT_GT(tableau.artificial(), 0.0);
}

}  // namespace slipstick::internal::lemke_tableau_test
