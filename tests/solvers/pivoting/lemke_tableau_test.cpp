// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/lemke_tableau.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "slipstick/scenes/games.hpp"
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

// The tableau of a game after some pivots.
LemkeTableau pivoted(const Problem& game, int pivots) {
  LemkeTableau tableau;
  tableau.load(dense(game.A) / 16.0, game.b);
  EXPECT_TRUE(tableau.start(Vector::Ones(game.b.size())));
  for (int k = 0; k < pivots; ++k) EXPECT_EQ(tableau.pivot(), LemkeTableau::Outcome::pivoted);
  return tableau;
}

TEST(LemkeTableau, RestoredBasisHasTheSameValues) {
  const Problem game = random_game({.types = 4, .actions = 6, .payoffs = 9});
  const Vector ones = Vector::Ones(game.b.size());
  const DenseMatrix M = dense(game.A) / 16.0;
  const LemkeTableau old = pivoted(game, 30);
  LemkeBasis basis;
  old.copy_basis(basis);
  LemkeTableau fresh;
  fresh.load(M, game.b);
  ASSERT_TRUE(fresh.restore(basis, ones));
  for (Index p = 0; p < ones.size(); ++p) {
    EXPECT_NEAR(fresh.z(p), old.z(p), 1e-11);
    EXPECT_NEAR(fresh.w(p), old.w(p), 1e-11);
  }
  EXPECT_LE(fresh.drift(M, game.b), 1e-12);
  // A basis with equal columns is singular.
  LemkeTableau flat;
  flat.load(DenseMatrix::Ones(2, 2), vec({-1, -1}));
  EXPECT_FALSE(flat.restore({{1, 1, 0, 0, 0}, {0, 0}, 2}, Vector::Ones(2)));
  // An infeasible basis is none of the path.
  flat.load(DenseMatrix::Identity(2, 2), vec({-1, -1}));
  EXPECT_FALSE(flat.restore({{0, 0, 1, 1, 0}, {0, 0}, 0}, Vector::Ones(2)));
}

TEST(LemkeTableau, RestoresReflections) {
  const Index n = 10;
  const DenseMatrix M = random_matrix(n, n, 2) + 2.0 * DenseMatrix::Identity(n, n);
  const Vector q = random_matrix(n, 1, 3).col(0), width = Vector::Constant(n, 0.2);
  LemkeTableau tableau, fresh;
  tableau.load(M, q, &width);
  ASSERT_TRUE(tableau.start(Vector::Ones(n)));
  LemkeBasis basis;
  for (bool goes_on = true; goes_on;) {
    goes_on = tableau.pivot() == LemkeTableau::Outcome::pivoted;
    tableau.copy_basis(basis);
    fresh.load(M, q, &width);
    ASSERT_TRUE(fresh.restore(basis, Vector::Ones(n)));
    for (Index p = 0; p < n; ++p) EXPECT_NEAR(fresh.z(p), tableau.z(p), 1e-12);
    EXPECT_LE(fresh.drift(M, q), 1e-13);
    EXPECT_LE(tableau.drift(M, q), 1e-13);
  }
  EXPECT_GT(std::count(basis.reflected.begin(), basis.reflected.end(), 1), 0);
}

TEST(LemkeTableau, DriftSeesAWrongTableau) {
  const Problem game = random_game({.types = 4, .actions = 6, .payoffs = 9});
  LemkeTableau tableau = pivoted(game, 30);
  DenseMatrix M = dense(game.A) / 16.0;
  EXPECT_LE(tableau.drift(M, game.b), 1e-12);
  M(3, 40) += 1e-6;
  EXPECT_GE(tableau.drift(M, game.b), 1e-10);
}

TEST(LemkeTableau, ReportsABasisThatComesBack) {
  const Problem game = random_game({.types = 4, .actions = 6, .payoffs = 9});
  LemkeTableau tableau = pivoted(game, 40);
  LemkeBasis basis;
  tableau.copy_basis(basis);
  for (int k = 0; k < 3; ++k) ASSERT_EQ(tableau.pivot(), LemkeTableau::Outcome::pivoted);
  // The run is set back: the next basis was met before.
  tableau.load(dense(game.A) / 16.0, game.b);
  ASSERT_TRUE(tableau.restore(basis, Vector::Ones(game.b.size())));
  EXPECT_EQ(tableau.pivot(), LemkeTableau::Outcome::repeated);
}

}  // namespace slipstick::internal::lemke_tableau_test
