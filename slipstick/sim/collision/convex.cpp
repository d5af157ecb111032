// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/collision/convex.hpp"

#include <algorithm>
#include <limits>
#include <numbers>
#include <numeric>

#include "slipstick/model/convex_hull.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Vector3d;

// A rim touches in corners of this polygon, and where it is lowest.
constexpr int rim_corners = 8;
constexpr double pi = std::numbers::pi;

double sign_of(double number) {
  return number < 0.0 ? -1.0 : 1.0;
}

// The direction of the rim that looks along `along`; x if none does.
Vector3d outward(const Vector3d& along) {
  const double length = std::hypot(along.x(), along.y());
  return length > 0.0 ? Vector3d(along.x() / length, along.y() / length, 0.0) : Vector3d(1.0, 0.0, 0.0);
}

}  // namespace

Convex Convex::sphere(double radius) {
  Convex shape;
  shape.radius_ = shape.reach_ = radius;
  shape.extent_ = 2.0 * radius;
  return shape;
}

Convex Convex::capsule(double radius, double height) {
  Convex shape;
  shape.form_ = Form::segment;
  shape.radius_ = radius;
  shape.half_ = {0.0, 0.0, 0.5 * height};
  shape.extent_ = 2.0 * radius;
  shape.reach_ = radius + 0.5 * height;
  return shape;
}

Convex Convex::box(const Vector3d& size) {
  Convex shape;
  shape.form_ = Form::box;
  shape.half_ = 0.5 * size;
  shape.extent_ = size.minCoeff();
  shape.reach_ = shape.half_.norm();
  return shape;
}

Convex Convex::cylinder(double radius, double height) {
  Convex shape;
  shape.form_ = Form::cylinder;
  shape.half_ = {radius, radius, 0.5 * height};
  shape.extent_ = std::min(2.0 * radius, height);
  shape.reach_ = std::hypot(radius, 0.5 * height);
  return shape;
}

Convex Convex::cone(double radius, double height) {
  Convex shape = cylinder(radius, height);
  shape.form_ = Form::cone;
  shape.centre_ = {0.0, 0.0, -0.25 * height};
  shape.reach_ = std::max(0.75 * height, std::hypot(radius, 0.25 * height));
  return shape;
}

Convex Convex::hull(std::span<const Vector3d> points) {
  Convex shape;
  shape.form_ = Form::hull;
  shape.points_.assign(points.begin(), points.end());
  for (const Vector3d& point : points) shape.centre_ += point / static_cast<double>(points.size());
  for (const Vector3d& point : points) shape.reach_ = std::max(shape.reach_, (point - shape.centre_).norm());
  shape.find_faces();
  shape.extent_ = std::numeric_limits<double>::infinity();
  for (const Face& face : shape.faces_) {
    const Vector3d on_face = shape.points_[static_cast<std::size_t>(shape.corners_[face.first])];
    const double width = face.normal.dot(on_face - shape.support(-face.normal));
    shape.extent_ = std::min(shape.extent_, width);
  }
  return shape;
}

Convex Convex::triangle(const std::array<Vector3d, 3>& points, const Vector3d& normal) {
  Convex shape;
  shape.form_ = Form::triangle;
  shape.triangle_ = points;
  shape.triangle_normal_ = normal;
  shape.centre_ = (points[0] + points[1] + points[2]) / 3.0;
  for (const Vector3d& point : points) shape.reach_ = std::max(shape.reach_, (point - shape.centre_).norm());
  shape.extent_ = std::numeric_limits<double>::infinity();
  return shape;
}

// Triangles of the hull that lie in a plane are one face, also if points have the digits of a float only. The
// largest triangles say where the planes are. The corners of a face turn counterclockwise.
void Convex::find_faces() {
  const std::vector<std::array<int, 3>> triangles = hull_triangles(points_);
  const double flat = 1e-6 * reach_;
  std::vector<Vector3d> normals;
  std::vector<double> areas;
  for (const auto& t : triangles) {
    const auto point = [&](int k) { return points_[static_cast<std::size_t>(t[k])]; };
    const Vector3d cross = (point(1) - point(0)).cross(point(2) - point(0));
    normals.push_back(cross.stableNormalized());
    areas.push_back(cross.stableNorm());
  }
  std::vector<std::size_t> order(triangles.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return areas[a] > areas[b]; });
  std::vector<char> taken(triangles.size(), 0);
  std::vector<int> ring;
  for (const std::size_t k : order) {
    if (taken[k] != 0) continue;
    const Vector3d& normal = normals[k];
    const double height = normal.dot(points_[static_cast<std::size_t>(triangles[k][0])]);
    const auto is_in_plane = [&](int corner) {
      return std::abs(normal.dot(points_[static_cast<std::size_t>(corner)]) - height) <= flat;
    };
    ring.clear();
    for (std::size_t other = 0; other < triangles.size(); ++other) {
      if (taken[other] != 0 || !(normals[other].dot(normal) > 0.0 || other == k) ||
          !std::all_of(triangles[other].begin(), triangles[other].end(), is_in_plane))
        continue;
      taken[other] = 1;
      ring.insert(ring.end(), triangles[other].begin(), triangles[other].end());
    }
    std::sort(ring.begin(), ring.end());
    ring.erase(std::unique(ring.begin(), ring.end()), ring.end());
    const auto point = [&](int corner) -> const Vector3d& { return points_[corner]; };
    Vector3d middle = Vector3d::Zero();
    for (const int corner : ring) middle += point(corner) / static_cast<double>(ring.size());
    const Vector3d x = (point(ring.front()) - middle).normalized(), y = normal.cross(x);
    std::sort(ring.begin(), ring.end(), [&](int a, int b) {
      const Vector3d to_a = point(a) - middle, to_b = point(b) - middle;
      return std::atan2(y.dot(to_a), x.dot(to_a)) < std::atan2(y.dot(to_b), x.dot(to_b));
    });
    // A face with more corners than a feature holds is thinned out.
    const std::size_t every = (ring.size() + Feature::most - 1) / Feature::most;
    faces_.push_back({normal, static_cast<int>(corners_.size()), 0});
    for (std::size_t corner = 0; corner < ring.size(); corner += every) {
      corners_.push_back(ring[corner]);
      ++faces_.back().count;
    }
  }
}

