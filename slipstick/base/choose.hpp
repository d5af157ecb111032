// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace slipstick::internal {

/// `yes` or `no`, without a branch: for loops whose conditions cannot be predicted.
inline double choose(bool condition, double yes, double no) {
  const std::uint64_t mask = 0 - static_cast<std::uint64_t>(condition);
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(yes) & mask) |
                               (std::bit_cast<std::uint64_t>(no) & ~mask));
}

}  // namespace slipstick::internal
