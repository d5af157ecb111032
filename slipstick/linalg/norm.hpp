// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

/// ||x|| without overflow and underflow. It costs as much as the plain norm if that is safe.
inline double safe_norm(const Vector& x) {
  const double squared = x.squaredNorm();
  return squared > 1e-250 && squared < 1e250 ? std::sqrt(squared) : x.stableNorm();
}

}  // namespace slipstick::internal
