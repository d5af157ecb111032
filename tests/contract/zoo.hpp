// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// A problem that every method is held against.
struct Specimen {
  std::string name;
  Problem problem;
  bool easy;  ///< every method that supports it must solve it to 1e-8 within its own limits
};

/// Small problems of every shape: one row, no rows, free, fixed, two-sided, degenerate, rank-deficient,
/// ill-scaled, with empty rows. Matrices are matrix-free, banded, block sparse, dense and nonsymmetric. There
/// are contacts in every state, cones among rows, and packings of spheres.
const std::vector<Specimen>& zoo();

}  // namespace slipstick::internal
