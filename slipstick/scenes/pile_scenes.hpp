// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/scenes/scene_row.hpp"

namespace slipstick::internal {

/// Bodies that fall or stand upon each other (Ho 2022, 6.1.1, 6.1.2 and 6.1.6).
SceneRow boxes_scene();
SceneRow tower_scene();
SceneRow rocks_scene();

}  // namespace slipstick::internal
