// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/scene.hpp"

namespace slipstick::internal {

/// One thing of every kind, all of it valid.
Scene sample_scene();

}  // namespace slipstick::internal
