// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/scenes/scene_row.hpp"

namespace slipstick::internal {

/// Walls (Ho 2022, 6.1.7), arches and houses of cards.
SceneRow wall_scene();
SceneRow arch_scene();
SceneRow cards_scene();

}  // namespace slipstick::internal
