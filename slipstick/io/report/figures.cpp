// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/report/figures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <system_error>

#include "slipstick/base/error.hpp"
#include "slipstick/io/atomic_file.hpp"

namespace slipstick::internal::report {

void write_figures(const Figures& figures, const std::string& stem, const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) fail("{}: cannot be created: {}", folder.string(), error.message());
  for (const Figure& figure : figures)
    write_text_atomically(folder / (stem + "-" + figure.name + ".svg"), figure.svg);
}

double growth_exponent(const std::vector<double>& x, const std::vector<double>& y) {
  double count = 0.0, sum_x = 0.0, sum_y = 0.0, sum_xx = 0.0, sum_xy = 0.0;
  for (std::size_t k = 0; k < std::min(x.size(), y.size()); ++k) {
    const double log_x = std::log(x[k]), log_y = std::log(y[k]);
    if (!std::isfinite(log_x) || !std::isfinite(log_y)) continue;
    count += 1.0;
    sum_x += log_x;
    sum_y += log_y;
    sum_xx += log_x * log_x;
    sum_xy += log_x * log_y;
  }
  if (count < 2.0) return std::numeric_limits<double>::quiet_NaN();
  return (count * sum_xy - sum_x * sum_y) / (count * sum_xx - sum_x * sum_x);
}

}  // namespace slipstick::internal::report
