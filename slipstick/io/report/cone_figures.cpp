// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "slipstick/io/report/figures.hpp"
#include "slipstick/io/svg_dots.hpp"

namespace slipstick::internal::report {
namespace {

// The points of one method on one system, in columns.
struct Points {
  std::string solver;
  std::vector<double> iteration, seconds, objective, residual, active;
};

// The tests' systems by a name for files, each with its methods in the order of the table.
std::map<std::string, std::vector<Points>> courses_of(const CsvTable& table) {
  const auto test = table.texts("test"), bodies = table.texts("bodies"), plate = table.texts("plate_kg");
  const auto solver = table.texts("solver");
  const auto iteration = table.numbers("iteration"), seconds = table.numbers("seconds");
  const auto objective = table.numbers("objective"), residual = table.numbers("residual");
  const auto active = table.numbers("active");
  std::map<std::string, std::vector<Points>> systems;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string load = plate[row] == "0" ? "" : "-" + plate[row] + "kg";
    std::vector<Points>& methods = systems[fmt::format("test{}-{}{}", test[row], bodies[row], load)];
    if (methods.empty() || methods.back().solver != solver[row]) methods.emplace_back().solver = solver[row];
    Points& points = methods.back();
    points.iteration.push_back(iteration[row]);
    points.seconds.push_back(seconds[row]);
    points.objective.push_back(objective[row]);
    points.residual.push_back(residual[row]);
    points.active.push_back(active[row]);
  }
  return systems;
}

}  // namespace

Figures cone_figures(const CsvTable& table) {
  Figures figures;
  for (const auto& [system, methods] : courses_of(table)) {
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
    figures.push_back({system + "-residual", "Residual of eq. 24 over seconds.", residual.render()});
    figures.push_back({system + "-objective",
                       "Objective over iterations, less the least objective in the table of this system.",
                       objective.render()});
    figures.push_back({system + "-active", "Contacts on the boundary of their cones.", active.render()});
  }
  return figures;
}

Figures heyn_figures(const CsvTable& table) {
  const auto solver = table.texts("solver"), reached = table.texts("reached");
  const auto seconds = table.numbers("seconds");
  SvgDots dots{.title = "Time to Jacobi's objective", .x_label = "seconds", .log_x = true};
  for (std::size_t row = 0; row < table.rows(); ++row)
    dots.add(solver[row], reached[row] == "yes" ? "reached" : "not reached", seconds[row]);
  return {{"seconds", "Seconds until the objective of Jacobi's method is reached.", dots.render()}};
}

}  // namespace slipstick::internal::report
