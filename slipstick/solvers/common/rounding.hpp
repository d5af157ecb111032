// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "slipstick/measures/measures.hpp"

namespace slipstick::internal {

/// Whether the error of x is of the size of what computing A x + b rounds away, so that an unsuccessful
/// method had better stop.
inline bool is_rounding(const Ruler& ruler, const Vector& x, double error) {
  constexpr double roundings = 100.0 * std::numeric_limits<double>::epsilon();
  return error * ruler.norm() <= roundings * (ruler.norm() + ruler.scale().cwiseProduct(x).norm());
}

}  // namespace slipstick::internal
