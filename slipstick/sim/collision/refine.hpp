// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "slipstick/sim/collision/convex.hpp"

namespace slipstick::internal {

/// Makes the nearest points of the cores of two shapes exact, if one of them is curved. GJK ends with a
/// simplex inside a curved shape, so that its normal has half of the digits. Here Newton's method moves the
/// points along the rim, side or edge that they are on. Keeps the points as they are, and returns false, if
/// this leads off these, or not to a proof that no nearer ones exist.
bool refine_nearest(const Convex& first, const ShapePose& first_pose, const Convex& second,
                    const ShapePose& second_pose, Eigen::Vector3d& on_first, Eigen::Vector3d& on_second);

}  // namespace slipstick::internal
