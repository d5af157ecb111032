// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace slipstick::internal {

// Limits of the methods that update the gradient by the product of their step.
inline constexpr int refresh_interval = 100;     ///< iterations after which the gradient is computed again
inline constexpr int most_rounded_steps = 1000;  ///< limit of steps whose descent is below rounding

}  // namespace slipstick::internal
