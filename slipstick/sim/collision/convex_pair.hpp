// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/sim/collision/patch.hpp"

namespace slipstick::internal {

/// Of the smaller extent: places and gaps that count as equal.
inline constexpr double same_place = 1e-6;

/// The pairs that need no Bullet: round ones, spheres against boxes and triangles.
bool is_closed_form(Convex::Form first, Convex::Form second);

/// Adds the points where two convex shapes touch or come as near as `range`, unreduced. Returns false, and
/// adds nothing, if they are farther apart.
bool touch(const Convex& first, const ShapePose& first_pose, const Convex& second,
           const ShapePose& second_pose, double range, Separation& separation,
           std::vector<PatchPoint>& points);

/// The same for the plane z = 0 of a pose.
bool touch_plane(const Convex& first, const ShapePose& first_pose, const ShapePose& plane, double range,
                 std::vector<PatchPoint>& points);

/// The same for two boxes. Their faces give the normal if no crossing of edges is clearly farther apart.
bool touch_boxes(const Convex& first, const ShapePose& first_pose, const Convex& second,
                 const ShapePose& second_pose, double range, Separation& separation,
                 std::vector<PatchPoint>& points);

/// Adds the points of two shapes whose nearest points are known. The normal becomes that of a face if this
/// makes no difference to the gap.
void add_features(const Convex& first, const ShapePose& first_pose, const Convex& second,
                  const ShapePose& second_pose, double range, Separation& separation,
                  std::vector<PatchPoint>& points);

/// The nearest point of a triangle. `corner_weights` are its shares of the corners.
Eigen::Vector3d nearest_on_triangle(const std::array<Eigen::Vector3d, 3>& corners,
                                    const Eigen::Vector3d& point, Eigen::Vector3d& corner_weights);

}  // namespace slipstick::internal
