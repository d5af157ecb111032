// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "slipstick/problems/friction.hpp"

namespace slipstick::cli {

/// A word of --friction.
struct FrictionWord {
  std::string_view word;
  FrictionLaw law;
};

inline constexpr std::array friction_words = {
    FrictionWord{"none", FrictionLaw::none},         FrictionWord{"convex", FrictionLaw::convex},
    FrictionWord{"staggered", FrictionLaw::coulomb}, FrictionWord{"coulomb", FrictionLaw::coulomb},
    FrictionWord{"diamond", FrictionLaw::diamond},   FrictionWord{"box", FrictionLaw::box},
};

/// nullptr where there is no such word.
inline constexpr const FrictionWord* find_friction(std::string_view word) {
  for (const FrictionWord& friction : friction_words) {
    if (friction.word == word) return &friction;
  }
  return nullptr;
}

}  // namespace slipstick::cli
