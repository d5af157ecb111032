// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "bench/suites/study.hpp"

namespace slipstick::internal::bench {
namespace {

SvgPlot chart(const std::string& quantity) {
  return {.title = "Conjugate gradients on heaps and chains: " + quantity,
          .x_label = "system, in the order of the table",
          .y_label = quantity,
          .log_x = false,
          .log_y = true};
}

}  // namespace

void plot_preconditioner_study(const std::filesystem::path& csv, const std::filesystem::path& folder) {
  SvgPlot iterations = chart("iterations"), seconds = chart("seconds, factorization included");
  std::vector<std::string> systems;
  for (const std::vector<std::string>& cells : read_cells(csv, preconditioner_study_header)) {
    if (cells[4] != "0" || cells[11] != "yes") continue;
    const std::string system = cells[0] + "/" + cells[1];
    if (std::find(systems.begin(), systems.end(), system) == systems.end()) systems.push_back(system);
    const auto place =
        static_cast<double>(std::find(systems.begin(), systems.end(), system) - systems.begin());
    add_point(iterations, cells[5], place + 1.0, std::max(1.0, std::stod(cells[10])));
    add_point(seconds, cells[5], place + 1.0, std::stod(cells[13]));
  }
  std::filesystem::create_directories(folder);
  write_plot(iterations, folder / (csv.stem().string() + "-iterations.svg"));
  write_plot(seconds, folder / (csv.stem().string() + "-seconds.svg"));
}

}  // namespace slipstick::internal::bench
