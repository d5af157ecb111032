// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/suites/study.hpp"

namespace slipstick::internal::bench {
namespace {

SvgPlot chart(const std::string& title) {
  return {.title = title, .x_label = "wrong indices in the initial set", .y_label = "seconds"};
}

}  // namespace

// Litven 2013, Figures 7.1 and 7.2.
void plot_litven_study(const std::filesystem::path& csv, const std::filesystem::path& folder) {
  SvgPlot totals = chart("Banded QPs: a factorization for every set, and one alone");
  SvgPlot parts = chart("Banded QPs: where schurpa spends its time");
  for (const std::vector<std::string>& cells : read_cells(csv, litven_study_header)) {
    const double wrong = std::stod(cells[0]);
    add_point(totals, cells[1], wrong, std::stod(cells[3]));
    if (cells[1] != "schurpa") continue;
    add_point(parts, "factorization", wrong, std::stod(cells[4]));
    add_point(parts, "solves", wrong, std::stod(cells[6]));
    add_point(parts, "total", wrong, std::stod(cells[3]));
  }
  std::filesystem::create_directories(folder);
  const std::string stem = csv.stem().string();
  write_plot(totals, folder / (stem + "-seconds.svg"));
  write_plot(parts, folder / (stem + "-parts.svg"));
}

}  // namespace slipstick::internal::bench
