// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/collision/nearest.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/base/error.hpp"
#include "slipstick/sim/collision/refine.hpp"

#if defined(SLIPSTICK_HAVE_BULLET)
#include <BulletCollision/CollisionShapes/btConvexInternalShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#endif

namespace slipstick::internal {

using Eigen::Vector3d;

double gap_along(const Convex& first, const ShapePose& first_pose, const Convex& second,
                 const ShapePose& second_pose, const Vector3d& normal) {
  const Vector3d low = first_pose.axes * first.support(first_pose.axes.transpose() * -normal);
  const Vector3d high = second_pose.axes * second.support(second_pose.axes.transpose() * normal);
  return normal.dot(first_pose.origin - second_pose.origin) + normal.dot(low - high) - first.radius() -
         second.radius();
}

#if defined(SLIPSTICK_HAVE_BULLET)

namespace {

// Bullet's thresholds are lengths. The smaller shape is scaled to this extent.
constexpr double usual_extent = 64.0;
// Of the smaller extent: nearer shapes are moved apart, because the difference of their nearest points has
// lost its direction.
constexpr double too_near = 1e-3;
constexpr double too_near_if_exact = 1e-6;
constexpr double touching = 1e-9;
constexpr double rounding = 1e-12;  // also of normals
constexpr double move_apart = 1e-2;
constexpr int most_moves = 8;

btVector3 to_bullet(const Vector3d& v) {
  return {v.x(), v.y(), v.z()};
}
Vector3d from_bullet(const btVector3& v) {
  return {v.x(), v.y(), v.z()};
}

// The core of a shape, scaled.
class BulletConvex final : public btConvexInternalShape {
 public:
  BulletConvex(const Convex& shape, double scale) : shape_(shape), scale_(scale) {
    m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
    m_collisionMargin = 0.0;
  }
  btVector3 localGetSupportingVertex(const btVector3& direction) const override {
    return to_bullet(scale_ * shape_.support(from_bullet(direction)));
  }
  btVector3 localGetSupportingVertexWithoutMargin(const btVector3& direction) const override {
    return localGetSupportingVertex(direction);
  }
  void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3* directions, btVector3* vertices,
                                                         int count) const override {
    for (int k = 0; k < count; ++k) vertices[k] = localGetSupportingVertex(directions[k]);
  }
  void calculateLocalInertia(btScalar /*mass*/, btVector3& inertia) const override { inertia.setZero(); }
  const char* getName() const override { return "slipstick"; }

 private:
  const Convex& shape_;
  double scale_;
};

btTransform to_bullet(const ShapePose& pose, double scale) {
  const auto& m = pose.axes;
  return btTransform(
      btMatrix3x3(m(0, 0), m(0, 1), m(0, 2), m(1, 0), m(1, 1), m(1, 2), m(2, 0), m(2, 1), m(2, 2)),
      to_bullet(scale * pose.origin));
}

}  // namespace

bool has_bullet() {
  return true;
}

