// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace slipstick {

/// Relative distance to a bound below which a warm start counts as lying on it.
inline constexpr double touching = 1e-9;
/// What dependent constraints may lack before they contradict each other, in units of their rounding.
inline constexpr double contradiction = 1e6;

}  // namespace slipstick
