// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// A square of cloth on wavy ground, with all points in contact. Masses of 20 mg are a centimetre apart.
/// Springs join them along the sides and diagonals of the squares between them. The problem is one implicit
/// time step from the speed that gravity adds. M = m + h^2 K is sparse and couples all points, so that W = H'
/// M^-1 H is dense.
struct SheetOptions {
  Index side = 20;          ///< points along a side, 1 to 10000
  double stiffness = 10.0;  ///< h^2 k / m of the springs
  double slope = 0.5;       ///< approximate largest slope of the ground, [0, 2]
  double friction = 0.5;
  double speed = 0.2;       ///< as in TowerOptions
  double push = 0.0;        ///< along x, in units of gravity
  double time_step = 0.01;  ///< s
  std::uint64_t seed = 1;
};
GlobalContactProblem elastic_sheet(const SheetOptions& options);

}  // namespace slipstick::internal
