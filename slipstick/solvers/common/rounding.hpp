// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "slipstick/measures/measures.hpp"

namespace slipstick::internal {

/// True if the error of x is as small as the rounding errors of A x + b. A method without progress should
/// then stop.
inline bool is_rounding(const Ruler& ruler, const Vector& x, double error) {
  constexpr double roundings = 100.0 * std::numeric_limits<double>::epsilon();
  return error * ruler.norm() <= roundings * (ruler.norm() + ruler.scale().cwiseProduct(x).norm());
}

}  // namespace slipstick::internal
