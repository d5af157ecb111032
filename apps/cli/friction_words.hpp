// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "slipstick/problems/friction.hpp"

namespace slipstick::cli {

/// A word of --friction.
struct FrictionWord {
  std::string_view word;
  std::optional<FrictionLaw> law;  ///< absent: known, but no method takes it yet
};

inline constexpr std::array friction_words = {
    FrictionWord{"none", FrictionLaw::none}, FrictionWord{"convex", FrictionLaw::convex},
    FrictionWord{"coulomb", std::nullopt},   FrictionWord{"staggered", std::nullopt},
    FrictionWord{"box", std::nullopt},
};

/// nullptr where there is no such word.
inline constexpr const FrictionWord* find_friction(std::string_view word) {
  for (const FrictionWord& friction : friction_words) {
    if (friction.word == word) return &friction;
  }
  return nullptr;
}

}  // namespace slipstick::cli
