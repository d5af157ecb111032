// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "slipstick/export.hpp"
#include "slipstick/scene.hpp"

namespace slipstick::internal {

/// The largest scene that is accepted. The sizes of files are checked against them before memory is taken.
struct SceneLimits {
  static constexpr std::size_t materials = 10'000;
  static constexpr std::size_t pairs = 100'000;
  static constexpr std::size_t shapes = 4'000'000;
  static constexpr std::size_t bodies = 4'000'000;  ///< with the links of cables
  static constexpr std::size_t shapes_of_body = 10'000;
  static constexpr std::size_t joints = 1'000'000;
  static constexpr std::size_t cables = 100'000;
  static constexpr std::size_t hull_points = 4096;
  static constexpr std::size_t mesh_points = 5'000'000;
  static constexpr std::size_t triangles = 5'000'000;
  static constexpr std::size_t heights = 10'000'000;
  static constexpr std::size_t key_frames = 1'000'000;
  static constexpr std::size_t parameters = 1000;
  static constexpr std::size_t name_bytes = 200;
  static constexpr double steps = 1e9;
};

/// Orientations have a norm of 1 within this.
inline constexpr double unit_tolerance = 1e-9;

/// Throws Error if the scene cannot be simulated. The message begins with the place (see Place), then says
/// what is there and what was expected.
SLIPSTICK_EXPORT void check(const Scene& scene);

}  // namespace slipstick::internal
