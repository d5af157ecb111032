// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/scenes/scene_row.hpp"

namespace slipstick::internal {

/// A chain that wraps around a rod (Ho 2022, 6.1.4).
SceneRow chain_scene();

}  // namespace slipstick::internal
