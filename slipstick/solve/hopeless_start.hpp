// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace slipstick::internal {

/// A warm start with a larger scaled natural map is not used: squares would overflow on the way to a
/// solution.
inline constexpr double hopeless_start_error = 1e100;

}  // namespace slipstick::internal
