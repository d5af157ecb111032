// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/collision/nearest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

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
// A distance is right if it is the gap along its direction within this share of the extent.
constexpr double right_distance = 1e-6;
constexpr int most_supports = 200;

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

// A point of the Minkowski difference.
struct Vertex {
  Vector3d a, b;
  Vector3d x() const { return a - b; }
};

// A simplex of the Minkowski difference, and its point next to the origin. The point is the best of those of
// all faces. A face that is flat but for rounding has none, and a smaller one takes its place.
class SupportSimplex {
 public:
  explicit SupportSimplex(const Vertex& first) : vertices_{first}, nearest_(first) {}
  const Vertex& nearest() const { return nearest_; }

  // Keeps the vertices of the nearest face and this one. False if the origin is inside.
  bool add(const Vertex& vertex) {
    vertices_[static_cast<std::size_t>(count_++)] = vertex;
    if (count_ == 4 && has_origin()) return false;
    double least = std::numeric_limits<double>::infinity();
    std::array<Vertex, 4> face;
    int size = 0;
    for (int i = 0; i < count_; ++i) {
      for (int j = i; j < count_; ++j) {
        for (int k = j; k < count_; ++k) {
          if (k == j && j > i) continue;  // pairs are i, i, k
          const auto point = nearest_of(at(i), at(j), at(k));
          if (!point || !(point->x().squaredNorm() < least)) continue;
          least = point->x().squaredNorm();
          nearest_ = *point;
          size = 0;
          face[static_cast<std::size_t>(size++)] = at(i);
          if (j > i) face[static_cast<std::size_t>(size++)] = at(j);
          if (k > j) face[static_cast<std::size_t>(size++)] = at(k);
        }
      }
    }
    vertices_ = face;
    count_ = size;
    return true;
  }

 private:
  const Vertex& at(int k) const { return vertices_[static_cast<std::size_t>(k)]; }

  // Of the inner point of a face that is next to the origin. Vertices may be the same. Empty if the point is
  // not inside.
  static std::optional<Vertex> nearest_of(const Vertex& u, const Vertex& v, const Vertex& w) {
    const Vector3d x = u.x(), to_v = v.x() - x, to_w = w.x() - x;
    const double vv = to_v.squaredNorm(), ww = to_w.squaredNorm(), vw = to_v.dot(to_w);
    const double on_v = -to_v.dot(x), on_w = -to_w.dot(x);
    double s = 0.0, t = 0.0;  // shares of v and w
    if (vv > 0.0) {
      const double determinant = vv * ww - vw * vw;
      if (!(determinant > flat * vv * ww)) return {};
      s = (ww * on_v - vw * on_w) / determinant;
      t = (vv * on_w - vw * on_v) / determinant;
    } else if (ww > 0.0) {
      t = on_w / ww;
    }
    if (s < 0.0 || t < 0.0 || s + t > 1.0) return {};
    const double r = 1.0 - s - t;
    return Vertex{r * u.a + s * v.a + t * w.a, r * u.b + s * v.b + t * w.b};
  }

  // True if each vertex is on the same side of the opposite face as the origin.
  bool has_origin() const {
    for (int k = 0; k < 4; ++k) {
      const Vector3d x = at((k + 1) % 4).x();
      const Vector3d normal = (at((k + 2) % 4).x() - x).cross(at((k + 3) % 4).x() - x);
      if (!(normal.dot(at(k).x() - x) * normal.dot(-x) > 0.0)) return false;
    }
    return true;
  }

  static constexpr double flat = 1e-14;  // squared sine of an angle

  std::array<Vertex, 4> vertices_;
  int count_ = 1;
  Vertex nearest_;
};

