// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>

#include "slipstick/io/report/figures.hpp"

namespace slipstick::internal::report {
namespace {

SvgPlot bucket_chart(const std::string& tolerance, const std::string& quantity) {
  return {.title = fmt::format("Spheres in a bucket, to {}: {}", tolerance, quantity),
          .x_label = "contacts",
          .y_label = quantity,
          .log_x = true,
          .log_y = true};
}

}  // namespace

Figures melanz_figures(const CsvTable& table) {
  const auto tolerance = table.texts("tolerance"), method = table.texts("method"),
             status = table.texts("status");
  const auto contacts = table.numbers("contacts"), seconds = table.numbers("seconds");
  const auto iterations = table.numbers("iterations");
  std::map<std::string, std::pair<SvgPlot, SvgPlot>> charts;  // seconds and iterations, by tolerance
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (status[row] != "solved") continue;
    const auto [place, is_new] = charts.try_emplace(tolerance[row]);
    auto& [time, work] = place->second;
    if (is_new) {
      time = bucket_chart(tolerance[row], "seconds");
      work = bucket_chart(tolerance[row], "iterations");
    }
    time.add_point(method[row], contacts[row], seconds[row]);
    work.add_point(method[row], contacts[row], iterations[row]);
  }
  Figures figures;
  for (const auto& [of, plots] : charts) {
    figures.push_back(
        {of + "-seconds", "Seconds over contacts, of the rows that are solved.", plots.first.render()});
    figures.push_back({of + "-iterations", "Iterations over contacts, of the rows that are solved.",
                       plots.second.render()});
  }
  return figures;
}

}  // namespace slipstick::internal::report
