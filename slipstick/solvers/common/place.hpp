// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace slipstick::internal {

/// Where a row of a boxed problem stands.
enum class Place : signed char { at_lower, between, at_upper };

}  // namespace slipstick::internal
