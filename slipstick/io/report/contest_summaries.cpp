// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

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
  Summaries summaries, all_standings;
  Summary pairs{.caption = "Ours beside each peer, on the problems that both solve",
                .columns = {"class", "tolerance", "ours", "peer", "problems", "at most the peer's time",
                            "median speed-up"},
                .rows = {}};
  Summary files{.caption = "Files that are solved within 1e-6 of the published optimum",
                .columns = {"tolerance", "solver", "files", "within 1e-6"},
                .rows = {}};
  Summary duel{.caption = "Our best time beside the best peer's, of the problems that a peer solves",
               .columns = {"class", "tolerance", "problems", "at most the peer's time", "worst ratio",
                           "median speed-up"},
               .rows = {}};
  for (const ContestGroup& group : groups_of(contest_rows(table))) {
    all_standings.push_back(standings_summary(
        group,
        fmt::format("Standing of the solvers: {}, tolerance {:g}", group.problem_class, group.tolerance)));
    for (const Pairing& p : pairings(group))
      pairs.rows.push_back({group.problem_class, fmt::format("{:g}", group.tolerance), p.ours, p.peer,
                            fmt::format("{}", p.problems), fmt::format("{}", p.won),
                            fmt::format("{:.2f}", p.median_speedup)});
    for (const Optima& o : optima(group))
      files.rows.push_back({fmt::format("{:g}", group.tolerance), o.solver, fmt::format("{}", o.files),
                            fmt::format("{}", o.within)});
    const Score result = score(duels(group));
    if (result.problems == 0) continue;
    duel.rows.push_back({group.problem_class, fmt::format("{:g}", group.tolerance),
                         fmt::format("{}", result.problems), fmt::format("{}", result.won),
                         fmt::format("{:.2f}", result.worst), fmt::format("{:.1f}", result.median_speedup)});
  }
  for (Summary* summary : {&duel, &pairs, &files})
    if (!summary->rows.empty()) summaries.push_back(std::move(*summary));
  std::move(all_standings.begin(), all_standings.end(), std::back_inserter(summaries));
  return summaries;
}

}  // namespace slipstick::internal::report
