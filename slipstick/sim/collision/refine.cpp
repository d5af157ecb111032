// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/collision/refine.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "slipstick/sim/collision/nearest.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Form = Convex::Form;
using Slopes = Eigen::Matrix<double, 3, 2>;

// Directions that GJK cannot tell apart.
const Lean exact_lean = {std::sin(1e-5), std::cos(1e-5)};
constexpr int most_steps = 5;

// What a point of a surface can slide on.
struct Piece {
  enum class Kind { point, line, rim, cone_side, face };
  Kind kind = Kind::point;
  int parameters = 0;
  double radius = 0.0;             // around a line, of the side of a cylinder
  Vector3d from, along;            // a line; apex and way to the base's middle of a cone or rim
  Vector3d x, y;                   // of a rim, as long as its radius
  Vector2d at = Vector2d::Zero();  // the share of a line; the angle of a rim, and the share of the way to it

  Vector3d point() const {
    switch (kind) {
      case Kind::line:
        return from + at[0] * along;
      case Kind::rim:
      case Kind::cone_side:
        return from + at[1] * (along + spoke());
      default:
        return from;
    }
  }
  Vector3d spoke() const { return std::cos(at[0]) * x + std::sin(at[0]) * y; }
  Vector3d spoke_slope() const { return std::cos(at[0]) * y - std::sin(at[0]) * x; }
  Slopes slopes() const {
    Slopes result = Slopes::Zero();
    if (kind == Kind::line) result.col(0) = along;
    if (kind == Kind::rim || kind == Kind::cone_side) {
      result.col(0) = at[1] * spoke_slope();
      result.col(1) = along + spoke();
    }
    return result;
  }
  // The second derivatives, each times `force`.
  Eigen::Matrix2d curvature(const Vector3d& force) const {
    Eigen::Matrix2d result = Eigen::Matrix2d::Zero();
    if (kind == Kind::rim || kind == Kind::cone_side) {
      result(0, 0) = -at[1] * force.dot(spoke());
      result(0, 1) = result(1, 0) = force.dot(spoke_slope());
    }
    return result;
  }
  bool is_on() const {
    const auto inside = [](double share) { return share >= 0.0 && share <= 1.0; };
    if (kind == Kind::line) return inside(at[0]);
    return kind != Kind::cone_side || inside(at[1]);
  }
};

// What the point is on, which looks along the direction.
Piece piece_at(const Convex& shape, const ShapePose& pose, const Vector3d& direction, const Vector3d& point) {
  Piece piece;
  Feature feature;
  shape.feature(pose, direction, exact_lean, feature);
  piece.from = feature.corners[0];
  if (feature.is_face()) {
    piece.kind = Piece::Kind::face;
    return piece;
  }
  const double radius = shape.half().x(), half_height = shape.half().z();
  const bool side = feature.count == 2, cone = shape.form() == Form::cone;
  if (shape.is_curved() && (cone || !side)) {
    const Vector3d local = pose.inverse(point);
    const Vector3d top = shape.support(pose.axes.transpose() * direction);
    if (!side && cone && top.z() > 0.0) return piece;  // the apex
    piece.kind = side ? Piece::Kind::cone_side : Piece::Kind::rim;
    piece.parameters = side ? 2 : 1;
    piece.at = {std::atan2(local.y(), local.x()), 1.0};
    if (side) piece.at[1] = (half_height - local.z()) / (2.0 * half_height);
    piece.from = pose.origin + pose.axes.col(2) * (cone ? half_height : 0.0);
    piece.along = pose.axes.col(2) * (cone ? -2.0 * half_height : std::copysign(half_height, top.z()));
    piece.x = radius * pose.axes.col(0);
    piece.y = radius * pose.axes.col(1);
  } else if (side) {
    piece.kind = Piece::Kind::line;
    piece.parameters = 1;
    piece.along = feature.corners[1] - feature.corners[0];
    if (shape.is_curved()) {
      // Around its axis.
      piece.radius = radius;
      piece.from = pose.origin - half_height * pose.axes.col(2);
      piece.along = 2.0 * half_height * pose.axes.col(2);
    }
    piece.at[0] = piece.along.dot(point - piece.from) / piece.along.squaredNorm();
  }
  return piece;
}

// Newton's method for the smallest distance. Parameters that a piece does not have stay as they are, and so
// do those that nothing determines, of parallel lines.
void slide_together(Piece& a, Piece& b) {
  for (int turn = 0; turn < most_steps; ++turn) {
    const Vector3d between = a.point() - b.point();
    Eigen::Matrix<double, 3, 4> slopes;
    slopes << a.slopes(), -b.slopes();
    Eigen::Matrix4d hessian = slopes.transpose() * slopes;
    hessian.topLeftCorner<2, 2>() += a.curvature(between);
    hessian.bottomRightCorner<2, 2>() -= b.curvature(between);
    Eigen::Vector4d slope = slopes.transpose() * between;
    for (const int k : {0, 1, 2, 3}) {
      if ((k < 2 ? a : b).parameters > k % 2) continue;
      hessian.row(k).setZero();
      hessian.col(k).setZero();
      slope[k] = 0.0;
    }
    Eigen::FullPivLU<Eigen::Matrix4d> factor;
    factor.setThreshold(1e-9);
    const Eigen::Vector4d step = factor.compute(hessian).solve(slope);
    a.at -= step.head<2>();
    b.at -= step.tail<2>();
    if (!(step.lpNorm<Eigen::Infinity>() > 1e-15)) break;
  }
}

}  // namespace

bool refine_nearest(const Convex& first, const ShapePose& first_pose, const Convex& second,
                    const ShapePose& second_pose, Vector3d& on_first, Vector3d& on_second) {
  if (!first.is_curved() && !second.is_curved()) return false;
  const double extent = std::min(first.extent(), second.extent());
  const auto core_gap = [&](const Vector3d& normal) {
    return gap_along(first, first_pose, second, second_pose, normal) + first.radius() + second.radius();
  };
  const Vector3d normal = (on_first - on_second).normalized();
  Piece a = piece_at(first, first_pose, -normal, on_first);
  Piece b = piece_at(second, second_pose, normal, on_second);
  if (a.kind == Piece::Kind::face || b.kind == Piece::Kind::face) return false;
  slide_together(a, b);
  const Vector3d between = a.point() - b.point();
  const double length = between.norm(), distance = length - a.radius - b.radius;
  if (!(distance > 0.0) || !a.is_on() || !b.is_on()) return false;
  const Vector3d exact = between / length;
  // No points are nearer than this.
  const double proof = core_gap(exact);
  if (!(proof >= core_gap(normal) - 1e-14 * extent && std::abs(proof - distance) <= 1e-12 * extent))
    return false;
  on_first = a.point() - a.radius * exact;
  on_second = b.point() + b.radius * exact;
  return true;
}

}  // namespace slipstick::internal
