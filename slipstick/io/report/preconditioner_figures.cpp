// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "slipstick/io/report/figures.hpp"

namespace slipstick::internal::report {
namespace {

SvgPlot gradient_chart(const std::string& quantity) {
  return {.title = "Conjugate gradients on heaps and chains: " + quantity,
          .x_label = "system, in the order of the table",
          .y_label = quantity,
          .log_x = false,
          .log_y = true};
}

}  // namespace

Figures preconditioner_figures(const CsvTable& table) {
  const auto name = table.texts("system"), compliance = table.texts("compliance");
  const auto removed = table.texts("removed"), converged = table.texts("converged");
  const auto preconditioner = table.texts("preconditioner");
  const auto iterations = table.numbers("iterations"), seconds = table.numbers("seconds");
  SvgPlot work = gradient_chart("iterations"), time = gradient_chart("seconds, factorization included");
  std::vector<std::string> systems;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (removed[row] != "0" || converged[row] != "yes") continue;
    const std::string system = name[row] + "/" + compliance[row];
    auto place = std::find(systems.begin(), systems.end(), system);
    if (place == systems.end()) place = systems.insert(place, system);
    const auto number = static_cast<double>(place - systems.begin()) + 1.0;
    work.add_point(preconditioner[row], number, std::max(1.0, iterations[row]));
    time.add_point(preconditioner[row], number, seconds[row]);
  }
  const std::string of = " Systems are counted in the order of the table: those with all rows that converge.";
  return {{"iterations", "Iterations of every preconditioner." + of, work.render()},
          {"seconds", "Seconds of every preconditioner." + of, time.render()}};
}

}  // namespace slipstick::internal::report
