// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/material_table.hpp"

#include <algorithm>
#include <cmath>

namespace slipstick::internal {
namespace {

double combined(Combination rule, double a, double b) {
  switch (rule) {
    case Combination::geometric_mean:
      return a == b ? a : std::sqrt(a) * std::sqrt(b);
    case Combination::mean:
      return 0.5 * (a + b);
    case Combination::smaller:
      return std::min(a, b);
    case Combination::larger:
      return std::max(a, b);
    case Combination::product:
      return a * b;
  }
  return a;
}

std::uint64_t key(const std::array<int, 2>& materials) {
  const auto [low, high] = std::minmax(materials[0], materials[1]);
  return static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint32_t>(high);
}

}  // namespace

MaterialTable::MaterialTable(const Scene& scene) {
  for (std::size_t k = 0; k < scene.pairs.size(); ++k) pairs_[key(scene.pairs[k].materials)] = k;
}

SurfacePair MaterialTable::pair(const Scene& scene, const std::array<int, 2>& materials) const {
  const MaterialSpec& a = scene.materials[static_cast<std::size_t>(materials[0])];
  const MaterialSpec& b = scene.materials[static_cast<std::size_t>(materials[1])];
  SurfacePair result{combined(scene.friction_rule, a.friction, b.friction),
                     combined(scene.restitution_rule, a.restitution, b.restitution),
                     combined(scene.restitution_rule, a.tangential_restitution, b.tangential_restitution)};
  if (pairs_.empty()) return result;
  if (const auto found = pairs_.find(key(materials)); found != pairs_.end()) {
    const MaterialPair& given = scene.pairs[found->second];
    result.friction = given.friction.value_or(result.friction);
    result.restitution = given.restitution.value_or(result.restitution);
    result.tangential_restitution = given.tangential_restitution.value_or(result.tangential_restitution);
  }
  return result;
}

}  // namespace slipstick::internal
