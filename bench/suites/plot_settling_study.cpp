// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "bench/suites/study.hpp"

namespace slipstick::internal::bench {
namespace {

// Seconds of the steps in which nearly all contacts of a size are there.
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
  constexpr double settled_share = 0.9;  // of the largest number of contacts
  SvgPlot seconds{
      .title = "Settling spheres: seconds of a step", .x_label = "step", .y_label = "seconds", .log_y = true};
  SvgPlot growth{.title = "Settling spheres: median of a step, 90% of the contacts and more",
                 .x_label = "contacts",
                 .y_label = "seconds per contact and step",
                 .log_x = true,
                 .log_y = true};
  const auto rows = read_cells(csv, settling_study_header);
  std::map<int, double> most_contacts;
  for (const auto& cells : rows) {
    double& most = most_contacts[std::stoi(cells[0])];
    most = std::max(most, std::stod(cells[2]));
  }
  std::map<int, Settled> sizes;
  for (const auto& cells : rows) {
    const double contacts = std::stod(cells[2]), coulomb = std::stod(cells[7]), convex = std::stod(cells[15]);
    if (contacts == 0.0) continue;
    add_point(seconds, cells[0] + " spheres, Coulomb", std::stod(cells[1]), coulomb);
    add_point(seconds, cells[0] + " spheres, convex", std::stod(cells[1]), convex);
    if (contacts < settled_share * most_contacts[std::stoi(cells[0])]) continue;
    Settled& settled = sizes[std::stoi(cells[0])];
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
