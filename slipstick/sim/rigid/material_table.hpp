// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "slipstick/scene.hpp"

namespace slipstick::internal {

/// What two materials have with each other.
struct SurfacePair {
  double friction = 0.0;
  double restitution = 0.0;
  double tangential_restitution = 0.0;
};

/// The surfaces of a scene: its pairs, and the combination of two materials otherwise.
class MaterialTable {
 public:
  explicit MaterialTable(const Scene& scene);
  SurfacePair pair(const Scene& scene, const std::array<int, 2>& materials) const;

 private:
  std::unordered_map<std::uint64_t, std::size_t> pairs_;  // the place in Scene::pairs
};

}  // namespace slipstick::internal
