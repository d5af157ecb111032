// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/settings.hpp"

namespace slipstick::internal {

/// The scaled natural map of an answer must be at most this, also if another measure decides. Zero impulse
/// has at most 1. The answer therefore explains all but a hundredth of the velocities in the data.
inline constexpr double largest_scaled_error = 1e-2;
/// Below that bound, an answer is better than zero impulse if its scaled natural map is at most this share of
/// that of zero impulse. Rounding cannot cause a difference of a tenth.
inline constexpr double share_of_zero_error = 0.9;

/// Throws Error for the first setting that is out of its range, and names it.
void check_settings(const Settings& settings);

}  // namespace slipstick::internal
