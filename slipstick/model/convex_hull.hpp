// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <span>
#include <vector>

#include "slipstick/export.hpp"

namespace slipstick::internal {

/// The triangles of the convex hull of points, by their numbers, counterclockwise from outside. They form a
/// closed surface. Points nearer to it than 1e-9 of the largest extent may be left out. Empty if the points
/// are fewer than 4 or lie in a plane.
SLIPSTICK_EXPORT std::vector<std::array<int, 3>> hull_triangles(std::span<const Eigen::Vector3d> points);

}  // namespace slipstick::internal
