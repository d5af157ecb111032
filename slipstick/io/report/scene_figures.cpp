// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "slipstick/io/report/figures.hpp"
#include "slipstick/io/svg_dots.hpp"

namespace slipstick::internal::report {
namespace {

// Charts with a line for each of more rows are too tall to be read.
constexpr std::size_t most_lines = 400;

bool differs(const std::vector<std::string>& texts) {
  return std::set<std::string>(texts.begin(), texts.end()).size() > 1;
}

// The first column of every row, and of the others those that are not the same in all rows.
std::vector<std::string> group_names(const CsvTable& table, const std::vector<std::string_view>& columns) {
  std::vector<std::string> names = table.texts(columns.front());
  for (std::size_t k = 1; k < columns.size(); ++k) {
    const std::vector<std::string> texts = table.texts(columns[k]);
    if (!differs(texts)) continue;
    const std::string unit = columns[k] == "bodies" ? " bodies" : "";
    for (std::size_t row = 0; row < table.rows(); ++row) names[row] += ", " + texts[row] + unit;
  }
  return names;
}

// The same, and equal names are numbered.
std::vector<std::string> row_names(const CsvTable& table, const std::vector<std::string_view>& columns) {
  std::vector<std::string> names = group_names(table, columns);
  std::map<std::string, int> uses;
  for (std::string& name : names)
    if (const int use = ++uses[name]; use > 1) name += fmt::format(" ({})", use);
  return names;
}

// A mark per row for each of the columns.
Figure columns_figure(const CsvTable& table, const std::vector<std::string>& names, std::string name,
                      std::string caption, SvgDots dots,
                      const std::vector<std::pair<std::string_view, std::string>>& columns) {
  for (const auto& [column, label] : columns) {
    const std::vector<double> values = table.numbers(column);
    for (std::size_t row = 0; row < table.rows(); ++row) dots.add(names[row], label, values[row]);
  }
  return {std::move(name), std::move(caption), dots.render()};
}

Figure errors_figure(const CsvTable& table, const std::vector<std::string>& names, std::string title) {
  SvgDots dots{.title = std::move(title), .x_label = "error over tolerance", .log_x = true};
  const auto error = table.numbers("worst_error"), tolerance = table.numbers("tolerance");
  for (std::size_t row = 0; row < table.rows(); ++row)
    dots.add(names[row], "worst error", error[row] / tolerance[row]);
  return {
      "errors",
      "The largest certified error of a step over the tolerance: 1 is just certified. Zeros have no mark.",
      dots.render()};
}

}  // namespace

Figures scene_figures(const CsvTable& table) {
  if (table.rows() > most_lines) return {};
  const std::vector<std::string> names = row_names(table, {"scene", "law", "solver", "tolerance"});
  const std::string law =
      differs(table.texts("law")) ? "" : fmt::format(" under the law {}", table.texts("law").front());
  return {
      columns_figure(
          table, names, "milliseconds",
          "Milliseconds of a step: the median, the time that nine of ten keep, the largest.",
          {.title = "Scenes" + law + ": milliseconds of a step", .x_label = "milliseconds", .log_x = true},
          {{"median_ms", "median"}, {"slow_ms", "nine of ten"}, {"max_ms", "largest"}}),
      errors_figure(table, names, "Scenes" + law + ": errors"),
      columns_figure(
          table, names, "penetration",
          "The largest penetration, of the smallest extent of the smaller body. Zeros have no mark.",
          {.title = "Scenes" + law + ": penetration", .x_label = "share", .log_x = true},
          {{"penetration_share", "penetration"}})};
}

Figures scene_methods_figures(const CsvTable& table) {
  if (table.rows() > most_lines) return {};
  const std::vector<std::string> names = group_names(table, {"scene", "law", "tolerance"});
  const auto solver = table.texts("solver");
  const auto problems = table.numbers("problems"), solved = table.numbers("solved");
  const auto median = table.numbers("median_ms");
  SvgDots time{.title = "Methods on the same steps: median time", .x_label = "milliseconds", .log_x = true};
  SvgDots share{.title = "Methods on the same steps: share solved", .x_label = "share of the problems"};
  for (std::size_t row = 0; row < table.rows(); ++row) {
    share.add(names[row], solver[row], problems[row] > 0.0 ? solved[row] / problems[row] : NAN);
    time.add(names[row], solver[row], solved[row] == problems[row] ? median[row] : NAN);
  }
  return {{"milliseconds", "Median milliseconds of the methods that solve all problems of a scene.",
           time.render()},
          {"solved", "The share of the problems of a scene that a method solves.", share.render()}};
}

Figures stand_figures(const CsvTable& table) {
  if (table.rows() > most_lines) return {};
  const std::vector<std::string> names = row_names(table, {"case"});
  return {
      columns_figure(
          table, names, "milliseconds", "Milliseconds of a step.",
          {.title = "Scenes that stand: milliseconds of a step", .x_label = "milliseconds", .log_x = true},
          {{"median_ms", "median"}, {"max_ms", "largest"}}),
      columns_figure(table, names, "motion",
                     "The largest way of a body since the start, its level part, and the way since second "
                     "1. Zeros have no mark.",
                     {.title = "Scenes that stand: motion", .x_label = "m", .log_x = true},
                     {{"moved", "moved"}, {"sideways", "sideways"}, {"crept", "crept"}})};
}

Figures step_figures(const CsvTable& table) {
  if (table.rows() > most_lines) return {};
  const std::vector<std::string> names = row_names(table, {"comparison", "bodies"});
  return {columns_figure(table, names, "ratio", "The time of the second over the time of the first.",
                         {.title = "Steps of bodies: ratio of times", .x_label = "ratio", .log_x = true},
                         {{"ratio", "second / first"}})};
}

Figures sequence_figures(const CsvTable& table) {
  if (table.rows() > most_lines) return {};
  const std::vector<std::string> names = group_names(table, {"family", "size"});
  const auto method = table.texts("method"), start = table.texts("start");
  const auto seconds = table.numbers("seconds");
  SvgDots dots{.title = "Slowly changing problems: seconds", .x_label = "seconds", .log_x = true};
  for (std::size_t row = 0; row < table.rows(); ++row)
    dots.add(names[row], method[row] + ", " + start[row], seconds[row]);
  return {{"seconds", "Seconds of a whole sequence.", dots.render()}};
}

}  // namespace slipstick::internal::report
