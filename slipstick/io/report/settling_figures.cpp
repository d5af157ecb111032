// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "slipstick/io/report/figures.hpp"

namespace slipstick::internal::report {
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

void draw(SvgPlot& plot, const std::string& name, const std::vector<double>& x,
          const std::vector<double>& y) {
  const double exponent = growth_exponent(x, y);
  const std::string label =
      std::isfinite(exponent) ? fmt::format("{}: contacts^{:.2f}", name, exponent) : name;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (std::isfinite(y[k])) plot.add_point(label, x[k], y[k]);
}

}  // namespace

Figures settling_figures(const CsvTable& table) {
  SvgPlot seconds{
      .title = "Settling spheres: seconds of a step", .x_label = "step", .y_label = "seconds", .log_y = true};
  SvgPlot growth{.title = "Settling spheres: mean seconds of a step",
                 .x_label = "contacts near rest",
                 .y_label = "seconds",
                 .log_x = true,
                 .log_y = true};
  const auto spheres = table.texts("spheres"), phase = table.texts("phase");
  const auto size = table.finite_numbers("spheres"), step = table.finite_numbers("step");
  const auto contacts = table.finite_numbers("contacts");
  const auto coulomb = table.numbers("coulomb_seconds"), convex = table.numbers("convex_seconds");
  std::map<double, std::map<std::string, Sums>> sizes;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    Sums& sums = sizes[size[row]][phase[row]];
    ++sums.steps;
    sums.contacts += contacts[row];
    sums.coulomb += coulomb[row];
    sums.convex += convex[row];
    if (contacts[row] == 0.0) continue;
    // The line ends where steps are left out.
    const bool goes_on = row > 0 && size[row] == size[row - 1] && step[row] == step[row - 1] + 1.0;
    for (const auto& [law, time] : {std::pair("Coulomb", coulomb[row]), std::pair("convex", convex[row])}) {
      if (!std::isfinite(time)) continue;
      const std::string label = fmt::format("{} spheres, {}", spheres[row], law);
      if (!goes_on) seconds.add_point(label, NAN, NAN);
      seconds.add_point(label, step[row], time);
    }
  }
  // The phases are about as long as each other, also where only a window of them is known.
  std::map<std::string, Curve> curves;
  Curve whole;
  for (auto& [count, phases] : sizes) {
    const double at_rest = phases["near rest"].contacts / std::max(1, phases["near rest"].steps);
    double mean_coulomb = 0.0, mean_convex = 0.0;
    for (const auto& [name, sums] : phases) {
      curves[name].add(at_rest, sums.coulomb / sums.steps, sums.convex / sums.steps);
      mean_coulomb += sums.coulomb / sums.steps / static_cast<double>(phases.size());
      mean_convex += sums.convex / sums.steps / static_cast<double>(phases.size());
    }
    whole.add(at_rest, mean_coulomb, mean_convex);
  }
  for (const auto& [name, curve] : curves) draw(growth, "Coulomb, " + name, curve.contacts, curve.coulomb);
  draw(growth, "Coulomb, whole sequence", whole.contacts, whole.coulomb);
  draw(growth, "convex, near rest", curves["near rest"].contacts, curves["near rest"].convex);
  return {
      {"seconds", "Seconds of every step with contacts, under both laws.", seconds.render()},
      {"growth", "Mean seconds of a step over the mean contacts near rest, per phase, with fitted exponents.",
       growth.render()}};
}

}  // namespace slipstick::internal::report
