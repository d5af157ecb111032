// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "slipstick/io/report/table_kinds.hpp"

namespace slipstick::internal::report {

Summaries limit_summaries(const CsvTable& table) {
  struct Line {
    int solves = 0, over = 0;
    double largest = 0.0;  // excess, s
    std::string methods = {};
  };
  const auto method = table.texts("method");
  const auto limit = table.finite_numbers("limit"), seconds = table.numbers("seconds");
  const auto over = table.finite_numbers("over");
  std::map<double, Line> lines;
  for (std::size_t k = 0; k < table.rows(); ++k) {
    Line& line = lines[limit[k]];
    ++line.solves;
    if (seconds[k] > 0.0) line.largest = std::max(line.largest, seconds[k] - limit[k]);
    if (over[k] == 0.0) continue;
    ++line.over;
    if (line.methods.find(method[k]) == std::string::npos)
      line.methods += (line.methods.empty() ? "" : ", ") + method[k];
  }
  Summary summary{.caption = "Solves that exceeded their time limit by more than 10 % and half a second",
                  .columns = {"limit, s", "solves", "over", "largest excess, s", "methods"},
                  .rows = {}};
  for (const auto& [seconds_allowed, line] : lines)
    summary.rows.push_back({fmt::format("{:g}", seconds_allowed), fmt::format("{}", line.solves),
                            fmt::format("{}", line.over), fmt::format("{:.2f}", line.largest), line.methods});
  return {std::move(summary)};
}

}  // namespace slipstick::internal::report
