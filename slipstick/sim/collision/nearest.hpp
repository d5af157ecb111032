// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/sim/collision/patch.hpp"

namespace slipstick::internal {

/// True if Bullet is linked.
bool has_bullet();

/// The nearest points of any two convex shapes by Bullet's GJK. Shapes that overlap: the shortest way out, by
/// EPA, improved by GJK. Call it only if has_bullet().
void nearest_points(const Convex& first, const ShapePose& first_pose, const Convex& second,
                    const ShapePose& second_pose, Separation& out);

/// How far the shapes are apart along a direction; negative if they overlap along it.
double gap_along(const Convex& first, const ShapePose& first_pose, const Convex& second,
                 const ShapePose& second_pose, const Eigen::Vector3d& normal);

}  // namespace slipstick::internal
