// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "slipstick/io/report/table_kinds.hpp"

namespace slipstick::internal::report {

Summaries games_summaries(const CsvTable& table) {
  constexpr double classes[] = {50.0, 100.0};  // rows at which a class of sizes ends
  struct Line {
    int solved = 0;
    std::vector<double> seconds = {};
    double pivots = 0.0;  // most
  };
  const auto solver = table.texts("solver"), status = table.texts("status");
  const auto rows = table.finite_numbers("rows"), seconds = table.finite_numbers("seconds");
  const auto pivots = table.finite_numbers("pivots");
  std::map<std::pair<std::size_t, std::string>, Line> lines;
  for (std::size_t k = 0; k < table.rows(); ++k) {
    const auto size = static_cast<std::size_t>(std::ranges::lower_bound(classes, rows[k]) - classes);
    Line& line = lines[{size, solver[k]}];
    line.solved += status[k] == "solved";
    line.seconds.push_back(seconds[k]);
    line.pivots = std::max(line.pivots, pivots[k]);
  }
  Summary summary{.caption = "Random games",
                  .columns = {"rows", "solver", "games", "solved", "median ms", "largest ms", "most pivots"},
                  .rows = {}};
  for (auto& [key, line] : lines) {
    std::sort(line.seconds.begin(), line.seconds.end());
    const std::size_t size = key.first;
    summary.rows.push_back(
        {size < std::size(classes) ? fmt::format("up to {:g}", classes[size])
                                   : fmt::format("above {:g}", classes[size - 1]),
         key.second, fmt::format("{}", line.seconds.size()), fmt::format("{}", line.solved),
         fmt::format("{:.2f}", 1e3 * line.seconds[line.seconds.size() / 2]),
         fmt::format("{:.1f}", 1e3 * line.seconds.back()), fmt::format("{:g}", line.pivots)});
  }
  return {std::move(summary)};
}

}  // namespace slipstick::internal::report
