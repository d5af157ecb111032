// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <limits>
#include <vector>

#include "slipstick/sim/collision/patch.hpp"

namespace slipstick::internal {

/// How the first shape of a pair moves against the second during a step.
struct StepPath {
  Eigen::Vector3d move = Eigen::Vector3d::Zero();
  double range = 0.0;   ///< gaps to list at the nearest place of the path
  double extent = 0.0;  ///< the smaller one
};

/// Gaps up to this share of the extent are touches: the place where the step begins decides.
inline constexpr double at_hand = 1e-3;

/// The share of the path where two convex shapes touch first, or where they are nearest. `touch(move, range,
/// separation, points)` answers for the first shape after a move; it returns false if they are farther apart
/// than the range. The distance of convex shapes is a convex function of the move, so Newton's method from
/// the start never passes the touch (van den Bergen 2004, 4.3). Returns false if the shapes pass each other
/// farther apart than path.range.
template <class Touch>
bool follow_path(const StepPath& path, const Touch& touch, Separation& separation,
                 std::vector<PatchPoint>& points, double& share) {
  const std::size_t begin = points.size();
  const double farthest = path.range + path.move.norm();
  const auto evaluate = [&](double at, double range) {
    points.resize(begin);
    share = at;
    return touch(Eigen::Vector3d(at * path.move), range, separation, points);
  };
  const auto slope = [&] { return separation.normal.dot(path.move); };

  if (!evaluate(0.0, farthest)) return false;
  if (separation.gap <= at_hand * path.extent) return true;
  if (separation.gap + slope() >= 0.0) {
    if (separation.gap + std::min(slope(), 0.0) <= path.range) return true;
    points.resize(begin);
    return false;
  }
  const double everything = std::numeric_limits<double>::max();
  double low = 0.0, low_gap = separation.gap, low_slope = slope();  // before the nearest place
  double high = 1.0, high_gap = 0.0, high_slope = 0.0;              // behind it, once it is known
  bool between = false;
  constexpr int most_steps = 60;
  for (int step = 0; step < most_steps; ++step) {
    double next = low - low_gap / low_slope;
    if (between) {
      // Where the two tangents meet, which is as near as the shapes can come. They miss if that is too far.
      next = low + (high_gap - low_gap - high_slope * (high - low)) / (low_slope - high_slope);
      if (low_gap + low_slope * (next - low) > path.range) break;
      const double rim = 0.01 * (high - low);
      next = std::clamp(next, low + rim, high - rim);
    }
    next = std::min(next, 1.0);
    if (!evaluate(next, everything)) break;
    if (separation.gap <= at_hand * path.extent) return true;
    if (slope() >= 0.0) {
      between = true;
      high = next, high_gap = separation.gap, high_slope = slope();
    } else {
      low = next, low_gap = separation.gap, low_slope = slope();
      if (next >= 1.0) break;
    }
    if (between && (high - low) * path.move.norm() <= at_hand * path.extent) break;
  }
  if (separation.gap <= path.range && points.size() > begin) return true;
  points.resize(begin);
  return false;
}

/// What a step sees of points that were found at a place of the path: gaps as of the beginning, such that the
/// shapes touch at its end, and places on both shapes.
inline void bring_back(const StepPath& path, double share, std::vector<PatchPoint>& points,
                       std::size_t begin) {
  if (share == 0.0) return;
  const double farthest = path.range + path.move.norm();
  points.erase(std::remove_if(points.begin() + static_cast<std::ptrdiff_t>(begin), points.end(),
                              [&](const PatchPoint& point) { return point.gap > farthest; }),
               points.end());
  for (std::size_t k = begin; k < points.size(); ++k) {
    points[k].gap -= share * points[k].normal.dot(path.move);
    points[k].lead = -share * path.move;
  }
}

}  // namespace slipstick::internal
