// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// A box that stands upright, turned by an angle about the vertical through its centre, in metres.
struct UprightBox {
  Eigen::Vector3d centre;
  Eigen::Vector3d size;  ///< length, width, height
  double angle = 0.0;    ///< angle between its length and the x axis
};

/// How the bricks of a tower lie.
enum class BrickPattern {
  crossed,  ///< parallel planks, every second course across: each touches all of the course below
  wall,     ///< a straight wall in running bond, with half bricks at the ends of every second course
  ring,     ///< around a circle, each above the joint of two
};
/// Bricks stacked in courses on the ground. Each touches the bricks below in the corners of the intersection
/// of their faces: four per pair of faces in line. There are many more contacts than necessary to fix the
/// bricks, so W is singular. Its rank is at most six times the number of bricks. Degrees of freedom, frames
/// and units are those of sphere_packing. Bricks and contacts are ordered from the bottom up. Planks are 12 x
/// 2.4 x 0.8 cm, of 600 kg/m^3. Crossed planks are longer if many lie side by side.
struct TowerOptions {
  BrickPattern pattern = BrickPattern::crossed;
  Index courses = 20;
  Index bricks = 3;  ///< side by side in a course; at least 4 in a ring
  /// Largest displacement of bricks and of their ends, as a share of their width, [0, 0.2].
  double jitter = 0.0;
  double friction = 0.5;
  /// Standard deviation of velocities, in units of the speed that gravity adds in a time step.
  double speed = 0.05;
  double push = 0.0;        ///< along x, in units of gravity
  double time_step = 0.01;  ///< s
  std::uint64_t seed = 1;
};
GlobalContactProblem brick_tower(const TowerOptions& options);
/// The bricks of brick_tower.
std::vector<UprightBox> tower_bricks(const TowerOptions& options);

/// A pile of rocks: boxes of random size, turned at random about the vertical, in jittered layers that get
/// smaller upwards. Rocks of adjacent layers that lie above each other touch in a facet of random slope. They
/// touch in all the corners of their intersection (face on face), in two corners (edge on face) or in one.
/// Rocks of a layer that would overlap touch in one or two points of a steep facet. The lowest layer stands
/// level on the ground. Rocks are about 10 cm wide, of 2700 kg/m^3. Everything else is as in brick_tower.
struct RocksOptions {
  Index rocks = 50;
  double size_spread = 0.4;  ///< lengths, widths and heights uniform in mean (1 +- spread), [0, 0.6]
  double slope = 0.3;        ///< largest tilt of facets, rad, [0, 0.7]
  double friction = 1.0;
  double speed = 0.2;       ///< as in TowerOptions
  double time_step = 0.01;  ///< s
  std::uint64_t seed = 1;
};
GlobalContactProblem rock_pile(const RocksOptions& options);
/// The rocks of rock_pile.
std::vector<UprightBox> piled_rocks(const RocksOptions& options);

}  // namespace slipstick::internal
