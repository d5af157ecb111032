// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/sim/collision/convex_pair.hpp"
#include "slipstick/sim/collision/nearest.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// The direction along which two boxes are farthest apart, or overlap least.
struct BoxAxis {
  double gap = -std::numeric_limits<double>::infinity();
  Vector3d normal = Vector3d::UnitZ();
  std::array<int, 2> edges = {-1, -1};  // of the boxes, if they cross

  bool is_face() const { return edges[0] < 0; }
};

// Separating axes of boxes (Gottschalk, Lin and Manocha 1996). Returns false if the boxes are farther apart
// than `range`.
bool find_axis(const Convex& first, const ShapePose& a, const Convex& second, const ShapePose& b,
               double range, double tolerance, BoxAxis& best) {
  const Vector3d &half_a = first.half(), &half_b = second.half();
  const Vector3d between = a.origin - b.origin;
  const Matrix3d turn = a.axes.transpose() * b.axes, size = turn.cwiseAbs();
  const Vector3d along_a = a.axes.transpose() * between, along_b = b.axes.transpose() * between;
  // The second's faces come first: ties go to them. The first's must be clearly better.
  for (int k = 0; k < 3; ++k) {
    const double gap = std::abs(along_b[k]) - half_b[k] - size.col(k).dot(half_a);
    if (gap > range) return false;
    if (gap > best.gap + tolerance)
      best = {gap, along_b[k] < 0.0 ? Vector3d(-b.axes.col(k)) : Vector3d(b.axes.col(k))};
  }
  for (int k = 0; k < 3; ++k) {
    const double gap = std::abs(along_a[k]) - half_a[k] - size.row(k).dot(half_b);
    if (gap > range) return false;
    if (gap > best.gap + tolerance)
      best = {gap, along_a[k] < 0.0 ? Vector3d(-a.axes.col(k)) : Vector3d(a.axes.col(k))};
  }
  constexpr double parallel = 1e-6;
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      // Along a_i x b_j. 1 - turn(i, j)^2 would lose the digits of a short one.
      const double length = std::hypot(turn(i1, j), turn(i2, j));
      if (length < parallel) continue;
      const double distance = along_a[i2] * turn(i1, j) - along_a[i1] * turn(i2, j);
      const double reach = half_a[i1] * size(i2, j) + half_a[i2] * size(i1, j) + half_b[j1] * size(i, j2) +
                           half_b[j2] * size(i, j1);
      const double gap = (std::abs(distance) - reach) / length;
      if (gap > range) return false;
      if (gap <= best.gap + tolerance) continue;
      const Vector3d axis = a.axes.col(i).cross(b.axes.col(j)) / length;
      best = {gap, axis.dot(between) < 0.0 ? Vector3d(-axis) : axis, {i, j}};
    }
  }
  return true;
}

// The nearest points of the edges that cross.
void cross_edges(const Convex& first, const ShapePose& a, const Convex& second, const ShapePose& b,
                 const BoxAxis& axis, Separation& out) {
  const auto ends = [](const Convex& box, const ShapePose& pose, const Vector3d& direction, int edge) {
    Vector3d corner = box.support(pose.axes.transpose() * direction);
    corner[edge] = -box.half()[edge];
    const Vector3d low = pose * corner;
    corner[edge] = box.half()[edge];
    return std::array<Vector3d, 2>{low, pose * corner};
  };
  const auto edge_a = ends(first, a, -axis.normal, axis.edges[0]);
  const auto edge_b = ends(second, b, axis.normal, axis.edges[1]);
  const auto [share_a, share_b] = nearest_on_segments(edge_a[0], edge_a[1], edge_b[0], edge_b[1]);
  out.on_first = edge_a[0] + share_a * (edge_a[1] - edge_a[0]);
  out.on_second = edge_b[0] + share_b * (edge_b[1] - edge_b[0]);
}

}  // namespace

bool touch_boxes(const Convex& first, const ShapePose& first_pose, const Convex& second,
                 const ShapePose& second_pose, double range, Separation& separation,
                 std::vector<PatchPoint>& points) {
  const double tolerance = same_place * std::min(first.extent(), second.extent());
  BoxAxis axis;
  if (!find_axis(first, first_pose, second, second_pose, range, tolerance, axis)) return false;
  separation.normal = axis.normal;
  separation.gap = axis.gap;
  const std::size_t begin = points.size();
  bool reached = true;  // two points are as near as the gap along the axis
  if (axis.is_face()) {
    Feature on_first, on_second;
    first.feature(first_pose, -axis.normal, any_lean, on_first);
    second.feature(second_pose, axis.normal, any_lean, on_second);
    separation.gap = std::numeric_limits<double>::infinity();
    const double nearest = add_patch(on_first, 0.0, on_second, 0.0, separation, range, tolerance, points);
    separation.gap = axis.gap;
    reached = nearest <= axis.gap + 2.0 * tolerance || (axis.gap <= 0.0 && points.size() > begin);
  } else {
    cross_edges(first, first_pose, second, second_pose, axis, separation);
    reached = (separation.on_first - separation.on_second).norm() <= std::abs(axis.gap) + 2.0 * tolerance;
    if (reached) add_features(first, first_pose, second, second_pose, range, separation, points);
  }
  if (reached) return true;
  points.resize(begin);
  nearest_points(first, first_pose, second, second_pose, separation);
  if (separation.gap > range) return false;
  add_features(first, first_pose, second, second_pose, range, separation, points);
  return true;
}

}  // namespace slipstick::internal
