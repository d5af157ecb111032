// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "slipstick/problems/deposition.hpp"
#include "slipstick/problems/problem.hpp"

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

}  // namespace slipstick
