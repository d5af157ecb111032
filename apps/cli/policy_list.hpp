// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "slipstick/solve.hpp"

namespace slipstick::internal::cli {

inline constexpr std::string_view default_policy = "next,loosen:10,keep";
inline constexpr int most_halvings = 6;  ///< of a step, one in the other

/// What is done for a step that misses the tolerance. If the last action does not help, the simulation stops.
struct PolicyList {
  StepPolicy usual;    ///< the actions before `halve`; all, if the list has no `halve`
  StepPolicy deepest;  ///< all but `halve`, for a step that was halved most_halvings times
  bool halves = false;
};

/// The list after --policy: words in order, with commas between them.
PolicyList parse_policy(std::string_view text);

}  // namespace slipstick::internal::cli
