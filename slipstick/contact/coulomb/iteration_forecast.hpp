// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {

/// Extrapolates log(error) linearly over the last half of the iterations, or more, to predict how many
/// remain.
class IterationForecast {
 public:
  /// Takes the error, relative to its target, after this many iterations.
  void tested(int iterations, double error) {
    if (iterations >= 2 * last_.iterations) {
      earlier_ = last_;
      last_ = {iterations, error};
    }
    const double fall = std::log(earlier_.error / error) / (iterations - earlier_.iterations);
    left_ = fall > 0.0 ? std::max(0.0, std::log(error) / fall) : std::numeric_limits<double>::infinity();
  }
  /// Infinite if the error did not fall.
  double iterations_left() const { return left_; }

 private:
  struct Mark {
    int iterations = 0;
    double error = std::numeric_limits<double>::quiet_NaN();
  };
  Mark earlier_, last_;
  double left_ = std::numeric_limits<double>::infinity();
};

/// A method of cheap iterations switches to Newton's after `trial` iterations, or `trial_per_contact` times
/// the contacts if these are fewer, if
///     predicted remaining iterations > newton_steps (1 + contacts / 1000) cost of one Newton step.
/// The cost is in iterations. On larger islands Newton's method takes more steps too. After the trial an
/// error of `near` is enough: Newton's method often converges from there.
struct SwitchToNewton {
  int trial = std::numeric_limits<int>::max();
  double trial_per_contact = std::numeric_limits<double>::infinity();
  double newton_steps = 0.0;
  double near = 0.0;  ///< of the kind that the tolerance bounds; used by sweeps with momentum
  /// Sweeps with momentum stall if the error does not fall by a tenth in this many iterations, or in as many
  /// as a step of Newton's method costs.
  int patience = 2000;
  int most = 20000;  ///< limit of the iterations of sweeps with momentum, if the caller sets none

  /// `newton_cost()` is the cost of one step, in iterations.
  bool is_due(int iterations, const IterationForecast& forecast, int contacts,
              const auto& newton_cost) const {
    const double first = std::min<double>(trial, trial_per_contact * contacts);
    if (iterations < first) return false;
    const double ahead = iterations - first + forecast.iterations_left();
    return ahead > newton_steps * (1.0 + 1e-3 * contacts) * newton_cost();
  }
};

}  // namespace slipstick::internal
