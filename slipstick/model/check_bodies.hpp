// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/model/place.hpp"
#include "slipstick/scene.hpp"

namespace slipstick::internal {

/// Throws Error unless the body, which is one of the scene, is valid. The scene's shapes and materials are.
void check_body(const Place& place, const Scene& scene, const BodySpec& body);

}  // namespace slipstick::internal
