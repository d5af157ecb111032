// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "slipstick/problem.hpp"
#include "slipstick/scenes/deposition.hpp"

namespace slipstick::internal {

/// Spheres deposited one by one in a cylinder or a square bucket. Each rolls down over the earlier spheres
/// until it rests on three supports (see Deposition). Contacts carry the weight over one time step from rest:
/// M v = H r + f with f = h times the weights, u = H' v. A body has six degrees of freedom: velocity and
/// angular velocity in world axes about its centre. Spheres come first, in the order of their deposition,
/// then the plate. Contacts are ordered by their later body. For each body they are the floor, the walls,
/// then earlier bodies. Normals point to the later body. The mean radius is 1 cm, the middle density 2500
/// kg/m^3.
struct PackingOptions {
  Index spheres = 1000;
  bool bucket = false;            ///< a square bucket instead of a cylinder
  double container_radius = 0.0;  ///< in mean sphere radii (half the bucket's width); 0: chosen so that the
                                  ///< heap is about as high as wide
  double radius_spread = 0.2;     ///< radii uniform in mean (1 +- spread)
  double density_ratio = 1.0;     ///< ratio of the heaviest to the lightest sphere's density, log-uniform
  double friction = 0.3;
  /// > 0: a heavy plate on top, with its mass in units of the mass of all spheres. It is tilted to rest on
  /// three spheres. If these would be too steep, as in heaps of a few, it is level on the highest sphere.
  double plate_mass_ratio = 0.0;
  double time_step = 0.01;  ///< s
  double gap = 1e-3;        ///< contacts touch or are closer than gap times the mean radius
  std::uint64_t seed = 1;
};
GlobalContactProblem sphere_packing(const PackingOptions& options);
/// The spheres of sphere_packing, with this mean radius in metres instead of 1 cm.
std::vector<Sphere> packed_spheres(const PackingOptions& options, double radius);

}  // namespace slipstick::internal
