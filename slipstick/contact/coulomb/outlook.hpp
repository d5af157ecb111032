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

/// When a method of cheap iterations makes room for Newton's: after `trial` of them, where by the fall of the
/// error more lie ahead than `newton_steps` steps of it cost, and for every 1000 contacts of the piece as
/// many again, for which Newton's method takes more steps too.
struct Patience {
  int trial = std::numeric_limits<int>::max();
  double newton_steps = 0.0;

  /// `newton_cost()`: of one step, in iterations.
  bool ends(int iterations, const Outlook& outlook, int contacts, const auto& newton_cost) const {
    if (iterations < trial) return false;
    const double ahead = iterations - trial + outlook.iterations_left();
    return ahead > newton_steps * (1.0 + 1e-3 * contacts) * newton_cost();
  }
};

}  // namespace slipstick
