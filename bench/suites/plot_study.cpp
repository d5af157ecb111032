// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "bench/suites/study.hpp"
#include "slipstick/base/error.hpp"

namespace slipstick::internal::bench {
namespace {

SvgPlot::Series seconds_of(const std::vector<StudyRow>& rows, const std::string& solver) {
  SvgPlot::Series series{.label = solver};
  for (const StudyRow& row : rows_of(rows, solver)) {
    series.x.push_back(row.resolution);
    series.y.push_back(row.seconds / static_cast<double>(row.finished));
  }
  return series;
}

SvgPlot::Series iterations_of(const std::vector<StudyRow>& rows, const std::string& solver) {
  const std::vector<StudyRow> mine = rows_of(rows, solver);
  SvgPlot::Series series{.label = solver};
  const double growth = iteration_growth(mine);
  if (std::isfinite(growth)) series.label = fmt::format("{} (n^{:.2f})", solver, growth);
  for (const StudyRow& row : mine) {
    series.x.push_back(static_cast<double>(row.unknowns));
    series.y.push_back(static_cast<double>(row.iterations) / static_cast<double>(row.finished));
  }
  return series;
}

}  // namespace

void add_point(SvgPlot& plot, const std::string& label, double x, double y) {
  const auto has_label = [&](const SvgPlot::Series& series) { return series.label == label; };
  auto found = std::find_if(plot.series.begin(), plot.series.end(), has_label);
  if (found == plot.series.end()) found = plot.series.insert(found, SvgPlot::Series{.label = label});
  found->x.push_back(x);
  found->y.push_back(y);
}

void write_plot(const SvgPlot& plot, const std::filesystem::path& path) {
  std::ofstream out(path);
  out << plot.render();
  if (!out.flush()) fail("cannot write {}", path.string());
}

void plot_study(const std::filesystem::path& csv, const std::filesystem::path& folder) {
  const std::vector<StudyRow> rows = read_rows(csv);
  if (rows.empty()) fail("{} has no rows to draw", csv.string());
  const int dimension = rows.front().dimension;
  SvgPlot seconds{.title = fmt::format("Pressure problems in {} dimensions: time", dimension),
                  .x_label = "cells along an edge",
                  .y_label = "seconds per problem",
                  .log_x = true,
                  .log_y = true};
  SvgPlot iterations{.title = fmt::format("Pressure problems in {} dimensions: iterations", dimension),
                     .x_label = "unknowns n",
                     .y_label = "iterations per problem",
                     .log_x = true,
                     .log_y = true};
  for (const std::string& solver : solvers_in(rows)) {
    if (rows_of(rows, solver).empty()) continue;
    seconds.series.push_back(seconds_of(rows, solver));
    iterations.series.push_back(iterations_of(rows, solver));
  }
  std::filesystem::create_directories(folder);
  const std::string stem = csv.stem().string();
  write_plot(seconds, folder / (stem + "-seconds.svg"));
  write_plot(iterations, folder / (stem + "-iterations.svg"));
}

}  // namespace slipstick::internal::bench
