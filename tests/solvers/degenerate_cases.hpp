// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "slipstick/problem.hpp"
#include "slipstick/scenes/games.hpp"

namespace slipstick::internal::degenerate_cases {

/// LCPs that are known for cycles, for exponential paths or for many ties. All have solutions.
struct DegenerateCase {
  std::string name;
  Problem problem;
};
std::vector<DegenerateCase> known_examples();

/// A game of 6 to 150 rows that depends on the seed only.
GameOptions game_of(std::uint64_t seed);

}  // namespace slipstick::internal::degenerate_cases
