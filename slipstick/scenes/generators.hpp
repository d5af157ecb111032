// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "slipstick/problems/problem.hpp"
#include "slipstick/scenes/deposition.hpp"

namespace slipstick {

// Seeded problem families: the same options give the same bits on every machine with the same math library.

/// A boxed problem with a known solution x*: A = Q' diag(spectrum) Q with Q a product of sparse rotations, so
/// that the conditioning is not a matter of row scaling; b = w* - A x* with a complementary w*. A is
/// symmetric to the bit (but for the skew part). Rows lie on a square grid and each rotation mixes two
/// neighbours, so A's graph is that of a stencil in the plane; x* is of order 1, w* of the order of A's rows.
struct RandomBoxOptions {
  Index rows = 100;
  double condition = 100.0;   ///< largest eigenvalue (1) over the smallest nonzero one; log-uniform between
  Index rank_deficiency = 0;  ///< zero eigenvalues
  double active = 0.5;        ///< share of the rows with unequal bounds that are at a bound in x*
  double degenerate = 0.0;    ///< share of those that are weakly active: at the bound with w* = 0
  double free = 0.0;          ///< share of free rows
  double two_sided = 0.0;     ///< share of rows with two finite bounds
  double fixed = 0.0;         ///< share of rows with equal bounds
  bool from_zero = false;     ///< one-sided rows are x_i >= 0; else any bound, every fourth an upper one
  int rotations_per_row = 4;  ///< density of Q; 4: about 20 entries per row of A
  double skew = 0.0;          ///< size of a skew-symmetric part relative to the largest eigenvalue
  std::uint64_t seed = 1;
};
struct KnownProblem {
  Problem problem;
  Vector x;  ///< a solution
  Vector w;
};
KnownProblem random_box(const RandomBoxOptions& options);
/// The same with the nonnegative orthant for K (free, two_sided, fixed and from_zero are ignored).
KnownProblem random_lcp(const RandomBoxOptions& options);

/// Litven 2013, section 7.1: a random banded SPD QP over x >= 0, its optimal active set, and an initial
/// active set that is wrong in a chosen number of indices (the first ones, as there). The thesis does not say
/// how its matrices were drawn; these are strictly diagonally dominant and mostly negative off the diagonal,
/// near the M-matrices for which the primal-dual active-set method is known to converge.
struct BandedQpOptions {
  Index rows = 1000;
  Index bandwidth = 100;
  Index wrong_indices = 10;
  double active = 0.5;  ///< share of the rows that are at the bound in the solution, strictly
  std::uint64_t seed = 1;
};
struct BandedQp {
  Problem problem;                      ///< A is banded, K = {x >= 0}
  Vector x;                             ///< the solution
  std::vector<int> active_set;          ///< of the solution
  std::vector<int> initial_active_set;  ///< differs from it in wrong_indices rows
};
BandedQp random_banded_qp(const BandedQpOptions& options);

/// The UIC survey's pressure problem: grains on a square (cubic) grid, moving; the pressure p >= 0 keeps the
/// volume fraction phi below its maximum 1: A_1 p + b_1 >= 0, complementary to p, with A_1 = dt^2/rho_max
/// D'WD positive semidefinite and b_1 = 1 - phi without pressure (survey eq. 17-21). The domain is the unit
/// square (cube), the grains live in the disk (ball) of radius 0.45 at its centre. W weights faces by the
/// share that the solid does not cover (Batty 2007), from a signed distance at the vertices; faces less than
/// 1 % open are closed. Cells without an open face are empty rows with b_i = 1, so p_i = 0. Cells are
/// numbered with x fastest; the last axis points up.
///
/// The survey took its right-hand sides from a simulation made explosive to meet many configurations. Here
/// every seed is one: a heap with a random surface, grains thrown in the air above it, and a smooth random
/// velocity that compresses a connected part of the heap beyond the maximum and loosens the rest. The grains
/// of every connected part of the domain fit into it, so a solution exists although A_1 is singular.
struct UicOptions {
  int dimension = 2;         ///< 2 or 3
  int resolution = 32;       ///< cells along an edge, from 1 on
  double fill = 0.5;         ///< height of the heap relative to the disk
  double overfull = 0.05;    ///< mean excess of phi over 1 where it exceeds it; less where the room is short
  double time_step = 0.01;   ///< s
  double max_density = 1.0;  ///< rho_max, kg/m^d with a domain of edge 1 m
  std::uint64_t seed = 1;    ///< of the random heap, velocity and density
};
Problem uic_pressure(const UicOptions& options);

/// Spheres deposited one by one in a cylinder (or a square bucket): each rolls down over what lies there
/// until it rests on three supports (see Deposition). Contacts carry the weight over one time step from rest:
/// M v = H r + f with f = h times the weights, u = H' v. A body has six degrees of freedom, velocity and
/// angular velocity in world axes about its centre; spheres come first, in the order of their deposition,
/// then the plate. Contacts are ordered by their later body, for each the floor, the walls, then earlier
/// bodies; normals point at the later body. The mean radius is 1 cm, the middle density 2500 kg/m^3.
struct PackingOptions {
  Index spheres = 1000;
  bool bucket = false;            ///< a square bucket instead of a cylinder
  double container_radius = 0.0;  ///< in mean sphere radii (half the bucket's width); 0: chosen so that the
                                  ///< heap is about as high as wide
  double radius_spread = 0.2;     ///< radii uniform in mean (1 +- spread)
  double density_ratio = 1.0;     ///< ratio of the heaviest to the lightest sphere's density, log-uniform
  double friction = 0.3;
  double plate_mass_ratio = 0.0;  ///< > 0: a heavy plate on top, its mass in units of all the spheres'; it is
                                  ///< tilted to rest on three of them, or level on the highest
                                  ///< where those would be too steep, as in heaps of a few
  double time_step = 0.01;        ///< s
  double gap = 1e-3;              ///< contacts touch or are closer than gap times the mean radius
  std::uint64_t seed = 1;
};
GlobalContactProblem sphere_packing(const PackingOptions& options);
/// The spheres of sphere_packing, in metres.
std::vector<Sphere> packed_spheres(const PackingOptions& options);

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

/// Equal disks in the plane, each resting on two of the layer below and touching its neighbours, over one
/// time step from rest: far more contacts than the balance of forces asks for. A body has three degrees of
/// freedom, velocity and angular velocity; layers come from the floor up, disks from left to right, and for
/// each its contacts with the floor, the disk to its left, and those below. Normals point at the later body.
struct DiskPyramidOptions {
  int width = 10;   ///< disks on the floor
  int layers = 10;  ///< one disk fewer each; at most the width
  double friction = 0.5;
  double slope = 0.0;       ///< of the floor, radians
  double time_step = 0.01;  ///< s
};
GlobalContactProblem disk_pyramid(const DiskPyramidOptions& options);

/// A square of cloth on wavy ground, all of its points in contact: masses of 20 mg a centimetre apart, joined
/// by springs along the sides and diagonals of the squares between them, one implicit time step from what
/// gravity gives them. M = m + h^2 K is sparse and couples all points, so that W = H' M^-1 H is dense.
struct SheetOptions {
  Index side = 20;          ///< points along a side, 1 to 10000
  double stiffness = 10.0;  ///< h^2 k / m of the springs
  double slope = 0.5;       ///< steepest of the ground, about, [0, 2]
  double friction = 0.5;
  double speed = 0.2;       ///< as in TowerOptions
  double push = 0.0;        ///< along x, in units of gravity
  double time_step = 0.01;  ///< s
  std::uint64_t seed = 1;
};
GlobalContactProblem elastic_sheet(const SheetOptions& options);

}  // namespace slipstick
