// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "slipstick/io/report/figures.hpp"

namespace slipstick::internal::report {
namespace {

// More attempts than these share one curve.
constexpr std::size_t most_attempts = 6;

// The course of an attempt: iterations are counted through all attempts.
struct Attempt {
  std::vector<double> iteration, seconds, error;
};

std::vector<Attempt> attempts_of(const CsvTable& table) {
  const auto iteration = table.finite_numbers("iteration"), seconds = table.finite_numbers("seconds");
  const auto error = table.numbers("error");
  std::vector<Attempt> attempts;
  double before = 0.0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (row > 0 && iteration[row] <= iteration[row - 1]) before += iteration[row - 1];
    if (row == 0 || iteration[row] <= iteration[row - 1]) attempts.emplace_back();
    attempts.back().iteration.push_back(before + iteration[row]);
    attempts.back().seconds.push_back(seconds[row]);
    attempts.back().error.push_back(error[row]);
  }
  return attempts;
}

// One curve, interrupted between the attempts.
SvgPlot::Series joined(std::string label, const std::vector<Attempt>& attempts,
                       std::vector<double> Attempt::*x) {
  SvgPlot::Series all{.label = std::move(label)};
  for (const Attempt& attempt : attempts) {
    all.x.insert(all.x.end(), (attempt.*x).begin(), (attempt.*x).end());
    all.y.insert(all.y.end(), attempt.error.begin(), attempt.error.end());
    all.x.push_back(NAN);
    all.y.push_back(NAN);
  }
  return all;
}

void add_curves(SvgPlot& plot, const std::vector<Attempt>& attempts, std::vector<double> Attempt::*x) {
  if (attempts.size() <= most_attempts) {
    for (std::size_t k = 0; k < attempts.size(); ++k)
      plot.series.push_back({.label = attempts.size() == 1 ? "error" : fmt::format("attempt {}", k + 1),
                             .x = attempts[k].*x,
                             .y = attempts[k].error});
    return;
  }
  plot.series.push_back(joined(fmt::format("error of {} attempts", attempts.size()), attempts, x));
}

}  // namespace

SvgPlot convergence_plot(const CsvTable& table, std::optional<double> tolerance) {
  SvgPlot plot{.title = "Convergence", .x_label = "iteration", .y_label = "error", .log_y = true};
  const std::vector<Attempt> attempts = attempts_of(table);
  add_curves(plot, attempts, &Attempt::iteration);
  if (tolerance) {
    const double last = attempts.empty() ? 1.0 : std::max(1.0, attempts.back().iteration.back());
    plot.series.push_back({.label = fmt::format("tolerance {:g}", *tolerance),
                           .x = {0.0, last},
                           .y = {*tolerance, *tolerance}});
  }
  return plot;
}

SvgPlot histories_plot(const std::vector<std::pair<std::string, const CsvTable*>>& histories) {
  SvgPlot plot{
      .title = "Convergence of all histories", .x_label = "iteration", .y_label = "error", .log_y = true};
  for (const auto& [name, table] : histories)
    plot.series.push_back(joined(name, attempts_of(*table), &Attempt::iteration));
  return plot;
}

Figures history_figures(const CsvTable& table) {
  SvgPlot seconds{.title = "Convergence", .x_label = "seconds", .y_label = "error", .log_y = true};
  add_curves(seconds, attempts_of(table), &Attempt::seconds);
  const std::string zeros = " Errors that are 0 have no point.";
  return {{"iterations",
           "The error over the iterations. They are counted through all attempts of the solve." + zeros,
           convergence_plot(table, std::nullopt).render()},
          {"seconds", "The error over the time." + zeros, seconds.render()}};
}

Figures run_figures(const CsvTable& table) {
  const std::vector<double> time = table.finite_numbers("time");
  const auto plot = [&](const char* title, const char* label, bool logarithmic,
                        const std::vector<std::pair<std::string_view, std::string>>& columns) {
    SvgPlot chart{.title = title, .x_label = "simulated time, s", .y_label = label, .log_y = logarithmic};
    for (const auto& [column, name] : columns)
      chart.series.push_back({.label = name, .x = time, .y = table.numbers(column)});
    return chart.render();
  };
  return {{"error", "The certified error of every step. Errors that are 0 have no point.",
           plot("Certified error of the steps", "error", true, {{"error", "error"}})},
          {"contacts", "Contacts and islands of every step.",
           plot("Contacts and islands", "count", false, {{"contacts", "contacts"}, {"islands", "islands"}})},
          {"seconds", "Seconds of every step, and of the solver in it.",
           plot("Time of the steps", "seconds", true, {{"seconds", "step"}, {"solver_seconds", "solver"}})},
          {"energy", "Kinetic and potential energy, J.",
           plot("Energy", "J", false, {{"energy_kinetic", "kinetic"}, {"energy_potential", "potential"}})},
          {"penetration", "The largest penetration of every step, m. Zeros have no point.",
           plot("Penetration", "m", true, {{"penetration", "penetration"}})}};
}

}  // namespace slipstick::internal::report
