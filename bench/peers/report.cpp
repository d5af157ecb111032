// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <string_view>

#include "slipstick/base/error.hpp"
#include "slipstick/io/svg_plot.hpp"

namespace slipstick::internal::bench {
namespace {

constexpr double largest_factor = 1000.0;
constexpr std::size_t most_curves = 10;

std::string duration(double seconds) {
  if (!std::isfinite(seconds)) return "-";
  if (seconds < 1e-3) return fmt::format("{:.2f} us", 1e6 * seconds);
  if (seconds < 1.0) return fmt::format("{:.3f} ms", 1e3 * seconds);
  return fmt::format("{:.3f} s", seconds);
}

double number(const std::string& cell, const std::filesystem::path& file, int line) {
  std::size_t end = 0;
  double value = 0.0;
  try {
    value = std::stod(cell, &end);
  } catch (const std::exception&) {
    end = 0;
  }
  if (cell.empty() || end != cell.size())
    fail("{}, line {}: '{}' is not a number", file.string(), line, cell);
  return value;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == ',') {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

void print_standings(std::FILE* out, const ContestGroup& group) {
  fmt::print(out, "  {:<28}{:>10}{:>10}{:>12}{:>8}\n", "solver", "problems", "solved", "within 2x", "best");
  for (const Standing& s : standings(group)) {
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
  const std::vector<Duel> list = duels(group);
  for (const Duel& d : list) {
    const bool both = std::isfinite(d.ours) && std::isfinite(d.peer);
    fmt::print(out, "  {:<52}{:>12}{:>12}{:>8}  {}\n", d.problem, duration(d.ours), duration(d.peer),
               both ? fmt::format("{:.2f}", d.ratio()) : "-", d.peer_solver.empty() ? "none" : d.peer_solver);
  }
  fmt::print(out, "\n");
  print_score(out, "ours", score(list));
  print_score(out, "ours, above 10 contacts", score(list, 10));
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

}  // namespace

void print_row(std::FILE* csv, const ContestRow& row) {
  fmt::print(csv, "{},{},{},{},{},{:g},{},{:.4e},{:.3e},{:.3e}\n", row.problem_class, row.problem,
             row.contacts, row.unknowns, row.solver, row.tolerance, row.status, row.seconds, row.published,
             row.natural_map);
  std::fflush(csv);
}

std::vector<ContestRow> read_contest(const std::filesystem::path& csv) {
  std::ifstream file(csv);
  if (!file) fail("{} cannot be read", csv.string());
  std::vector<ContestRow> rows;
  std::string line;
  bool header = false;
  for (int number_of_line = 1; std::getline(file, line); ++number_of_line) {
    if (line.empty() || line.front() == '#') continue;
    if (!header) {
      if (line != contest_header)
        fail("{}, line {}: the header should be '{}'", csv.string(), number_of_line, contest_header);
      header = true;
      continue;
    }
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != 10)
      fail("{}, line {}: {} cells, expected 10", csv.string(), number_of_line, cells.size());
    const auto real = [&](int k) { return number(cells[k], csv, number_of_line); };
    ContestRow row;
    row.problem_class = cells[0];
    row.problem = cells[1];
    row.contacts = static_cast<long>(real(2));
    row.unknowns = static_cast<long>(real(3));
    row.solver = cells[4];
    row.ours = cells[4].starts_with("slipstick:");
    row.tolerance = real(5);
    row.status = cells[6];
    row.seconds = real(7);
    row.published = real(8);
    row.natural_map = real(9);
    rows.push_back(row);
  }
  if (!header) fail("{} is empty, expected the header '{}'", csv.string(), contest_header);
  return rows;
}

void print_summary(std::FILE* out, const std::vector<ContestRow>& rows) {
  for (const ContestGroup& group : groups_of(rows)) {
    fmt::print(out, "{}, tolerance {:g}\n", group.problem_class, group.tolerance);
    print_standings(out, group);
    print_duels(out, group);
    fmt::print(out, "\n");
  }
  print_disagreements(out, rows);
}

void plot_profiles(const std::vector<ContestRow>& rows, const std::string& stem,
                   const std::filesystem::path& folder) {
  for (const ContestGroup& group : groups_of(rows)) {
    std::vector<Profile> curves = profiles(group, largest_factor);
    // Ours, and the peers whose curves are highest over the first half of the picture.
    const auto is_ours = [](const Profile& p) { return p.solver.starts_with("slipstick:"); };
    const auto height = [](const Profile& p) {
      double sum = 0.0;
      for (double factor = 1.0; factor * factor < largest_factor; factor *= 2.0) {
        const auto beyond = std::upper_bound(p.factor.begin(), p.factor.end(), factor);
        sum += p.share[beyond - p.factor.begin() - 1];
      }
      return sum;
    };
    std::stable_sort(curves.begin(), curves.end(), [&](const Profile& a, const Profile& b) {
      return is_ours(a) != is_ours(b) ? is_ours(a) : height(a) > height(b);
    });
    curves.resize(std::min(curves.size(), most_curves));
    SvgPlot plot;
    plot.title = fmt::format("{}, tolerance {:g}", group.problem_class, group.tolerance);
    plot.x_label = "time over the best time";
    plot.y_label = "share of the problems";
    plot.log_x = true;
    for (const Profile& curve : curves)
      plot.series.push_back({curve.solver, curve.factor, curve.share, true});
    const auto path = folder / fmt::format("{}-{}-{:g}.svg", stem, group.problem_class, group.tolerance);
    std::ofstream file(path);
    file << plot.render();
    if (!file) fail("{} cannot be written", path.string());
  }
}

}  // namespace slipstick::internal::bench
