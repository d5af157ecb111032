// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/scenes/scene_row.hpp"

namespace slipstick::internal {

/// Scenes with cables (Ho 2022, 6.1.3 and 6.1.5).
SceneRow spinner_scene();
SceneRow trucks_scene();

}  // namespace slipstick::internal
