// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/suites/study.hpp"

namespace slipstick::internal::bench {
namespace {

// The points of one method on one system, in columns.
struct Points {
  std::string solver;
  std::vector<double> iteration, seconds, objective, residual, active;
};

// The tests' systems by a name for files, each with its methods in the order of the table.
std::map<std::string, std::vector<Points>> read_courses(const std::filesystem::path& csv) {
  std::map<std::string, std::vector<Points>> systems;
  for (const std::vector<std::string>& cells : read_cells(csv, cone_study_header)) {
    const std::string plate = cells[3] == "0" ? "" : "-" + cells[3] + "kg";
    std::vector<Points>& methods = systems[fmt::format("test{}-{}{}", cells[0], cells[1], plate)];
    if (methods.empty() || methods.back().solver != cells[4]) methods.emplace_back().solver = cells[4];
    Points& points = methods.back();
    points.iteration.push_back(std::stod(cells[5]));
    points.seconds.push_back(std::stod(cells[6]));
    points.objective.push_back(std::stod(cells[7]));
    points.residual.push_back(std::stod(cells[8]));
    points.active.push_back(std::stod(cells[10]));
  }
  return systems;
}

}  // namespace

void plot_cone_study(const std::filesystem::path& csv, const std::filesystem::path& folder) {
  for (const auto& [system, methods] : read_courses(csv)) {
    double least = methods.front().objective.front();
    for (const Points& points : methods)
      least = std::min(least, *std::min_element(points.objective.begin(), points.objective.end()));
    SvgPlot residual{.title = system + ": residual of eq. 24",
                     .x_label = "seconds",
                     .y_label = "residual",
                     .log_x = true,
                     .log_y = true};
    SvgPlot objective{.title = system + ": objective above the least one found",
                      .x_label = "iterations",
                      .y_label = "q(x) - min q",
                      .log_x = true,
                      .log_y = true};
    SvgPlot active{.title = system + ": contacts on the boundary of their cones",
                   .x_label = "iterations",
                   .y_label = "contacts",
                   .log_x = true,
                   .log_y = false};
    for (const Points& points : methods) {
      residual.series.push_back({.label = points.solver, .x = points.seconds, .y = points.residual});
      SvgPlot::Series above{.label = points.solver, .x = points.iteration, .y = points.objective};
      for (double& value : above.y) value -= least;
      objective.series.push_back(above);
      active.series.push_back({.label = points.solver, .x = points.iteration, .y = points.active});
    }
    std::filesystem::create_directories(folder);
    const std::string stem = csv.stem().string() + "-" + system;
    write_plot(residual, folder / (stem + "-residual.svg"));
    write_plot(objective, folder / (stem + "-objective.svg"));
    write_plot(active, folder / (stem + "-active.svg"));
  }
}

}  // namespace slipstick::internal::bench
