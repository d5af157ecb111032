// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/linalg/vector.hpp"

namespace slipstick {

/// The vectors of an answer. A vector that the problem class does not have is empty.
struct Solution {
  Vector x;            ///< unknowns of a Problem (z of an LCP or mixed LCP)
  Vector w;            ///< A x + b
  Vector multipliers;  ///< y of the linear rows, w = A x + b - G' y
  Vector r;            ///< contact impulses, `dimension` rows per contact
  Vector u;            ///< contact velocities
  Vector v;            ///< generalized velocities of the global form
  Vector l;            ///< bilateral impulses
};

}  // namespace slipstick
