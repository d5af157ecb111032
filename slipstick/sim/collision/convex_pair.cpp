// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/collision/convex_pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/sim/collision/nearest.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Vector3d;
using Form = Convex::Form;

bool is_round(Form form) {
  return form == Form::point || form == Form::segment;
}

Vector3d end_of(const Convex& shape, const ShapePose& pose, double side) {
  return pose.origin + pose.axes.col(2) * (side * shape.half().z());
}

// Any direction that is square to both.
Vector3d square_to(const Vector3d& a, const Vector3d& b) {
  const Vector3d both = a.cross(b);
  if (both.squaredNorm() > 1e-16 * a.squaredNorm() * b.squaredNorm()) return both.normalized();
  const Vector3d& longer = a.squaredNorm() > b.squaredNorm() ? a : b;
  return longer.squaredNorm() > 0.0 ? Vector3d(longer.unitOrthogonal()) : Vector3d(Vector3d::UnitZ());
}

void nearest_round(const Convex& first, const ShapePose& first_pose, const Convex& second,
                   const ShapePose& second_pose, Separation& out) {
  const Vector3d a0 = end_of(first, first_pose, -1.0), a1 = end_of(first, first_pose, 1.0);
  const Vector3d b0 = end_of(second, second_pose, -1.0), b1 = end_of(second, second_pose, 1.0);
  const auto [share_a, share_b] = nearest_on_segments(a0, a1, b0, b1);
  const Vector3d on_a = a0 + share_a * (a1 - a0), on_b = b0 + share_b * (b1 - b0);
  const Vector3d between = on_a - on_b;
  const double distance = between.norm();
  const double radii = first.radius() + second.radius();
  out.normal = distance > 1e-12 * radii ? Vector3d(between / distance) : square_to(a1 - a0, b1 - b0);
  out.gap = distance - radii;
  out.on_first = on_a - first.radius() * out.normal;
  out.on_second = on_b + second.radius() * out.normal;
}

// A sphere against a box. The normal is exactly an axis of the box if a face is nearest.
void nearest_sphere_box(const Convex& sphere, const ShapePose& sphere_pose, const Convex& box,
                        const ShapePose& box_pose, Separation& out) {
  const Vector3d centre = box_pose.inverse(sphere_pose.origin);
  const Vector3d& half = box.half();
  const Vector3d inside = centre.cwiseMax(-half).cwiseMin(half);
  const Vector3d beyond = centre - inside;
  Vector3d normal = Vector3d::Zero(), on_box = inside;
  double distance = beyond.norm();
  if (distance > 0.0) {
    normal = beyond / distance;
  } else {
    int axis = 0;
    const Vector3d depth = half - centre.cwiseAbs();
    distance = -depth.minCoeff(&axis);
    normal[axis] = centre[axis] < 0.0 ? -1.0 : 1.0;
    on_box[axis] = normal[axis] * half[axis];
  }
  out.normal = box_pose.axes * normal;
  out.gap = distance - sphere.radius();
  out.on_first = sphere_pose.origin - sphere.radius() * out.normal;
  out.on_second = box_pose * on_box;
}

// The outside of a triangle is where its normal points.
void nearest_sphere_triangle(const Convex& sphere, const ShapePose& sphere_pose, const Convex& triangle,
                             const ShapePose& triangle_pose, Separation& out) {
  const std::array<Vector3d, 3>& corners = triangle.triangle_points();
  const Vector3d centre = triangle_pose.inverse(sphere_pose.origin);
  const Vector3d face = (corners[1] - corners[0]).cross(corners[2] - corners[0]).stableNormalized();
  Vector3d weights;
  const Vector3d nearest = nearest_on_triangle(corners, centre, weights);
  const Vector3d between = centre - nearest;
  const double height = face.dot(centre - corners[0]);
  double distance = between.norm();
  Vector3d normal = face;
  if (weights.minCoeff() > 0.0) {
    distance = std::abs(height);
    if (height < 0.0) normal = -face;
  } else if (distance > 1e-12 * sphere.radius()) {
    normal = between / distance;
  }
  out.normal = triangle_pose.axes * normal;
  out.gap = distance - sphere.radius();
  out.on_first = sphere_pose.origin - sphere.radius() * out.normal;
  out.on_second = triangle_pose * nearest;
}

void swap_sides(Separation& separation) {
  separation.normal = -separation.normal;
  std::swap(separation.on_first, separation.on_second);
}

}  // namespace

bool is_closed_form(Form first, Form second) {
  if (is_round(first) && is_round(second)) return true;
  if (second == Form::point) std::swap(first, second);
  return first == Form::point && (second == Form::box || second == Form::triangle);
}

