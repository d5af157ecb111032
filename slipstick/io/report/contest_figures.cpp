// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "slipstick/io/report/figures.hpp"
#include "slipstick/io/svg_dots.hpp"

namespace slipstick::internal::report {
namespace {

constexpr double largest_factor = 1000.0;
constexpr double smallest_range = 10.0;
constexpr std::size_t few_problems = 6;  // whose times are shown one by one

// Ours, and the solvers whose curves are highest over the first half of the picture.
SvgPlot profile_plot(const ContestGroup& group, double range, std::size_t most_curves) {
  std::vector<Profile> curves = profiles(group, range);
  const auto is_ours = [](const Profile& p) { return p.solver.starts_with(our_prefix); };
  const auto height = [&](const Profile& p) {
    double sum = 0.0;
    for (double factor = 1.0; factor * factor < range; factor *= 2.0) {
      const auto beyond = std::upper_bound(p.factor.begin(), p.factor.end(), factor);
      sum += p.share[static_cast<std::size_t>(beyond - p.factor.begin()) - 1];
    }
    return sum;
  };
  std::stable_sort(curves.begin(), curves.end(), [&](const Profile& a, const Profile& b) {
    return is_ours(a) != is_ours(b) ? is_ours(a) : height(a) > height(b);
  });
  curves.resize(std::min(curves.size(), most_curves));
  SvgPlot plot{
      .title = {}, .x_label = "time over the best time", .y_label = "share of the problems", .log_x = true};
  for (const Profile& curve : curves)
    plot.series.push_back({.label = curve.solver, .x = curve.factor, .y = curve.share, .steps = true});
  return plot;
}

// The widest ratio of two times that solve the same problem.
double range_of(const ContestGroup& group) {
  double widest = smallest_range;
  for (const Profile& profile : profiles(group, largest_factor))
    if (profile.factor.size() > 2) widest = std::max(widest, profile.factor[profile.factor.size() - 2]);
  return widest;
}

// The seconds of every method, a mark for each problem. The fastest method on the first problem comes first.
SvgDots times_plot(const ContestGroup& group) {
  std::vector<ContestRow> rows = group.rows;
  const std::string first = rows.front().problem;
  std::stable_sort(rows.begin(), rows.end(), [&](const ContestRow& a, const ContestRow& b) {
    const auto time = [&](const ContestRow& row) {
      return row.problem == first && row.solved() ? row.seconds : std::numeric_limits<double>::infinity();
    };
    return time(a) < time(b);
  });
  SvgDots dots{
      .title = fmt::format("Seconds, tolerance {:g}", group.tolerance), .x_label = "seconds", .log_x = true};
  for (const ContestRow& row : rows)
    if (row.solved()) dots.add(row.solver, row.problem, row.seconds);
  return dots;
}

}  // namespace

Figures comparison_figures(const CsvTable& table) {
  Figures figures;
  const std::vector<ContestGroup> groups = groups_of(comparison_rows(table));
  for (const ContestGroup& group : groups) {
    if (problem_count(group) > few_problems) continue;
    figures.push_back({groups.size() == 1 ? "seconds" : fmt::format("seconds-{:g}", group.tolerance),
                       "Seconds of every method that solves a problem.", times_plot(group).render()});
  }
  for (const ContestGroup& group : groups) {
    SvgPlot plot = profile_plot(group, range_of(group), 20);
    const std::size_t problems = problem_count(group);
    plot.title = fmt::format("Performance profile of {} problem{}, tolerance {:g}", problems,
                             problems == 1 ? "" : "s", group.tolerance);
    figures.push_back(
        {groups.size() == 1 ? "profile" : fmt::format("profile-{:g}", group.tolerance),
         "The share of the problems that a method solves within a multiple of the time of the "
         "fastest method (Dolan and More 2002). The best twenty methods at most; those that solve none "
         "have no curve.",
         plot.render()});
  }
  return figures;
}

Figures contest_figures(const CsvTable& table) {
  return contest_figures(contest_rows(table));
}

Figures contest_figures(const std::vector<ContestRow>& rows) {
  Figures figures;
  for (const ContestGroup& group : groups_of(rows)) {
    SvgPlot plot = profile_plot(group, largest_factor, 10);
    plot.title = fmt::format("{}, tolerance {:g}", group.problem_class, group.tolerance);
    figures.push_back({fmt::format("{}-{:g}", group.problem_class, group.tolerance),
                       "The share of the problems that a solver solves within a multiple of the best time of "
                       "all solvers (Dolan and More 2002). Ours, and the best of the others: ten at most.",
                       plot.render()});
  }
  return figures;
}

}  // namespace slipstick::internal::report
