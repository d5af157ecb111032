// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>

#include "bench/suites/study.hpp"

namespace slipstick::internal::bench {
namespace {

SvgPlot chart(const std::string& tolerance, const std::string& quantity) {
  return {.title = fmt::format("Spheres in a bucket, to {}: {}", tolerance, quantity),
          .x_label = "contacts",
          .y_label = quantity,
          .log_x = true,
          .log_y = true};
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
    add_point(seconds, cells[3], contacts, std::stod(cells[6]));
    add_point(iterations, cells[3], contacts, std::stod(cells[7]));
  }
  std::filesystem::create_directories(folder);
  for (const auto& [tolerance, plots] : charts) {
    const std::string stem = csv.stem().string() + "-" + tolerance;
    write_plot(plots.first, folder / (stem + "-seconds.svg"));
    write_plot(plots.second, folder / (stem + "-iterations.svg"));
  }
}

}  // namespace slipstick::internal::bench