// The cores of two shapes, near the origin and scaled.
class CorePair {
 public:
  CorePair(const Convex& first, const ShapePose& first_pose, const Convex& second,
           const ShapePose& second_pose)
      : first_(first),
        second_(second),
        pose_a_{first_pose.axes, Vector3d::Zero()},
        pose_b_{second_pose.axes, second_pose.origin - first_pose.origin},
        extent_(std::min(first.extent(), second.extent())),
        scale_(usual_extent / extent_),
        core_a_(first, scale_),
        core_b_(second, scale_),
        at_b_(to_bullet(pose_b_, scale_)) {
    const Vector3d between = pose_a_ * first.centre() - pose_b_ * second.centre();
    guess_ = between.squaredNorm() > 0.0 ? Vector3d(between.normalized()) : Vector3d(Vector3d::UnitZ());
  }

  double extent() const { return extent_; }
  const Vector3d& guess() const { return guess_; }
  const Vector3d& on_first() const { return on_a_; }
  const Vector3d& on_second() const { return on_b_; }
  bool exact() const { return exact_; }  // the nearest points are
  bool curved() const { return first_.is_curved() || second_.is_curved(); }

  double gap(const Vector3d& normal) const {
    return gap_along(first_, pose_a_, second_, pose_b_, normal) + first_.radius() + second_.radius();
  }

  // The nearest points after a move of the first. False if the cores then overlap. Bullet gives up at
  // simplices that are flat but for rounding, once in a few hundred calls and at any distance. It also ends
  // where the distance is right, and its direction is not. The gap along the direction tells: it is never
  // more than the distance.
  bool nearest_after(const Vector3d& move, Vector3d& normal) {
    const btTransform at_a = to_bullet({pose_a_.axes, move}, scale_);
    Vertex nearest = support_along(guess_, move);
    if (btGjkEpaSolver2::Distance(&core_a_, at_a, &core_b_, at_b_, to_bullet(guess_), results_)) {
      nearest = {from_bullet(results_.witnesses[0]) / scale_, from_bullet(results_.witnesses[1]) / scale_};
    } else if (results_.status == btGjkEpaSolver2::sResults::Penetrating) {
      return false;
    }
    if (!find_nearest(move, nearest)) return false;
    normal = nearest.x().normalized();
    on_a_ = nearest.a - move, on_b_ = nearest.b;
    refine(move, normal);
    return true;
  }

  // Calls visit with the way out that EPA finds, and with those by way of a face.
  template <class Visit>
  void for_each_way_out(const Visit& visit) {
    if (btGjkEpaSolver2::Penetration(&core_a_, to_bullet(pose_a_, scale_), &core_b_, at_b_, to_bullet(guess_),
                                     results_, false)) {
      const Vector3d way_out = from_bullet(results_.normal);  // in the axes of the first
      if (way_out.squaredNorm() > 0.5) visit(Vector3d((pose_a_.axes * way_out).normalized()));
    }
    for (int k = 0; k < first_.face_normals(); ++k) visit(Vector3d(-(pose_a_.axes * first_.face_normal(k))));
    for (int k = 0; k < second_.face_normals(); ++k) visit(Vector3d(pose_b_.axes * second_.face_normal(k)));
  }

  void set_supports(const Vector3d& normal) {
    on_a_ = pose_a_ * first_.support(pose_a_.axes.transpose() * -normal);
    on_b_ = pose_b_ * second_.support(pose_b_.axes.transpose() * normal);
  }
  void set_points(const Vector3d& a, const Vector3d& b) { on_a_ = a, on_b_ = b; }

