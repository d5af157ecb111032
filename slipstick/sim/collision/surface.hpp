// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <vector>

#include "slipstick/scene.hpp"
#include "slipstick/sim/collision/path.hpp"

namespace slipstick::internal {

/// A surface of triangles that know their neighbours: a mesh, or a height field whose cells are cut in two.
///
/// Contacts at inner edges have the normals of faces: an edge or a corner touches by itself only if the
/// direction lies between the normals of its faces (its Voronoi region). Only the outside touches.
class Surface {
 public:
  explicit Surface(const MeshShape& mesh);
  explicit Surface(const HeightFieldShape& field);

  const Eigen::Vector3d& low() const { return low_; }
  const Eigen::Vector3d& high() const { return high_; }

  /// Adds the points where a convex shape touches on its way, unreduced. The path is in the axes of the pair.
  void touch(const Convex& first, const ShapePose& first_pose, const ShapePose& surface_pose,
             const StepPath& path, std::vector<PatchPoint>& points);

 private:
  struct Node {
    Eigen::Vector3d low, high;
    int begin, end;  // of its triangles, in order_
    int right;       // the left one follows the node; -1: leaf
  };

  std::array<int, 3> corners(int triangle) const;
  Eigen::Vector3d point(int number) const;
  int neighbour(int triangle, int side) const;
  std::array<Eigen::Vector3d, 3> points_of(int triangle) const;
  Eigen::Vector3d normal_of(int triangle) const;

  void find_neighbours();
  int build(int begin, int end);
  void list_triangles(const Eigen::Vector3d& low, const Eigen::Vector3d& high);
  bool looks_outward(int triangle, const Eigen::Vector3d& place, const Eigen::Vector3d& direction) const;
  bool edge_looks(int triangle, int side, const Eigen::Vector3d& direction) const;
  bool corner_looks(int triangle, int corner, const Eigen::Vector3d& direction) const;
  void touch_triangle(int triangle, const Convex& first, const ShapePose& first_pose,
                      const ShapePose& surface_pose, const StepPath& path,
                      std::vector<PatchPoint>& points) const;

  Eigen::Vector3d low_ = Eigen::Vector3d::Zero(), high_ = Eigen::Vector3d::Zero();
  // A mesh.
  std::vector<Eigen::Vector3d> points_;
  std::vector<std::array<int, 3>> triangles_;
  std::vector<std::array<int, 3>> neighbours_;  // over the side from a corner to the next; -1: none
  std::vector<int> order_;
  std::vector<Node> nodes_;
  // A height field.
  Eigen::MatrixXd heights_;
  double spacing_ = 0.0;

  std::vector<int> listed_, stack_;  // of a call
};

}  // namespace slipstick::internal
