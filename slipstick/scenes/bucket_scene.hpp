// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/scenes/scene_row.hpp"

namespace slipstick::internal {

/// Spheres fall into a bucket (Melanz).
SceneRow bucket_scene();

}  // namespace slipstick::internal
