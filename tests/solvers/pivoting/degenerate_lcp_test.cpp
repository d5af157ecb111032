// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "slipstick/solvers/pivoting/lemke.hpp"
#include "tests/solvers/box_cases.hpp"
#include "tests/solvers/degenerate_cases.hpp"
#include "tests/support/sanitized.hpp"

namespace slipstick::internal::degenerate_lcp_test {

using degenerate_cases::game_of;

TEST(DegenerateLcp, KnownExamples) {
  for (const auto& [name, problem] : degenerate_cases::known_examples()) {
    const Result result = box_cases::solve_with(Lemke(), problem, 1e-10);
    EXPECT_TRUE(result.solved()) << name << ": " << result.message;
  }
}

TEST(DegenerateLcp, RandomGames) {
  Lemke lemke;
  const std::uint64_t last = sanitized ? 15 : 100;
  for (std::uint64_t seed = 1; seed <= last; ++seed) {
    const Problem game = random_game(game_of(seed));
    const Result result = box_cases::solve_with(lemke, game, 1e-8);
    EXPECT_TRUE(result.solved()) << seed << ": " << result.message;
  }
}

TEST(DegenerateLcp, OneKeptObjectGivesTheSameBits) {
  const Problem game = random_game({.types = 4, .actions = 6, .seed = 2});
  Lemke lemke;
  const Result first = box_cases::solve_with(lemke, game, 1e-8);
  const Result second = box_cases::solve_with(lemke, game, 1e-8);
  EXPECT_EQ(first.x, second.x);
  EXPECT_EQ(first.counts.iterations, second.counts.iterations);
}

}  // namespace slipstick::internal::degenerate_lcp_test
