// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace slipstick {

/// The law between the impulse r and the velocity u of each contact.
enum class FrictionLaw {
  none,     ///< r_T = 0, 0 <= r_N perpendicular to u_N >= 0
  convex,   ///< r in the cone K_mu, u in its dual, r'u = 0 (cone complementarity, Heyn 2012)
  coulomb,  ///< as convex with u shifted by mu ||u_T|| along the normal (De Saxce)
  diamond,  ///< Coulomb's law with ||r_T||_1 <= mu r_N (Litven 2013, eq. 4.25)
  box,      ///< Coulomb's law for each tangent, |r_T,i| <= mu r_N (Ho 2022)
};

constexpr std::string_view name(FrictionLaw law) {
  constexpr std::string_view names[] = {"none", "convex", "coulomb", "diamond", "box"};
  return names[static_cast<int>(law)];
}

}  // namespace slipstick
