// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace slipstick::internal {

/// A chart of named things as SVG text: one line for each, with a mark per series at its value. The marks of
/// the series differ in colour and in shape. Values that are not finite, or not positive on a logarithmic
/// axis, are left out.
struct SvgDots {
  struct Series {
    std::string label;
    std::vector<double> values = {};  ///< one per category; those that are missing have no mark
  };
  std::string title;
  std::string x_label;
  bool log_x = false;
  std::vector<std::string> categories = {};  ///< from the top
  std::vector<Series> series = {};

  std::string render() const;
  /// The mark of a series for a category. Both are added if they are new.
  void add(const std::string& category, const std::string& label, double value);
};

}  // namespace slipstick::internal
