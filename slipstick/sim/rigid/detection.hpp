// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "slipstick/sim/rigid/body.hpp"

namespace slipstick::internal {

/// Two bodies that touch, or may touch during the step.
struct Touch {
  std::uint64_t key = 0;
  std::array<int, 2> bodies = {-1, -1};
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  ///< from the second body to the first
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  double gap = 0.0;  ///< negative: penetration
};

/// A contact that a scene supplies: a point of the first body against a plane of the second, both fixed to
/// their bodies. The plane has no edges.
struct GivenContact {
  std::array<int, 2> bodies = {-1, -1};
  Eigen::Vector3d point = Eigen::Vector3d::Zero();     ///< in the axes of the first body
  Eigen::Vector3d on_plane = Eigen::Vector3d::Zero();  ///< a point of the plane, in the axes of the second
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();   ///< out of the second body, in its axes
};

/// What the detection needs to know about a step.
struct DetectionScope {
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  double time_step = 0.0;
  double margin = 0.0;  ///< contacts with a gap of this share of the bodies' radii are listed anyway
  std::span<const std::uint64_t> excluded = {};  ///< contact_key(first, second), sorted
};

/// Finds the contacts of spheres with spheres and planes, of the corners of boxes with planes, and the given
/// ones. A contact is listed if the bodies can close its gap in the step, by their velocities and gravity.
///
/// Pairs of spheres come from a uniform grid with cells as wide as the largest sphere. For spheres of similar
/// size this takes O(n log n). The touches are in the order of their keys. A second call with no more bodies
/// and touches allocates nothing.
class Detection {
 public:
  void find(std::span<const Body> bodies, std::span<const GivenContact> given, const DetectionScope& scope,
            std::vector<Touch>& touches);

 private:
  struct Cell {
    std::uint64_t place;
    int sphere;  // its place in spheres_
  };
  struct GridSphere {
    int body;
    Eigen::Vector3d centre;
    double radius;
    double extent;  // radius, and what it may move
  };

  void sort_bodies();
  void sort_into_cells();
  void find_sphere_pairs();
  void add_sphere_pair(const GridSphere& a, const GridSphere& b);
  void find_on_plane(int plane);
  void add_corners(int box, int plane, const Eigen::Vector3d& normal, double range);
  void add_given(const GivenContact& contact, int number);
  void add(int first, int second, int feature, const Eigen::Vector3d& normal, const Eigen::Vector3d& point,
           double gap);
  double reach(const Body& body, double arm) const;
  bool excluded(int first, int second) const;

  // Those of the call.
  std::span<const Body> bodies_;
  DetectionScope scope_;
  std::vector<Touch>* touches_ = nullptr;

  std::vector<int> planes_, boxes_;
  std::vector<GridSphere> spheres_;
  std::vector<Cell> cells_;
};

}  // namespace slipstick::internal
