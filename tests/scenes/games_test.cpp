// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/games.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/error.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::games_test {

TEST(RandomGame, Structure) {
  const GameOptions options{.types = 2, .actions = 3, .payoffs = 5, .seed = 4};
  const Problem game = random_game(options);
  const DenseMatrix M = dense(game.A);
  ASSERT_EQ(M.rows(), 16);
  EXPECT_FALSE(game.symmetric);
  EXPECT_TRUE(game.K.is_nonnegative_orthant());
  EXPECT_EQ(game.b, vec({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1}));
  EXPECT_TRUE((M.topLeftCorner(6, 6).array() == 1.0).all());
  EXPECT_TRUE((M.block(6, 6, 6, 6).array() == 1.0).all());
  for (const DenseMatrix& payoffs : {DenseMatrix(M.block(0, 6, 6, 6)), DenseMatrix(M.block(6, 0, 6, 6))}) {
    EXPECT_EQ(payoffs.minCoeff(), 1.0);
    EXPECT_EQ(payoffs.maxCoeff(), 5.0);
    EXPECT_EQ(payoffs, payoffs.array().round().matrix());
  }
  // The value of a type belongs to the type's actions.
  EXPECT_TRUE(M.bottomRightCorner(4, 4).isZero(0.0));
  EXPECT_EQ(M.bottomLeftCorner(4, 12), -M.topRightCorner(12, 4).transpose());
  for (Index type = 0; type < 4; ++type) {
    EXPECT_EQ(M.row(12 + type).sum(), 3.0);
    EXPECT_TRUE((M.row(12 + type).segment(3 * type, 3).array() == 1.0).all());
  }
}

TEST(RandomGame, SeedDecides) {
  EXPECT_EQ(dense(random_game({.seed = 2}).A), dense(random_game({.seed = 2}).A));
  EXPECT_NE(dense(random_game({.seed = 2}).A), dense(random_game({.seed = 3}).A));
  EXPECT_EQ(random_game({}).b.size(), 56);
}

TEST(RandomGame, BadOptionsAreRefused) {
  EXPECT_THROW(random_game({.types = 0}), Error);
  EXPECT_THROW(random_game({.actions = -1}), Error);
  EXPECT_THROW(random_game({.payoffs = 0}), Error);
  EXPECT_THROW(random_game({.payoffs = Index{1} << 60}), Error);
  EXPECT_THROW(random_game({.types = 20000, .actions = 20000}), Error);
}

}  // namespace slipstick::internal::games_test
