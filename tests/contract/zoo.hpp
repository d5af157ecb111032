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
/// ill-scaled, matrix-free, banded, block sparse, dense, nonsymmetric, with empty rows; contacts in every
/// regime, cones among rows, packings of spheres.
const std::vector<Specimen>& zoo();

}  // namespace slipstick::internal
