// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "slipstick/sim/collision/convex.hpp"

namespace slipstick::internal {

/// The nearest points of two shapes, or how far the first must move along the normal to leave the second.
struct Separation {
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  ///< from the second shape to the first
  double gap = 0.0;                                   ///< negative: penetration
  Eigen::Vector3d on_first = Eigen::Vector3d::Zero(), on_second = Eigen::Vector3d::Zero();
};

/// A point where two shapes touch.
struct PatchPoint {
  Eigen::Vector3d place;   ///< midway between the surfaces
  Eigen::Vector3d normal;  ///< from the second shape to the first
  double gap;
  /// If the shapes come together from afar: from the place on the second shape to that on the first, now.
  Eigen::Vector3d lead = Eigen::Vector3d::Zero();

  Eigen::Vector3d on_first() const { return place + lead; }
};

/// Adds the points where two features touch that look at each other along separation.normal: those of the
/// smaller one's outline over the other, with gaps up to `range`. If none of these is as near as the nearest
/// points of the shapes, adds the middle of the nearest points. The radii are those around the features.
/// Returns the smallest gap of the outline, infinity if there is none.
double add_patch(const Feature& first, double first_radius, const Feature& second, double second_radius,
                 const Separation& separation, double range, double tolerance,
                 std::vector<PatchPoint>& points);

/// Keeps the deepest of the points from `begin` on and those that span the largest area, at most four per
/// plane and eight in all. Points at the same place with the same normal are one.
void reduce_patch(std::vector<PatchPoint>& points, std::size_t begin, double tolerance);

/// The nearest points of two segments, as shares of them.
std::array<double, 2> nearest_on_segments(const Eigen::Vector3d& a0, const Eigen::Vector3d& a1,
                                          const Eigen::Vector3d& b0, const Eigen::Vector3d& b1);

}  // namespace slipstick::internal
