// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace slipstick::internal {

/// A line chart as SVG text, with ticks, a legend and optional logarithmic axes. Points that are not finite,
/// or not positive on a logarithmic axis, are left out. Of very many points, those are drawn that can be told
/// apart.
struct SvgPlot {
  struct Series {
    std::string label;
    std::vector<double> x = {};
    std::vector<double> y = {};
    bool steps = false;  ///< draw as a staircase (performance profiles)
  };
  std::string title;
  std::string x_label;
  std::string y_label;
  bool log_x = false;
  bool log_y = false;
  std::vector<Series> series = {};

  std::string render() const;
  /// Adds to the curve of this label. If there is none, starts a new one.
  void add_point(const std::string& label, double x, double y);
};

}  // namespace slipstick::internal
