// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// A random game of two players, each with several types and integer payoffs, as an LCP. It has
/// 2 types (actions + 1) rows: the plans of both players, then the value of each type of each player. An
/// equilibrium solves it, so that every such LCP has a solution. Most constants are zero and payoffs repeat:
/// ties abound in pivoting. The matrix is nonsymmetric and dense.
struct GameOptions {
  Index types = 4;      ///< of each player
  Index actions = 6;    ///< of each type
  Index payoffs = 250;  ///< payoffs are integers of 1 to this
  std::uint64_t seed = 1;
};
Problem random_game(const GameOptions& options);

}  // namespace slipstick::internal
