// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "slipstick/solve.hpp"
#include "tests/solvers/degenerate_cases.hpp"
#include "tests/support/sanitized.hpp"

namespace slipstick::internal::auto_degenerate_lcp_test {

TEST(AutoOnDegenerateLcps, KnownExamples) {
  for (const auto& [name, problem] : degenerate_cases::known_examples()) {
    const DriverResult result = solve(problem);
    EXPECT_TRUE(result.solved()) << name << ": " << result.message;
  }
}

TEST(AutoOnDegenerateLcps, RandomGames) {
  const std::uint64_t last = sanitized ? 110 : 150;
  for (std::uint64_t seed = 101; seed <= last; ++seed) {
    const DriverResult result = solve(random_game(degenerate_cases::game_of(seed)));
    EXPECT_TRUE(result.solved()) << seed << ": " << result.message;
    EXPECT_EQ(result.solver, "lemke") << seed;
  }
}

}  // namespace slipstick::internal::auto_degenerate_lcp_test
