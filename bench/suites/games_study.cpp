// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Degenerate LCPs: random games with integer payoffs, of every size between two numbers of rows.
#include <fmt/format.h>

#include "bench/suites/study.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/scenes/games.hpp"
#include "slipstick/solve.hpp"

namespace slipstick::internal::bench {
namespace {

Index rows_of(const GameOptions& game) {
  return 2 * game.types * (game.actions + 1);
}

// Numbers of types and actions whose LCP has a wanted number of rows; payoffs up to 1 to 500.
std::vector<GameOptions> random_games(const GamesStudyOptions& options) {
  constexpr Index most_types = 8, most_actions = 24;
  std::vector<GameOptions> sizes, games;
  for (Index types = 1; types <= most_types; ++types) {
    for (Index actions = 2; actions <= most_actions; ++actions) {
      const Index rows = rows_of({.types = types, .actions = actions});
      if (rows >= options.least_rows && rows <= options.most_rows)
        sizes.push_back({.types = types, .actions = actions});
    }
  }
  Random random(options.seed);
  constexpr Index payoffs[] = {1, 2, 5, 20, 100, 250, 500};
  for (int k = 0; k < options.games && !sizes.empty(); ++k) {
    GameOptions game = sizes[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(sizes.size())))];
    game.payoffs = payoffs[random.below(static_cast<std::int64_t>(std::size(payoffs)))];
    game.seed = random.bits();
    games.push_back(game);
  }
  return games;
}

}  // namespace

void run_games_study(const GamesStudyOptions& options, std::FILE* csv) {
  fmt::print(csv, "# tolerance {:g} of the scaled natural map, {:g} s per solve; seconds of the processor\n",
             options.tolerance, options.time_limit);
  fmt::print(csv, "{}\n", report::games_header);
  for (const GameOptions& game : random_games(options)) {
    const AnyProblem problem = random_game(game);
    for (const std::string& solver : options.solvers) {
      SolveRequest request{.solver = solver};
      request.settings.tolerance = options.tolerance;
      request.settings.time_limit = options.time_limit;
      const double start = processor_seconds();
      const DriverResult result = solve(problem, request);
      const double seconds = processor_seconds() - start;
      fmt::print(csv, "{},{},{},{},{},{},{},{:.6f},{},{:.3e}\n", rows_of(game), game.types, game.actions,
                 game.payoffs, game.seed, solver, name(result.status), seconds, result.counts.iterations,
                 result.measures.scaled_natural_map);
      std::fflush(csv);
    }
  }
}

}  // namespace slipstick::internal::bench