Vector3d Convex::support(const Vector3d& direction) const {
  switch (form_) {
    case Form::point:
      return Vector3d::Zero();
    case Form::segment:
      return {0.0, 0.0, direction.z() < 0.0 ? -half_.z() : half_.z()};
    case Form::box:
      return {direction.x() < 0.0 ? -half_.x() : half_.x(), direction.y() < 0.0 ? -half_.y() : half_.y(),
              direction.z() < 0.0 ? -half_.z() : half_.z()};
    case Form::cylinder: {
      const Vector3d rim = half_.x() * outward(direction);
      return {rim.x(), rim.y(), direction.z() < 0.0 ? -half_.z() : half_.z()};
    }
    case Form::cone: {
      const double across = std::hypot(direction.x(), direction.y());
      if (direction.z() * half_.z() * 2.0 >= across * half_.x()) return {0.0, 0.0, half_.z()};
      const Vector3d rim = half_.x() * outward(direction);
      return {rim.x(), rim.y(), -half_.z()};
    }
    case Form::hull: {
      std::size_t best = 0;
      double farthest = direction.dot(points_[0]);
      for (std::size_t k = 1; k < points_.size(); ++k) {
        const double distance = direction.dot(points_[k]);
        if (distance > farthest) farthest = distance, best = k;
      }
      return points_[best];
    }
    case Form::triangle: {
      std::size_t best = 0;
      for (std::size_t k = 1; k < 3; ++k)
        if (direction.dot(triangle_[k]) > direction.dot(triangle_[best])) best = k;
      return triangle_[best];
    }
  }
  return Vector3d::Zero();
}

int Convex::face_normals() const {
  switch (form_) {
    case Form::box:
      return 6;
    case Form::cylinder:
    case Form::triangle:
      return 2;
    case Form::cone:
      return 1;
    case Form::hull:
      return static_cast<int>(faces_.size());
    default:
      return 0;
  }
}

Vector3d Convex::face_normal(int number) const {
  const double side = number % 2 == 0 ? -1.0 : 1.0;
  if (form_ == Form::hull) return faces_[number].normal;
  if (form_ == Form::triangle) return side * triangle_normal_;
  return side * Vector3d::Unit(form_ == Form::box ? number / 2 : 2);
}

void Convex::feature(const ShapePose& pose, const Vector3d& direction, const Lean& lean, Feature& out) const {
  const Vector3d along = pose.axes.transpose() * direction;
  out.count = 0;
  out.normal.setZero();
  switch (form_) {
    case Form::point:
      out.add(pose.origin);
      return;
    case Form::segment:
      if (std::abs(along.z()) > lean.sine) {
        out.add(pose * support(along));
      } else {
        out.add(pose * Vector3d(0.0, 0.0, -half_.z()));
        out.add(pose * Vector3d(0.0, 0.0, half_.z()));
      }
      return;
    case Form::box:
      box_feature(pose, along, lean, out);
      return;
    case Form::cylinder:
      if (std::abs(along.z()) >= lean.cosine) {
        cap(pose, along, sign_of(along.z()), out);
      } else if (std::abs(along.z()) <= lean.sine) {
        const Vector3d rim = half_.x() * outward(along);
        out.add(pose * Vector3d(rim.x(), rim.y(), -half_.z()));
        out.add(pose * Vector3d(rim.x(), rim.y(), half_.z()));
      } else {
        out.add(pose * support(along));
      }
      return;
    case Form::cone: {
      if (-along.z() >= lean.cosine) {
        cap(pose, along, -1.0, out);
        return;
      }
      const Vector3d rim = outward(along);
      const Vector3d side =
          Vector3d(2.0 * half_.z() * rim.x(), 2.0 * half_.z() * rim.y(), half_.x()).normalized();
      if (side.dot(along) >= lean.cosine) {
        out.add(pose * Vector3d(half_.x() * rim.x(), half_.x() * rim.y(), -half_.z()));
        out.add(pose * Vector3d(0.0, 0.0, half_.z()));
      } else {
        out.add(pose * support(along));
      }
      return;
    }
    case Form::hull:
    case Form::triangle:
      hull_feature(pose, along, lean, out);
      return;
  }
}

