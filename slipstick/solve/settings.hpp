// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

namespace slipstick {

/// What every method understands. Methods add a plain struct of their own.
struct Settings {
  double tolerance = 1e-8;  ///< stop at scaled natural map <= tolerance; dimensionless, >= 0
  int max_iterations = 0;   ///< of the method's own kind of iteration; 0: the method's default
  double time_limit = std::numeric_limits<double>::infinity();  ///< seconds >= 0, checked once per iteration
  int threads = 1;  ///< >= 1; results are the same bits for the same number
  /// Contact under Coulomb's law: stop by the published De Saxce error alone, as other libraries do, instead
  /// of by both rulers; but never at an answer that the scaled natural map finds worse than no impulse.
  bool published_alone = false;
  /// The published error may be divided by ||(q, s)||, as in the local form; in the global form by ||r|| and
  /// ||u|| alone.
  bool published_by_load = true;
  bool operator==(const Settings&) const = default;
};

/// Fails, naming the first setting that is out of its range.
void check_settings(const Settings& settings);

}  // namespace slipstick
