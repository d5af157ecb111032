// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace slipstick {

/// The scaled natural map from which on a start counts as none: the squares of what is so far off overflow on
/// the way to a solution.
inline constexpr double hopeless_start_error = 1e100;

}  // namespace slipstick
