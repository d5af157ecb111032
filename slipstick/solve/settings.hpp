// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "slipstick/settings.hpp"

namespace slipstick::internal {

/// The scaled natural map of an answer is at most this, whatever other measure calls it solved. No impulse
/// at all scores at most 1, so that an answer accounts for all but a hundredth of the velocities in the data.
inline constexpr double largest_scaled_error = 1e-2;
/// Below that bound, an answer is better than no impulse if its scaled natural map is at most this share of
/// that of no impulse. Rounding cannot make up a tenth.
inline constexpr double share_of_zero_error = 0.9;

/// Fails, naming the first setting that is out of its range.
void check_settings(const Settings& settings);

}  // namespace slipstick::internal
