// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "slipstick/base/error.hpp"
#include "slipstick/io/report/figures.hpp"
#include "slipstick/io/report/table_headers.hpp"
#include "slipstick/io/report/table_kinds.hpp"

namespace slipstick::internal::bench {
namespace {

using report::ContestGroup;
using report::Duel;
using report::Score;
using report::Standing;

std::string duration(double seconds) {
  if (!std::isfinite(seconds)) return "-";
  if (seconds < 1e-3) return fmt::format("{:.2f} us", 1e6 * seconds);
  if (seconds < 1.0) return fmt::format("{:.3f} ms", 1e3 * seconds);
  return fmt::format("{:.3f} s", seconds);
}

void print_standings(std::FILE* out, const ContestGroup& group) {
  fmt::print(out, "  {:<28}{:>10}{:>10}{:>12}{:>8}\n", "solver", "problems", "solved", "within 2x", "best");
  for (const Standing& s : report::standings(group)) {
    fmt::print(out, "  {:<28}{:>10}{:>10}{:>12}{:>8}\n", s.solver, s.problems, s.solved, s.within_twice,
               s.best);
  }
}

void print_score(std::FILE* out, std::string_view what, const Score& score) {
  if (score.problems == 0) return;
  fmt::print(out,
             "  {}: at most the best peer's time on {} of {} ({:.0f} %), at worst {:.2f} times, median "
             "speed-up {:.1f}\n",
             what, score.won, score.problems, 100.0 * score.won / score.problems, score.worst,
             score.median_speedup);
}

void print_duels(std::FILE* out, const ContestGroup& group) {
  fmt::print(out, "\n  {:<52}{:>12}{:>12}{:>8}  {}\n", "problem", "ours", "best peer", "ratio", "peer");
  const std::vector<Duel> list = report::duels(group);
  for (const Duel& d : list) {
    const bool both = std::isfinite(d.ours) && std::isfinite(d.peer);
    fmt::print(out, "  {:<52}{:>12}{:>12}{:>8}  {}\n", d.problem, duration(d.ours), duration(d.peer),
               both ? fmt::format("{:.2f}", d.ratio()) : "-", d.peer_solver.empty() ? "none" : d.peer_solver);
  }
  fmt::print(out, "\n");
  print_score(out, "ours", report::score(list));
  print_score(out, "ours, above 10 contacts", report::score(list, 10));
  for (const report::Pairing& p : report::pairings(group))
    fmt::print(
        out, "  {} beside {}: {} problems that both solve, at most its time on {}, median speed-up {:.2f}\n",
        p.ours, p.peer, p.problems, p.won, p.median_speedup);
  for (const report::Optima& o : report::optima(group))
    fmt::print(out, "  {}: {} of {} files within 1e-6 of the published optimum\n", o.solver, o.within,
               o.files);
}

// Answers that one of the two measures accepts and the other does not.
struct Disagreement {
  int answers = 0;
  double published = 0.0;  // errors of the answer for which they differ most
  double natural_map = 0.0;
  std::string solver = {};

  void add(const ContestRow& row) {
    ++answers;
    const auto distance = [](double a, double b) { return std::abs(std::log(a) - std::log(b)); };
    if (!solver.empty() && distance(row.published, row.natural_map) <= distance(published, natural_map))
      return;
    published = row.published;
    natural_map = row.natural_map;
    solver = row.solver;
  }
};

void print_disagreements(std::FILE* out, const std::vector<ContestRow>& rows) {
  std::map<std::pair<std::string, double>, Disagreement> published_only;
  std::map<std::pair<std::string, double>, Disagreement> natural_only;
  for (const ContestRow& row : rows) {
    const bool published = row.published <= row.tolerance;
    const bool natural = row.natural_map <= row.tolerance;
    if (published == natural || std::isnan(row.natural_map)) continue;
    (published ? published_only : natural_only)[{row.problem, row.tolerance}].add(row);
  }
  const auto print = [&](const char* title, const auto& list) {
    if (list.empty()) return;
    fmt::print(out, "{}\n  {:<52}{:>10}{:>9}{:>11}{:>13}  {}\n", title, "problem", "tolerance", "answers",
               "published", "natural map", "of the one that differs most");
    for (const auto& [key, d] : list) {
      fmt::print(out, "  {:<52}{:>10g}{:>9}{:>11.1e}{:>13.1e}  {}\n", key.first, key.second, d.answers,
                 d.published, d.natural_map, d.solver);
    }
  };
  print("Accepted by the published error, not by the scaled natural map", published_only);
  print("Accepted by the scaled natural map, not by the published error", natural_only);
}

// Answers that a solver calls solved and the measure refutes, and problems that none of ours solves.
void print_defects(std::FILE* out, const std::vector<ContestRow>& rows) {
  const auto print = [&](const ContestRow& row) {
    fmt::print(out, "  {:<52}{:>10g}  {:<20}{:<12}{:>11.1e}{:>13.1e}\n", row.problem, row.tolerance,
               row.solver, row.status, row.published, row.natural_map);
  };
  fmt::print(out, "Called solved, but refuted by the measure\n");
  for (const ContestRow& row : rows) {
    if (row.status == "refuted") print(row);
  }
  fmt::print(out, "Not solved by ours\n");
  for (const ContestRow& row : rows) {
    if (row.ours && !row.solved()) print(row);
  }
}

}  // namespace

void print_row(std::FILE* csv, const ContestRow& row) {
  fmt::print(csv, "{},{},{},{},{},{:g},{},{:.4e},{:.3e},{:.3e}\n", row.problem_class, row.problem,
             row.contacts, row.unknowns, row.solver, row.tolerance, row.status, row.seconds, row.published,
             row.natural_map);
  std::fflush(csv);
}

std::vector<ContestRow> read_contest(const std::filesystem::path& csv) {
  const CsvTable table = CsvTable::read(csv);
  if (report::kind_of(table).header != report::contest_header)
    fail("{}: expected the columns {}", csv.string(), report::contest_header);
  return report::contest_rows(table);
}

void print_summary(std::FILE* out, const std::vector<ContestRow>& rows) {
  for (const ContestGroup& group : report::groups_of(rows)) {
    fmt::print(out, "{}, tolerance {:g}\n", group.problem_class, group.tolerance);
    print_standings(out, group);
    print_duels(out, group);
    fmt::print(out, "\n");
  }
  print_disagreements(out, rows);
  print_defects(out, rows);
}

void plot_profiles(const std::vector<ContestRow>& rows, const std::string& stem,
                   const std::filesystem::path& folder) {
  report::write_figures(report::contest_figures(rows), stem, folder);
}

}  // namespace slipstick::internal::bench
