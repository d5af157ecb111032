// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// A box that stands upright, turned by an angle about the vertical through its centre; in metres.
struct UprightBox {
  Eigen::Vector3d centre;
  Eigen::Vector3d size;  ///< length, width, height
  double angle = 0.0;    ///< of its length from the x axis
};

/// How the bricks of a tower lie.
enum class BrickPattern {
  crossed,  ///< parallel planks, every second course across: each touches all of the course below
  wall,     ///< a straight wall in running bond, with half bricks at the ends of every second course
  ring,     ///< around a circle, each above the joint of two
};
/// Bricks stacked in courses on the ground, each touching those below in the corners of the common part of
/// their faces: four to a pair of faces in line. Many more than it takes to fix the bricks, so that W is
/// singular: its rank is at most six times the bricks. Degrees of freedom, frames and units are those of
/// sphere_packing; bricks and contacts are ordered from below. Planks are 12 x 2.4 x 0.8 cm (crossed ones
/// longer where many lie side by side), of 600 kg/m^3.
struct TowerOptions {
  BrickPattern pattern = BrickPattern::crossed;
  Index courses = 20;
  Index bricks = 3;     ///< side by side in a course; at least 4 in a ring
  double jitter = 0.0;  ///< bricks lie off their places by up to that share of their width, [0, 0.2]; the
                        ///< same for their ends
  double friction = 0.5;
  double speed = 0.05;  ///< standard deviation of velocities, in units of what gravity adds in a time step
  double push = 0.0;    ///< along x, in units of gravity
  double time_step = 0.01;  ///< s
  std::uint64_t seed = 1;
};
GlobalContactProblem brick_tower(const TowerOptions& options);
/// The bricks of brick_tower.
std::vector<UprightBox> tower_bricks(const TowerOptions& options);

/// A pile of rocks: boxes of random size, turned at random about the vertical, in jittered layers that get
/// smaller upwards. Where rocks of adjacent layers lie above each other they touch in a facet of random
/// slope, in all the corners of their common part (face on face), in two of them (edge on face) or in one;
/// where rocks of a layer would run into each other they touch in one or two points of a steep facet. The
/// lowest layer stands level on the ground. Rocks are about 10 cm wide, of 2700 kg/m^3; the rest as in
/// brick_tower.
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