bool touch(const Convex& first, const ShapePose& first_pose, const Convex& second,
           const ShapePose& second_pose, double range, Separation& separation,
           std::vector<PatchPoint>& points) {
  const Vector3d between = first_pose * first.centre() - second_pose * second.centre();
  const double reach = first.reach() + second.reach() + range;
  if (between.squaredNorm() > reach * reach) return false;
  const Form a = first.form(), b = second.form();
  if (a == Form::box && b == Form::box)
    return touch_boxes(first, first_pose, second, second_pose, range, separation, points);
  if (is_round(a) && is_round(b)) {
    nearest_round(first, first_pose, second, second_pose, separation);
  } else if (a == Form::point && b == Form::box) {
    nearest_sphere_box(first, first_pose, second, second_pose, separation);
  } else if (a == Form::box && b == Form::point) {
    nearest_sphere_box(second, second_pose, first, first_pose, separation);
    swap_sides(separation);
  } else if (a == Form::point && b == Form::triangle) {
    nearest_sphere_triangle(first, first_pose, second, second_pose, separation);
  } else {
    nearest_points(first, first_pose, second, second_pose, separation);
  }
  if (separation.gap > range) return false;
  if (a == Form::point || b == Form::point) {
    points.push_back({0.5 * (separation.on_first + separation.on_second), separation.normal, separation.gap,
                      Vector3d::Zero()});
  } else {
    add_features(first, first_pose, second, second_pose, range, separation, points);
  }
  return true;
}

void add_features(const Convex& first, const ShapePose& first_pose, const Convex& second,
                  const ShapePose& second_pose, double range, Separation& separation,
                  std::vector<PatchPoint>& points) {
  const double tolerance = same_place * std::min(first.extent(), second.extent());
  Feature on_first, on_second;
  first.feature(first_pose, -separation.normal, slight_lean, on_first);
  second.feature(second_pose, separation.normal, slight_lean, on_second);
  const auto prefer = [&](const Feature& feature, double side) {
    if (!feature.is_face()) return false;
    const Vector3d normal = side * feature.normal;
    const double gap = gap_along(first, first_pose, second, second_pose, normal);
    if (gap < separation.gap - 1e-3 * tolerance) return false;
    separation.normal = normal;
    separation.gap = gap;
    return true;
  };
  // Over a face, the other shape shows the face that looks at it most.
  if (prefer(on_second, 1.0)) {
    first.feature(first_pose, -separation.normal, any_lean, on_first);
  } else if (prefer(on_first, -1.0)) {
    second.feature(second_pose, separation.normal, any_lean, on_second);
  }
  add_patch(on_first, first.radius(), on_second, second.radius(), separation, range, tolerance, points);
}

bool touch_plane(const Convex& first, const ShapePose& first_pose, const ShapePose& plane, double range,
                 std::vector<PatchPoint>& points) {
  const Vector3d normal = plane.axes.col(2);
  const auto gap_of = [&](const Vector3d& point) {
    return normal.dot(point - plane.origin) - first.radius();
  };
  const auto add = [&](const Vector3d& point, double gap) {
    points.push_back({point - (first.radius() + 0.5 * gap) * normal, normal, gap, Vector3d::Zero()});
  };
  const Vector3d lowest = first_pose * first.support(first_pose.axes.transpose() * -normal);
  const double deepest = gap_of(lowest);
  if (deepest > range) return false;
  Feature feature;
  first.feature(first_pose, -normal, any_lean, feature);
  double nearest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < feature.count; ++k) {
    const Vector3d& corner = feature.corners[static_cast<std::size_t>(k)];
    const double gap = gap_of(corner);
    nearest = std::min(nearest, gap);
    if (gap <= range) add(corner, gap);
  }
  if (deepest < nearest - same_place * first.extent()) add(lowest, deepest);
  return true;
}

Vector3d nearest_on_triangle(const std::array<Vector3d, 3>& corners, const Vector3d& point,
                             Vector3d& weights) {
  // The regions of corners, edges and face, as in Ericson's Real-Time Collision Detection, 5.1.5.
  const Vector3d &a = corners[0], &b = corners[1], &c = corners[2];
  const Vector3d ab = b - a, ac = c - a, ap = point - a, bp = point - b, cp = point - c;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap), d3 = ab.dot(bp), d4 = ac.dot(bp), d5 = ab.dot(cp),
               d6 = ac.dot(cp);
  const double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
  if (d1 <= 0.0 && d2 <= 0.0) {
    weights = {1.0, 0.0, 0.0};
  } else if (d3 >= 0.0 && d4 <= d3) {
    weights = {0.0, 1.0, 0.0};
  } else if (d6 >= 0.0 && d5 <= d6) {
    weights = {0.0, 0.0, 1.0};
  } else if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
    weights = {-d3 / (d1 - d3), d1 / (d1 - d3), 0.0};
  } else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
    weights = {-d6 / (d2 - d6), 0.0, d2 / (d2 - d6)};
  } else if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
    const double share = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    weights = {0.0, 1.0 - share, share};
  } else {
    const double sum = va + vb + vc;
    weights = {va / sum, vb / sum, vc / sum};
  }
  return weights[0] * a + weights[1] * b + weights[2] * c;
}

}  // namespace slipstick::internal
