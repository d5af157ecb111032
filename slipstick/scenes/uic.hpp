// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// The UIC survey's pressure problem: moving grains on a square (cubic) grid. The pressure p >= 0 keeps the
/// volume fraction phi below its maximum 1 (survey eq. 17-21). A_1 p + b_1 >= 0 is complementary to p. A_1 =
/// dt^2/rho_max D'WD is positive semidefinite, and b_1 = 1 - phi without pressure. The domain is the unit
/// square (cube). The grains are in the disk (ball) of radius 0.45 at its centre. W weights faces by the
/// share that the solid does not cover (Batty 2007), from a signed distance at the vertices. Faces less than
/// 1 % open are closed. Cells without an open face are empty rows with b_i = 1, so p_i = 0. Cells are
/// numbered with x fastest. The last axis points up.
///
/// The survey took its right-hand sides from a simulation that was made explosive to get many configurations.
/// Here every seed is one configuration: a heap with a random surface, grains in the air above it, and a
/// smooth random velocity. The velocity compresses a connected part of the heap beyond the maximum and
/// loosens the rest. The grains of every connected component of the domain fit into it. A solution therefore
/// exists although A_1 is singular.
struct UicOptions {
  int dimension = 2;    ///< 2 or 3
  int resolution = 32;  ///< cells along an edge, from 1 on
  double fill = 0.5;    ///< height of the heap relative to the disk
  /// Mean excess of phi over 1 in the cells with an excess; smaller if there is too little room.
  double overfull = 0.05;
  double time_step = 0.01;   ///< s
  double max_density = 1.0;  ///< rho_max, kg/m^d with a domain of edge 1 m
  std::uint64_t seed = 1;    ///< seed of the random heap, velocity and density
};
Problem uic_pressure(const UicOptions& options);

}  // namespace slipstick::internal
