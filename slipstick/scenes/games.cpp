// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/games.hpp"

#include "slipstick/base/error.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/matrix.hpp"

namespace slipstick::internal {
namespace {

constexpr Index most_game_rows = 20000;
constexpr Index most_payoffs = Index{1} << 50;  // exact in doubles

void check(const GameOptions& options) {
  if (options.types < 1 || options.types > most_game_rows)
    fail("random game: the number of types must be 1 to {}, not {}", most_game_rows, options.types);
  if (options.actions < 1 || options.actions > most_game_rows)
    fail("random game: the number of actions must be 1 to {}, not {}", most_game_rows, options.actions);
  if (options.payoffs < 1 || options.payoffs > most_payoffs)
    fail("random game: the largest payoff must be 1 to 2^50, not {}", options.payoffs);
  if (const Index rows = 2 * options.types * (options.actions + 1); rows > most_game_rows)
    fail("random game: {} rows, more than {}", rows, most_game_rows);
}

}  // namespace

Problem random_game(const GameOptions& options) {
  check(options);
  const Index plans = options.types * options.actions;  // of one player
  const Index rows = 2 * plans + 2 * options.types;
  Random random(options.seed);
  const auto payoff = [&] { return 1.0 + static_cast<double>(random.below(options.payoffs)); };

  DenseMatrix M = DenseMatrix::Zero(rows, rows);
  Vector q = Vector::Zero(rows);
  M.topLeftCorner(plans, plans).setOnes();
  M.block(plans, plans, plans, plans).setOnes();
  for (Index i = 0; i < plans; ++i) {
    for (Index j = 0; j < plans; ++j) {
      M(i, plans + j) = payoff();
      M(plans + i, j) = payoff();
    }
  }
  // A type's plan has the sum 1 or more. The type's value is the multiplier.
  for (Index type = 0; type < 2 * options.types; ++type) {
    const Index value = 2 * plans + type;
    q[value] = -1.0;
    M.block(type * options.actions, value, options.actions, 1).setConstant(-1.0);
    M.block(value, type * options.actions, 1, options.actions).setOnes();
  }
  return Problem{.A = Operator(std::move(M)), .b = q, .K = ProductSet::nonnegative(rows), .symmetric = false};
}

}  // namespace slipstick::internal
