// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "bench/suites/study.hpp"

namespace slipstick::internal::bench {
namespace {

// The last steps of a size.
struct Settled {
  std::vector<double> contacts, coulomb, convex;
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

void plot_settling_study(const std::filesystem::path& csv, const std::filesystem::path& folder) {
  constexpr int last_steps = 10;
  SvgPlot seconds{
      .title = "Settling spheres: seconds of a step", .x_label = "step", .y_label = "seconds", .log_y = true};
  SvgPlot growth{.title = "Settling spheres: median of the last ten steps",
                 .x_label = "contacts",
                 .y_label = "seconds per contact and step",
                 .log_x = true,
                 .log_y = true};
  const auto rows = read_cells(csv, settling_study_header);
  std::map<int, int> last;
  for (const auto& cells : rows) last[std::stoi(cells[0])] = std::stoi(cells[1]);
  std::map<int, Settled> sizes;
  for (const auto& cells : rows) {
    const int size = std::stoi(cells[0]), step = std::stoi(cells[1]);
    const double contacts = std::stod(cells[2]), coulomb = std::stod(cells[7]), convex = std::stod(cells[15]);
    if (contacts == 0.0) continue;
    add_point(seconds, cells[0] + " spheres, Coulomb", step, coulomb);
    add_point(seconds, cells[0] + " spheres, convex", step, convex);
    if (step <= last[size] - last_steps) continue;
    Settled& settled = sizes[size];
    settled.contacts.push_back(contacts);
    settled.coulomb.push_back(coulomb / contacts);
    settled.convex.push_back(convex / contacts);
  }
  for (const auto& [size, settled] : sizes) {
    add_point(growth, "Coulomb", median(settled.contacts), median(settled.coulomb));
    add_point(growth, "convex", median(settled.contacts), median(settled.convex));
  }
  std::filesystem::create_directories(folder);
  const std::string stem = csv.stem().string();
  write_plot(seconds, folder / (stem + "-seconds.svg"));
  write_plot(growth, folder / (stem + "-growth.svg"));
}

}  // namespace slipstick::internal::bench
