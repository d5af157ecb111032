// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>

#include "slipstick/problems/body_checks.hpp"

// The checks that bodies, contacts and joints share. They throw Error.
namespace slipstick::internal {

inline void check_positive(const Subject& subject, const char* name, double value) {
  if (!(value > 0.0 && value < infinity))
    subject.fail("the {} is {}, expected a positive finite number", name, value);
}

/// The vector divided by its norm.
inline Eigen::Vector3d unit(const Subject& subject, const char* name, const Eigen::Vector3d& vector) {
  const double norm = vector.norm();
  if (!(norm > 0.0 && norm < infinity))
    subject.fail("the norm of the {} is {}, expected a positive finite number", name, norm);
  return vector / norm;
}

/// Two different numbers from `first` to count - 1.
inline void check_pair(const Subject& subject, const std::array<int, 2>& bodies, int first,
                       std::size_t count) {
  const int last = static_cast<int>(count) - 1;
  for (const int body : bodies) {
    if (body < first || body > last)
      subject.fail("body {} does not exist, expected {} to {}", body, first, last);
  }
  if (bodies[0] == bodies[1]) subject.fail("both bodies are {}, expected two different ones", bodies[0]);
}

}  // namespace slipstick::internal