// The face, edge or corner of a box that looks along the direction.
void Convex::box_feature(const ShapePose& pose, const Vector3d& along, const Lean& lean, Feature& out) const {
  int largest = 0, smallest = 0;
  along.cwiseAbs().maxCoeff(&largest);
  along.cwiseAbs().minCoeff(&smallest);
  const Vector3d corner = support(along);
  const bool face = std::abs(along[largest]) >= lean.cosine || lean.any;
  if (face) {
    const int u = (largest + 1) % 3, v = (largest + 2) % 3;
    const double side = sign_of(along[largest]);
    const Vector3d middle = pose.origin + pose.axes.col(largest) * (side * half_[largest]);
    const Vector3d to_u = pose.axes.col(u) * half_[u], to_v = pose.axes.col(v) * (side * half_[v]);
    out.normal = side * pose.axes.col(largest);
    out.add(middle + to_u + to_v);
    out.add(middle - to_u + to_v);
    out.add(middle - to_u - to_v);
    out.add(middle + to_u - to_v);
  } else if (std::abs(along[smallest]) <= lean.sine) {
    Vector3d end = corner;
    end[smallest] = half_[smallest];
    out.add(pose * end);
    end[smallest] = -half_[smallest];
    out.add(pose * end);
  } else {
    out.add(pose * corner);
  }
}

// The base of a cylinder or cone as a polygon that is fixed to the shape. The point that looks most along the
// direction takes the place of its neighbour, or a place between two.
void Convex::cap(const ShapePose& pose, const Vector3d& along, double side, Feature& out) const {
  out.normal = side * pose.axes.col(2);
  const double across = std::hypot(along.x(), along.y());
  const bool leans = across > 1e-9;
  double lowest = leans ? std::atan2(along.y(), along.x()) : 0.0;
  if (lowest < 0.0) lowest += 2.0 * pi;
  const double step = 2.0 * pi / rim_corners;
  const auto add = [&](double angle) {
    out.add(pose * Vector3d(half_.x() * std::cos(angle), half_.x() * std::sin(angle), side * half_.z()));
  };
  for (int k = 0; k < rim_corners; ++k) {
    const int turn = side > 0.0 ? k : rim_corners - 1 - k;
    const double angle = step * turn;
    double from = leans ? lowest - angle : pi;
    if (from > pi) from -= 2.0 * pi;
    if (from < -pi) from += 2.0 * pi;
    if (std::abs(from) < 0.2 * step) {
      add(lowest);
      continue;
    }
    const bool before = side > 0.0 ? from < 0.0 : from > 0.0;
    const bool beside = std::abs(from) <= 0.5 * step && leans;
    if (beside && before) add(lowest);
    add(angle);
    if (beside && !before) add(lowest);
  }
}

void Convex::hull_feature(const ShapePose& pose, const Vector3d& along, const Lean& lean,
                          Feature& out) const {
  const bool flat = form_ == Form::triangle;
  // The corners of the face that looks most along the direction.
  std::span<const int> face;
  constexpr std::array<int, 3> front = {0, 1, 2}, back = {0, 2, 1};
  Vector3d normal = triangle_normal_;
  if (flat) {
    const bool ahead = along.dot(normal) >= 0.0;
    if (!ahead) normal = -normal;
    face = ahead ? front : back;
  } else {
    const auto best = std::max_element(faces_.begin(), faces_.end(), [&](const Face& a, const Face& b) {
      return along.dot(a.normal) < along.dot(b.normal);
    });
    normal = best->normal;
    face = std::span(corners_).subspan(best->first, best->count);
  }
  const auto point = [&](int k) -> const Vector3d& { return flat ? triangle_[k] : points_[k]; };
  if (along.dot(normal) >= lean.cosine || lean.any) {
    out.normal = pose.axes * normal;
    for (const int corner : face) out.add(pose * point(corner));
    return;
  }
  // The edge of this face that is level and reaches the top.
  const Vector3d top = support(along);
  double least = lean.sine;
  for (std::size_t k = 0; k < face.size(); ++k) {
    const Vector3d &a = point(face[k]), &b = point(face[(k + 1) % face.size()]);
    const double length = (b - a).norm();
    const double rise = std::abs(along.dot(b - a)) / length;
    const double below = std::min(along.dot(top - a), along.dot(top - b));
    if (rise > least || below > 1e-9 * length) continue;
    least = rise;
    out.count = 0;
    out.add(pose * a);
    out.add(pose * b);
  }
  if (out.count == 0) out.add(pose * top);
}

}  // namespace slipstick::internal
