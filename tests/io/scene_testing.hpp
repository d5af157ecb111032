// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "slipstick/scene.hpp"

namespace slipstick::internal {

/// The sample scene, in which every member differs from its default.
Scene rich_scene();

/// Every member of a scene, with the bits of its numbers. Two scenes are the same if this text is.
std::string all_bits(const Scene& scene);

}  // namespace slipstick::internal
