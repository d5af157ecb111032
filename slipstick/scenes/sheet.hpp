// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "slipstick/problem.hpp"

namespace slipstick::internal {

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

}  // namespace slipstick::internal
