// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

namespace slipstick {

/// The scaled natural map of an answer is at most this, whatever other measure calls it solved. No impulse
/// at all scores at most 1, so that an answer accounts for all but a hundredth of the velocities in the data.
inline constexpr double largest_scaled_error = 1e-2;
/// Below that bound, an answer is better than no impulse if its scaled natural map is at most this share of
/// that of no impulse. Rounding cannot make up a tenth.
inline constexpr double share_of_zero_error = 0.9;

/// The error by which a solve stops.
enum class ErrorMeasure {
  scaled_natural_map,  ///< under Coulomb's law together with the published De Saxce error
  desaxce,             ///< under Coulomb's law the published error alone, as other libraries do
};

/// What every method understands. Methods add a plain struct of their own.
struct Settings {
  double tolerance = 1e-8;  ///< stop where the error is at most this; dimensionless, >= 0
  int max_iterations = 0;   ///< of the method's own kind of iteration; 0: the method's default
  double time_limit = std::numeric_limits<double>::infinity();  ///< seconds >= 0, checked once per iteration
  int threads = 1;  ///< >= 1; results are the same bits for the same number
  ErrorMeasure measure = ErrorMeasure::scaled_natural_map;
  bool operator==(const Settings&) const = default;
};

/// Fails, naming the first setting that is out of its range.
void check_settings(const Settings& settings);

}  // namespace slipstick
