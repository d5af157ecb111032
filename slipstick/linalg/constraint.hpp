// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace slipstick {

/// A constraint between two bodies: `rows` consecutive rows of J from `row` on. Body -1 is the ground.
struct Constraint {
  int row = 0;
  int rows = 0;
  std::array<int, 2> body = {-1, -1};
};

}  // namespace slipstick
