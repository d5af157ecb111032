// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "slipstick/io/report/contest.hpp"
#include "slipstick/io/report/table_kinds.hpp"

namespace slipstick::internal::report {
namespace {

Summary standings_summary(const ContestGroup& group, std::string caption) {
  Summary summary{.caption = std::move(caption),
                  .columns = {"solver", "problems", "solved", "within twice the best time", "best"},
                  .rows = {}};
  for (const Standing& s : standings(group))
    summary.rows.push_back({s.solver, fmt::format("{}", s.problems), fmt::format("{}", s.solved),
                            fmt::format("{}", s.within_twice), fmt::format("{}", s.best)});
  return summary;
}

}  // namespace

Summaries comparison_summaries(const CsvTable& table) {
  Summaries summaries;
  for (const ContestGroup& group : groups_of(comparison_rows(table))) {
    const std::size_t problems = problem_count(group);
    summaries.push_back(
        standings_summary(group, fmt::format("Standing of the methods on {} problem{}, tolerance {:g}",
                                             problems, problems == 1 ? "" : "s", group.tolerance)));
  }
  return summaries;
}

Summaries contest_summaries(const CsvTable& table) {
  Summaries summaries;
  Summary duel{.caption = "Our best time beside the best peer's, of the problems that a peer solves",
               .columns = {"class", "tolerance", "problems", "at most the peer's time", "worst ratio",
                           "median speed-up"},
               .rows = {}};
  for (const ContestGroup& group : groups_of(contest_rows(table))) {
    summaries.push_back(standings_summary(group, fmt::format("Standing of the solvers: {}, tolerance {:g}",
                                                             group.problem_class, group.tolerance)));
    const Score result = score(duels(group));
    if (result.problems == 0) continue;
    duel.rows.push_back({group.problem_class, fmt::format("{:g}", group.tolerance),
                         fmt::format("{}", result.problems), fmt::format("{}", result.won),
                         fmt::format("{:.2f}", result.worst), fmt::format("{:.1f}", result.median_speedup)});
  }
  if (!duel.rows.empty()) summaries.insert(summaries.begin(), std::move(duel));
  return summaries;
}

}  // namespace slipstick::internal::report