void nearest_points(const Convex& first, const ShapePose& first_pose, const Convex& second,
                    const ShapePose& second_pose, Separation& out) {
  const double extent = std::min(first.extent(), second.extent());
  const double scale = usual_extent / extent;
  const BulletConvex core_a(first, scale), core_b(second, scale);
  // Both near the origin.
  const Vector3d shared = first_pose.origin;
  ShapePose pose_a = first_pose, pose_b = second_pose;
  pose_a.origin.setZero();
  pose_b.origin -= shared;
  const btTransform at_b = to_bullet(pose_b, scale);
  const Vector3d between = pose_a * first.centre() - pose_b * second.centre();
  const Vector3d guess =
      between.squaredNorm() > 0.0 ? Vector3d(between.normalized()) : Vector3d(Vector3d::UnitZ());

  // The nearest points of the cores after a move of the first. False if they then overlap.
  btGjkEpaSolver2::sResults results;
  Vector3d on_a = Vector3d::Zero(), on_b = Vector3d::Zero();
  bool exact = false;
  const auto nearest_after = [&](const Vector3d& move) {
    ShapePose moved = pose_a;
    moved.origin += move;
    if (!btGjkEpaSolver2::Distance(&core_a, to_bullet(moved, scale), &core_b, at_b, to_bullet(guess),
                                   results))
      return false;
    on_a = from_bullet(results.witnesses[0]) / scale;
    on_b = from_bullet(results.witnesses[1]) / scale;
    const bool clear = (on_a - on_b).norm() > touching * extent;
    exact = clear && refine_nearest(first, moved, second, pose_b, on_a, on_b);
    on_a -= move;
    return clear;
  };
  const auto core_gap = [&](const Vector3d& normal) {
    return gap_along(first, pose_a, second, pose_b, normal) + first.radius() + second.radius();
  };
  const auto finish = [&](const Vector3d& normal, double gap) {
    out.normal = normal;
    out.gap = gap - first.radius() - second.radius();
    out.on_first = on_a - first.radius() * normal + shared;
    out.on_second = on_b + second.radius() * normal + shared;
  };

  Vector3d normal = guess;
  const bool apart = nearest_after(Vector3d::Zero());
  if (apart) {
    const Vector3d difference = on_a - on_b;
    const double distance = difference.norm();
    normal = difference / distance;
    if (distance > (exact ? too_near_if_exact : too_near) * extent) {
      finish(normal, distance);
      return;
    }
  } else if (btGjkEpaSolver2::Penetration(&core_a, to_bullet(pose_a, scale), &core_b, at_b, to_bullet(guess),
                                          results, false)) {
    const Vector3d way_out = from_bullet(results.normal);  // in the axes of the first
    if (way_out.squaredNorm() > 0.5) normal = (pose_a.axes * way_out).normalized();
  }
  // The gap along the normal grows with each move, so the last normal is the best.
  double gap = core_gap(normal);
  const auto try_normal = [&](const Vector3d& other) {
    const double other_gap = core_gap(other);
    if (other_gap > gap) normal = other, gap = other_gap;
  };
  if (!apart) {
    // EPA may fail, or stop at a way out that is not the shortest.
    try_normal(guess);
    for (int k = 0; k < first.face_normals(); ++k) try_normal(-(pose_a.axes * first.face_normal(k)));
    for (int k = 0; k < second.face_normals(); ++k) try_normal(pose_b.axes * second.face_normal(k));
  }
  // It is flat where it is largest: of curved shapes it stays the same long before the normal does.
  const bool curved = first.is_curved() || second.is_curved();
  const double slack = curved ? rounding * extent : 0.0;
  bool found = apart;
  Vector3d best_a = on_a, best_b = on_b;
  for (int move = 0; move < most_moves; ++move) {
    const Vector3d away = (std::max(-gap, 0.0) + move_apart * extent) * normal;
    if (!nearest_after(away)) break;
    const Vector3d next = (on_a + away - on_b).normalized();
    const double next_gap = core_gap(next);
    if (found && next_gap <= gap - slack) break;
    const bool ends = curved ? (next - normal).norm() <= rounding : next_gap <= gap + rounding * extent;
    if (next_gap >= gap - slack) normal = next, gap = next_gap;
    best_a = on_a, best_b = on_b;
    found = true;
    if (ends) break;
  }
  if (found) {
    on_a = best_a;
    on_b = best_b;
  } else {
    on_a = pose_a * first.support(pose_a.axes.transpose() * -normal);
    on_b = pose_b * second.support(pose_b.axes.transpose() * normal);
  }
  finish(normal, gap);
}

#else

bool has_bullet() {
  return false;
}

void nearest_points(const Convex& /*first*/, const ShapePose& /*first_pose*/, const Convex& /*second*/,
                    const ShapePose& /*second_pose*/, Separation& /*out*/) {
  fail("Bullet is not linked");
}

#endif

}  // namespace slipstick::internal
