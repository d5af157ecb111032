// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/scenes/scene_row.hpp"

namespace slipstick::internal {

/// Scenes of a few bodies whose answers are known in closed form.
SceneRow stack_scene();
SceneRow incline_scene();
SceneRow rolling_scene();
SceneRow painleve_scene();
SceneRow top_scene();
SceneRow conveyor_scene();

}  // namespace slipstick::internal
