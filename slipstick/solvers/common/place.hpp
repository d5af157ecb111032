// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace slipstick::internal {

/// Position of a row of a boxed problem relative to its bounds.
enum class Place : signed char { at_lower, between, at_upper };

}  // namespace slipstick::internal
