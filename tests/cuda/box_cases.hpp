// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "slipstick/pair_finder.hpp"

namespace slipstick::internal {

using Pairs = std::vector<std::array<int, 2>>;

/// Boxes of a step that are hard for a grid.
struct BoxCase {
  std::string name;
  std::vector<SweptBox> boxes;
};
std::vector<BoxCase> box_cases();

/// By trying all.
Pairs all_pairs(const std::vector<SweptBox>& boxes);

}  // namespace slipstick::internal
