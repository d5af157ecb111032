// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "slipstick/base/error.hpp"
#include "slipstick/catalog/contact_methods.hpp"
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

/// Where none is given.
inline constexpr std::string_view default_friction = "coulomb";

/// nullptr where there is no such word.
inline constexpr const FrictionWord* find_friction(std::string_view word) {
  for (const FrictionWord& friction : friction_words) {
    if (friction.word == word) return &friction;
  }
  return nullptr;
}

/// The law of the word after --friction; fails where there is none.
inline FrictionLaw friction_law(std::string_view word) {
  if (const FrictionWord* friction = find_friction(word)) return friction->law;
  std::vector<std::string_view> words;
  for (const FrictionWord& known : friction_words) words.push_back(known.word);
  fail("--friction: '{}' is none of {}", word, fmt::join(words, ", "));
}

/// Staggered projections are a method for Coulomb's law: what --solver means after that word.
inline std::string staggered_solver(std::string_view solver) {
  if (solver == "auto") return "staggered";
  const bool one = solver.find('+') == std::string_view::npos && find_contact_method(solver) == nullptr;
  return one ? fmt::format("{0}+{0}", solver) : std::string(solver);
}

}  // namespace slipstick::cli
