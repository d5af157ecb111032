// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick {

/// How many iterations lie ahead of a method, by how its error fell in the last half, or more, of those that
/// it has made.
class Outlook {
 public:
  /// The error, relative to its target, after so many iterations.
  void tested(int iterations, double error) {
    if (iterations >= 2 * last_.iterations) {
      earlier_ = last_;
      last_ = {iterations, error};
    }
    const double fall = std::log(earlier_.error / error) / (iterations - earlier_.iterations);
    left_ = fall > 0.0 ? std::max(0.0, std::log(error) / fall) : std::numeric_limits<double>::infinity();
  }
  /// Infinite where the error did not fall.
  double iterations_left() const { return left_; }

 private:
  struct Mark {
    int iterations = 0;
    double error = std::numeric_limits<double>::quiet_NaN();
  };
  Mark earlier_, last_;
  double left_ = std::numeric_limits<double>::infinity();
};

}  // namespace slipstick
