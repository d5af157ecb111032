// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/model/place.hpp"
#include "slipstick/scene.hpp"

namespace slipstick::internal {

/// Throws Error unless the shape is valid.
void check_geometry(const Place& place, const ShapeGeometry& geometry);

}  // namespace slipstick::internal
