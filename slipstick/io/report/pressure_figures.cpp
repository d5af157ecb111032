// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "slipstick/io/report/figures.hpp"

namespace slipstick::internal::report {
namespace {

SvgPlot pressure_chart(const std::string& dimension, const std::string& quantity, const std::string& x_label,
                       const std::string& y_label) {
  return {.title = fmt::format("Pressure problems in {} dimensions: {}", dimension, quantity),
          .x_label = x_label,
          .y_label = y_label,
          .log_x = true,
          .log_y = true};
}

// The iterations' growth is part of the label.
void add_growth(SvgPlot::Series& series) {
  const double growth = growth_exponent(series.x, series.y);
  if (std::isfinite(growth)) series.label = fmt::format("{} (n^{:.2f})", series.label, growth);
}

}  // namespace

Figures pressure_figures(const CsvTable& table) {
  const auto solver = table.texts("solver"), dimension = table.texts("dimension");
  const auto resolution = table.numbers("resolution"), unknowns = table.numbers("unknowns");
  const auto finished = table.numbers("finished"), solved = table.numbers("solved");
  const auto seconds = table.numbers("seconds"), iterations = table.numbers("iterations");
  SvgPlot time = pressure_chart(dimension.front(), "time", "cells along an edge", "seconds per problem");
  SvgPlot work = pressure_chart(dimension.front(), "iterations", "unknowns n", "iterations per problem");
  std::vector<std::size_t> order(table.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return unknowns[a] < unknowns[b]; });
  // The methods in the order of their first rows.
  for (const std::string& name : solver) {
    const auto is_drawn = [&](const SvgPlot::Series& series) { return series.label == name; };
    if (std::any_of(time.series.begin(), time.series.end(), is_drawn)) continue;
    for (const std::size_t row : order) {
      if (solver[row] != name || !(finished[row] > 0.0) || solved[row] != finished[row]) continue;
      time.add_point(name, resolution[row], seconds[row] / finished[row]);
      work.add_point(name, unknowns[row], iterations[row] / finished[row]);
    }
  }
  for (SvgPlot::Series& series : work.series) add_growth(series);
  const std::string of = "Only rows in which every finished problem is solved.";
  return {{"seconds", "Seconds per problem over the cells along an edge. " + of, time.render()},
          {"iterations", "Iterations per problem over the unknowns, with the exponent of their growth. " + of,
           work.render()}};
}

}  // namespace slipstick::internal::report
