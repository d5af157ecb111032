// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/suites/study.hpp"

namespace slipstick::internal::bench {
namespace {

SvgPlot::Series& series_of(SvgPlot& plot, const std::string& label) {
  const auto has_label = [&](const SvgPlot::Series& series) { return series.label == label; };
  const auto found = std::find_if(plot.series.begin(), plot.series.end(), has_label);
  return found != plot.series.end()
             ? *found
             : plot.series.emplace_back(SvgPlot::Series{.label = label, .x = {}, .y = {}});
}

SvgPlot chart(const std::string& tolerance, const std::string& quantity) {
  return {.title = fmt::format("Spheres in a bucket, to {}: {}", tolerance, quantity),
          .x_label = "contacts",
          .y_label = quantity,
          .log_x = true,
          .log_y = true,
          .series = {}};
}

}  // namespace

void plot_melanz_study(const std::filesystem::path& csv, const std::filesystem::path& folder) {
  std::map<std::string, std::pair<SvgPlot, SvgPlot>> charts;  // seconds and iterations, by tolerance
  for (const std::vector<std::string>& cells : read_cells(csv, melanz_study_header)) {
    if (cells[4] != "solved") continue;
    const auto [place, is_new] = charts.try_emplace(cells[2]);
    auto& [seconds, iterations] = place->second;
    if (is_new) {
      seconds = chart(cells[2], "seconds");
      iterations = chart(cells[2], "iterations");
    }
    const double contacts = std::stod(cells[1]);
    const auto add = [&](SvgPlot& plot, const std::string& value) {
      SvgPlot::Series& series = series_of(plot, cells[3]);
      series.x.push_back(contacts);
      series.y.push_back(std::stod(value));
    };
    add(seconds, cells[6]);
    add(iterations, cells[7]);
  }
  std::filesystem::create_directories(folder);
  for (const auto& [tolerance, plots] : charts) {
    const std::string stem = csv.stem().string() + "-" + tolerance;
    write_plot(plots.first, folder / (stem + "-seconds.svg"));
    write_plot(plots.second, folder / (stem + "-iterations.svg"));
  }
}

}  // namespace slipstick::internal::bench
