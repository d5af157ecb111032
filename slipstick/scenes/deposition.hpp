// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "slipstick/base/random.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/matrix.hpp"

namespace slipstick::internal {

struct Sphere {
  Eigen::Vector3d centre;
  double radius;
};

/// A container on the floor z = 0, open at the top: a cylinder around the z axis, or a square bucket. Surface
/// 0 is the floor. The others are the walls (one, or -x, +x, -y, +y).
struct Container {
  bool bucket = false;
  double radius = 1.0;  ///< radius of the cylinder, or half the width of the bucket

  int surfaces() const { return bucket ? 5 : 2; }
  /// Distance of a sphere from a surface.
  double gap(int surface, const Sphere& sphere) const;
  /// Unit normal of a surface at its point nearest to a sphere. It points to the sphere.
  Eigen::Vector3d normal(int surface, const Sphere& sphere) const;
};

/// Cubic cells over a container. Each has a list of the spheres whose centre is in it.
class SphereGrid {
 public:
  /// Spheres with centres closer than `reach` to each other are in the same or in adjacent cells.
  SphereGrid(const Container& container, double reach);

  void insert(int index, const Eigen::Vector3d& centre);
  double cell_size() const { return cell_; }
  int level(double z) const;
  int levels() const { return levels_; }

  /// Calls visit(index) for all spheres in the cell of a point and in the cells around it.
  template <class Visit>
  void visit_near(const Eigen::Vector3d& point, const Visit& visit) const {
    const int centre = level(point.z());
    for (int k = centre - 1; k <= centre + 1; ++k) visit_level(point, k, visit);
  }
  /// The same for the cells of one level.
  template <class Visit>
  void visit_level(const Eigen::Vector3d& point, int k, const Visit& visit) const {
    if (k < 0 || k >= levels_) return;
    const int column = side(point.x());
    const int row = side(point.y());
    for (int j = row - 1; j <= row + 1; ++j) {
      for (int i = column - 1; i <= column + 1; ++i) {
        if (i < 0 || j < 0 || i >= width_ || j >= width_) continue;
        for (int s = first_[cell(i, j, k)]; s >= 0; s = next_[s]) visit(s);
      }
    }
  }

 private:
  int side(double x) const;
  std::size_t cell(int i, int j, int k) const {
    return (static_cast<std::size_t>(k) * width_ + j) * width_ + i;
  }

  double cell_;
  double origin_;
  int width_;
  int levels_ = 0;
  std::vector<int> first_;  // first sphere of each cell, -1 if empty
  std::vector<int> next_;   // next sphere in the same cell
};

/// Drops spheres one by one over random points of a container. Each sphere falls, then rolls down the
/// steepest open way between the other spheres and the walls. It stops when its supports carry it (Visscher
/// and Bolsterli 1972).
class Deposition {
 public:
  /// A support is an earlier sphere, or ground(k) for surface k of the container.
  static constexpr int none = -1;
  static constexpr int ground(int surface) { return -2 - surface; }
  using Supports = std::array<int, 3>;

  Deposition(const Container& container, double largest_radius)
      : container_(container), largest_radius_(largest_radius), grid_(container, 2.5 * largest_radius) {}

  void drop(double radius, Random& random);

  const Container& container() const { return container_; }
  const std::vector<Sphere>& spheres() const { return spheres_; }
  /// The supports of each sphere at rest. A single support is the floor. Two supports are a sphere and the
  /// curved wall.
  const std::vector<Supports>& supports() const { return supports_; }
  const SphereGrid& grid() const { return grid_; }

 private:
  struct Contact {
    int obstacle;
    Eigen::Vector3d normal;
  };
  // The steepest way down that the contacts leave open.
  struct Motion {
    Eigen::Vector3d velocity;   // its length is sin(slope); 0 at rest
    std::array<int, 3> active;  // the obstacles that it slides on
    int count = 0;
  };

  bool roll(Sphere& sphere, Supports& supports, Random& random);
  void fall(Sphere& sphere) const;
  bool slide(Sphere& sphere, const Motion& motion, double& step);
  bool nudge(Sphere& sphere, const Motion& motion, Random& random);
  bool move(Sphere& sphere, const Eigen::Vector3d& target, std::array<int, 3> touching, int count);
  bool settle_on(Sphere& sphere, const std::array<int, 3>& touching, int count) const;
  template <int Count>
  bool settle_on(Sphere& sphere, const std::array<int, 3>& touching) const;
  Motion steepest_descent() const;
  void gather(const Sphere& sphere);
  void find_contacts(const Sphere& sphere);
  double gap(int obstacle, const Sphere& sphere) const;
  Eigen::Vector3d normal(int obstacle, const Sphere& sphere) const;

  Container container_;
  double largest_radius_;
  SphereGrid grid_;
  std::vector<Sphere> spheres_;
  std::vector<Supports> supports_;

  // The sphere that moves.
  std::vector<int> obstacles_;  // all obstacles that it can meet near gathered_at_
  Eigen::Vector3d gathered_at_;
  std::vector<Contact> contacts_;
};

}  // namespace slipstick::internal
