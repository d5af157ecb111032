// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "slipstick/scene.hpp"

namespace slipstick::internal {

/// Where a shape is: from its own axes to those of the pair.
struct ShapePose {
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();

  Eigen::Vector3d operator*(const Eigen::Vector3d& point) const { return axes * point + origin; }
  Eigen::Vector3d inverse(const Eigen::Vector3d& point) const { return axes.transpose() * (point - origin); }
};

/// The corners of a face in turn, the ends of an edge, or a point.
struct Feature {
  static constexpr int most = 48;
  std::array<Eigen::Vector3d, most> corners;
  int count = 0;
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< outward, of a face

  bool is_face() const { return count >= 3; }
  void add(const Eigen::Vector3d& corner) {
    if (count < most) corners[static_cast<std::size_t>(count++)] = corner;
  }
};

/// What a face, an edge or a cap may lean to the direction that it is asked for.
struct Lean {
  double sine = 0.0, cosine = 1.0;
  bool any = false;  ///< the face that looks most into the direction, however much it leans
};
inline const Lean slight_lean = {std::sin(0.1), std::cos(0.1)};
inline const Lean any_lean = {std::sqrt(0.5), std::sqrt(0.5), true};

/// A convex set: all points within `radius` of a core. It has no tolerance of its own.
class Convex {
 public:
  enum class Form { point, segment, box, cylinder, cone, hull, triangle };

  static Convex sphere(double radius);
  static Convex capsule(double radius, double height);
  static Convex box(const Eigen::Vector3d& size);
  static Convex cylinder(double radius, double height);
  static Convex cone(double radius, double height);
  static Convex hull(std::span<const Eigen::Vector3d> points);
  /// Counterclockwise around the normal. It keeps no memory of its own.
  static Convex triangle(const std::array<Eigen::Vector3d, 3>& points, const Eigen::Vector3d& normal);

  Form form() const { return form_; }
  bool is_curved() const { return form_ == Form::cylinder || form_ == Form::cone; }
  double radius() const { return radius_; }
  /// Half edges of a box; radius and half height of the core otherwise, in x and z.
  const Eigen::Vector3d& half() const { return half_; }
  /// The smallest width.
  double extent() const { return extent_; }
  /// A point inside, and the radius about it that holds the shape.
  const Eigen::Vector3d& centre() const { return centre_; }
  double reach() const { return reach_; }
  const std::array<Eigen::Vector3d, 3>& triangle_points() const { return triangle_; }

  /// The point of the core that is farthest along the direction, in the shape's axes.
  Eigen::Vector3d support(const Eigen::Vector3d& direction) const;
  /// The outward normals of flat faces, in the shape's axes.
  int face_normals() const;
  Eigen::Vector3d face_normal(int number) const;
  /// The face, edge or point of the core that looks along the direction, a unit vector. It is in the axes of
  /// the pair, as the direction.
  void feature(const ShapePose& pose, const Eigen::Vector3d& direction, const Lean& lean, Feature& out) const;

 private:
  struct Face {
    Eigen::Vector3d normal;
    int first, count;  // of its corners
  };
  void hull_feature(const ShapePose& pose, const Eigen::Vector3d& along, const Lean& lean,
                    Feature& out) const;
  void box_feature(const ShapePose& pose, const Eigen::Vector3d& along, const Lean& lean, Feature& out) const;
  void cap(const ShapePose& pose, const Eigen::Vector3d& along, double side, Feature& out) const;
  void find_faces();

  Form form_ = Form::point;
  double radius_ = 0.0;
  Eigen::Vector3d half_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d centre_ = Eigen::Vector3d::Zero();
  double extent_ = 0.0, reach_ = 0.0;
  std::array<Eigen::Vector3d, 3> triangle_;
  Eigen::Vector3d triangle_normal_ = Eigen::Vector3d::Zero();
  std::vector<Eigen::Vector3d> points_;  // of a hull
  std::vector<Face> faces_;
  std::vector<int> corners_;  // of the faces, by their points
};

}  // namespace slipstick::internal