 private:
  // The vertex of the Minkowski difference that lies farthest against the normal.
  Vertex support_along(const Vector3d& normal, const Vector3d& move) const {
    return {pose_a_ * first_.support(pose_a_.axes.transpose() * -normal) + move,
            pose_b_ * second_.support(pose_b_.axes.transpose() * normal)};
  }
  // The algorithm of Gilbert, Johnson and Keerthi (1988) from a point of the difference. False if the cores
  // touch or overlap.
  bool find_nearest(const Vector3d& move, Vertex& nearest) const {
    SupportSimplex simplex(nearest);
    for (int k = 0; k < most_supports; ++k) {
      const double distance = nearest.x().norm();
      if (distance <= touching * extent_) return false;
      const Vector3d normal = nearest.x() / distance;
      const Vertex farther = support_along(normal, move);
      if (distance - normal.dot(farther.x()) <= right_distance * std::max(distance, extent_)) return true;
      if (!simplex.add(farther)) return false;
      const Vertex next = simplex.nearest();
      if (!(next.x().squaredNorm() < distance * distance)) return true;
      nearest = next;
    }
    return true;
  }
  void refine(const Vector3d& move, Vector3d& normal) {
    Vector3d a = on_a_ + move, b = on_b_;
    exact_ = refine_nearest(first_, {pose_a_.axes, move}, second_, pose_b_, a, b) &&
             (a - b).norm() > touching * extent_;
    if (!exact_) return;
    normal = (a - b).normalized();
    on_a_ = a - move, on_b_ = b;
  }

  const Convex &first_, &second_;
  const ShapePose pose_a_, pose_b_;
  const double extent_, scale_;
  const BulletConvex core_a_, core_b_;
  const btTransform at_b_;
  Vector3d guess_;
  btGjkEpaSolver2::sResults results_;
  Vector3d on_a_ = Vector3d::Zero(), on_b_ = Vector3d::Zero();
  bool exact_ = false;
};

// Improves a way out: the first core is moved out along it, and the nearest points give the next one. The gap
// grows with each move, so the last normal is the best.
void improve_way_out(CorePair& cores, bool found, Vector3d& normal, double& gap) {
  // It is flat where it is largest: of curved shapes it stays the same long before the normal does.
  const bool curved = cores.curved();
  const double slack = curved ? rounding * cores.extent() : 0.0;
  Vector3d best_a = cores.on_first(), best_b = cores.on_second(), next;
  for (int move = 0; move < most_moves; ++move) {
    const Vector3d away = (std::max(-gap, 0.0) + move_apart * cores.extent()) * normal;
    if (!cores.nearest_after(away, next)) break;
    const double next_gap = cores.gap(next);
    if (found && next_gap <= gap - slack) break;
    const bool ends =
        curved ? (next - normal).norm() <= rounding : next_gap <= gap + rounding * cores.extent();
    if (next_gap >= gap - slack) normal = next, gap = next_gap;
    best_a = cores.on_first(), best_b = cores.on_second();
    found = true;
    if (ends) break;
  }
  if (found) {
    cores.set_points(best_a, best_b);
  } else {
    cores.set_supports(normal);
  }
}

}  // namespace

bool has_bullet() {
  return true;
}

void nearest_points(const Convex& first, const ShapePose& first_pose, const Convex& second,
                    const ShapePose& second_pose, Separation& out) {
  CorePair cores(first, first_pose, second, second_pose);
  const auto finish = [&](const Vector3d& normal, double gap) {
    out.normal = normal;
    out.gap = gap - first.radius() - second.radius();
    out.on_first = cores.on_first() - first.radius() * normal + first_pose.origin;
    out.on_second = cores.on_second() + second.radius() * normal + first_pose.origin;
  };
  Vector3d normal = cores.guess();
  if (cores.nearest_after(Vector3d::Zero(), normal)) {
    const double distance = (cores.on_first() - cores.on_second()).norm();
    double gap = distance;
    if (distance <= (cores.exact() ? too_near_if_exact : too_near) * cores.extent()) {
      gap = cores.gap(normal);
      improve_way_out(cores, true, normal, gap);
    }
    return finish(normal, gap);
  }
  // EPA may fail, or stop at a way out that is not the shortest.
  double gap = cores.gap(normal);
  const auto try_normal = [&](const Vector3d& other) {
    const double other_gap = cores.gap(other);
    if (other_gap > gap) normal = other, gap = other_gap;
  };
  cores.for_each_way_out(try_normal);
  improve_way_out(cores, false, normal, gap);
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
