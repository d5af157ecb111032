// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "bench/suites/study.hpp"

namespace slipstick::internal::bench {
namespace {

// Sums over the steps of a phase, for one size.
struct Sums {
  int steps = 0;
  double contacts = 0.0, coulomb = 0.0, convex = 0.0;
};

// Means over sizes, or over phases of the same length.
struct Curve {
  std::vector<double> contacts, coulomb, convex;
  // NaN is not known.
  void add(double own_contacts, double own_coulomb, double own_convex) {
    contacts.push_back(own_contacts);
    coulomb.push_back(own_coulomb);
    convex.push_back(own_convex);
  }
};

// The slope of the line of least squares through the logarithms.
double exponent(const std::vector<double>& x, const std::vector<double>& y) {
  const auto count = static_cast<double>(x.size());
  double sum_x = 0.0, sum_y = 0.0, xx = 0.0, xy = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double log_x = std::log(x[k]), log_y = std::log(y[k]);
    sum_x += log_x;
    sum_y += log_y;
    xx += log_x * log_x;
    xy += log_x * log_y;
  }
  return (xy - sum_x * sum_y / count) / (xx - sum_x * sum_x / count);
}

void draw(SvgPlot& plot, const std::string& name, std::vector<double> x, std::vector<double> y) {
  std::size_t known = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (!std::isfinite(y[k])) continue;
    x[known] = x[k];
    y[known++] = y[k];
  }
  x.resize(known);
  y.resize(known);
  const std::string label = x.size() > 1 ? fmt::format("{}: contacts^{:.2f}", name, exponent(x, y)) : name;
  for (std::size_t k = 0; k < x.size(); ++k) add_point(plot, label, x[k], y[k]);
}

}  // namespace

void plot_settling_study(const std::filesystem::path& csv, const std::filesystem::path& folder) {
  SvgPlot seconds{
      .title = "Settling spheres: seconds of a step", .x_label = "step", .y_label = "seconds", .log_y = true};
  SvgPlot growth{.title = "Settling spheres: mean seconds of a step",
                 .x_label = "contacts near rest",
                 .y_label = "seconds",
                 .log_x = true,
                 .log_y = true};
  std::map<int, std::map<std::string, Sums>> sizes;
  for (const auto& cells : read_cells(csv, settling_study_header)) {
    const int size = std::stoi(cells[0]), step = std::stoi(cells[1]);
    const double contacts = std::stod(cells[3]), coulomb = std::stod(cells[9]), convex = std::stod(cells[17]);
    Sums& sums = sizes[size][cells[2]];
    ++sums.steps;
    sums.contacts += contacts;
    sums.coulomb += coulomb;
    sums.convex += convex;
    if (contacts == 0.0) continue;
    add_point(seconds, cells[0] + " spheres, Coulomb", step, coulomb);
    add_point(seconds, cells[0] + " spheres, convex", step, convex);
  }
  // The phases are about as long as each other, also where only a window of them is known.
  std::map<std::string, Curve> curves;
  Curve whole;
  for (auto& [size, phases] : sizes) {
    const double contacts = phases["near rest"].contacts / std::max(1, phases["near rest"].steps);
    double coulomb = 0.0, convex = 0.0;
    for (const auto& [name, sums] : phases) {
      curves[name].add(contacts, sums.coulomb / sums.steps, sums.convex / sums.steps);
      coulomb += sums.coulomb / sums.steps / static_cast<double>(phases.size());
      convex += sums.convex / sums.steps / static_cast<double>(phases.size());
    }
    whole.add(contacts, coulomb, convex);
  }
  for (const auto& [name, curve] : curves) draw(growth, "Coulomb, " + name, curve.contacts, curve.coulomb);
  draw(growth, "Coulomb, whole sequence", whole.contacts, whole.coulomb);
  draw(growth, "convex, near rest", curves["near rest"].contacts, curves["near rest"].convex);
  std::filesystem::create_directories(folder);
  const std::string stem = csv.stem().string();
  write_plot(seconds, folder / (stem + "-seconds.svg"));
  write_plot(growth, folder / (stem + "-growth.svg"));
}

}  // namespace slipstick::internal::bench
