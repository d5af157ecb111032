// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "slipstick/io/report/figures.hpp"

namespace slipstick::internal::report {
namespace {

constexpr std::array<std::pair<const char*, const char*>, 8> parts_of_a_step = {
    {{"step_s", "whole step"},
     {"pairs_s", "pairs of shapes"},
     {"contacts_s", "contacts and matrix"},
     {"before_s", "before iterations"},
     {"iterate_s", "iterations"},
     {"after_s", "certificate"},
     {"projection_s", "projection"},
     {"motion_s", "motion"}}};

}  // namespace

Figures gpu_step_figures(const CsvTable& table) {
  const auto methods = table.texts("method"), collision = table.texts("collision");
  const auto contacts = table.finite_numbers("contacts"), bodies = table.finite_numbers("bodies");
  // The last step of a scene counts: it has a start, and memory that was taken before.
  std::map<std::pair<std::string, std::string>, std::map<double, std::size_t>> last;
  for (std::size_t row = 0; row < table.rows(); ++row)
    last[{methods[row], collision[row]}][bodies[row]] = row;
  Figures figures;
  for (const auto& [run, rows] : last) {
    const std::string name = run.first + ", pairs on the " + run.second,
                      file_name = run.first + "-" + run.second;
    SvgPlot plot{.title = "Seconds of a step: " + name,
                 .x_label = "contacts",
                 .y_label = "seconds",
                 .log_x = true,
                 .log_y = true};
    for (const auto& [column, part] : parts_of_a_step) {
      const auto seconds = table.numbers(column);
      std::vector<double> x, y;
      for (const auto& [size, row] : rows) {
        x.push_back(contacts[row]);
        y.push_back(seconds[row]);
      }
      const double exponent = growth_exponent(x, y);
      const std::string label =
          std::isfinite(exponent) ? fmt::format("{}: contacts^{:.2f}", part, exponent) : part;
      for (std::size_t k = 0; k < x.size(); ++k) plot.add_point(label, x[k], y[k]);
    }
    figures.push_back({file_name,
                       "Seconds of the parts of the last step of each scene over its contacts, " + name + ".",
                       plot.render()});
  }
  return figures;
}

}  // namespace slipstick::internal::report
