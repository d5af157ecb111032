// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "slipstick/export.hpp"
#include "slipstick/scene.hpp"

namespace slipstick::internal {

/// The group of the links of cables. They do not touch each other.
inline constexpr std::uint32_t cable_group = std::uint32_t{1} << 31;

/// Adds the bodies and joints of a cable to a scene, as expanded() does. Returns the number of the first
/// link.
int add_cable(Scene& scene, const CableSpec& cable);

/// The scene with bodies and joints instead of cables. The cable C becomes the shape "C/link", the bodies
/// "C/link 0", "C/link 1", ... and the joints "C/joint 0", ... They stand behind the bodies and joints of the
/// scene, which keep their numbers. The first joint holds the first link at the first end. The scene is valid
/// (see check).
SLIPSTICK_EXPORT Scene expanded(const Scene& scene);

}  // namespace slipstick::internal
