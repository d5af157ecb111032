// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/linalg/vector.hpp"

namespace slipstick {

/// The plain record of an answer; vectors that a problem class does not have are empty.
struct Solution {
  Vector x;            ///< unknowns of a Problem (z of an LCP or mixed LCP)
  Vector w;            ///< A x + b
  Vector multipliers;  ///< of the linear rows, y in w = A x + b - G' y
  Vector r;            ///< contact impulses, `dimension` rows per contact
  Vector u;            ///< contact velocities
  Vector v;            ///< generalized velocities of the global form
  Vector l;            ///< bilateral impulses
};

}  // namespace slipstick
