// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace slipstick::internal {

/// A warm start with a larger scaled natural map is not used, because squares would overflow.
inline constexpr double hopeless_start_error = 1e100;

}  // namespace slipstick::internal
