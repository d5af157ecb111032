// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solve/monitor.hpp"

#include <cmath>
#include <limits>

namespace slipstick {

Monitor::Monitor(const Settings& settings, int default_max_iterations, Observer* observer)
    : tolerance_(settings.tolerance),
      time_limit_(settings.time_limit),
      max_iterations_(settings.max_iterations > 0 ? settings.max_iterations : default_max_iterations),
      observer_(observer) {}

bool Monitor::finished(double error, ConstVectorView x, Index active) {
  if (status_ != Status::not_run) return true;
  if (error <= tolerance_) status_ = Status::solved;
  if (std::isnan(error)) status_ = Status::numerical_error;
  return interrupted(error, x, active);
}

bool Monitor::interrupted(double estimate, ConstVectorView x, Index active) {
  // Reading the clock takes as long as an iteration of a small problem.
  const bool timed = observer_ != nullptr || time_limit_ < std::numeric_limits<double>::infinity();
  const double seconds = timed ? timer_.seconds() : 0.0;
  const bool go_on = observer_ == nullptr || observer_->observe({iterations_, seconds, estimate, active, x});
  if (status_ != Status::not_run) return true;
  if (!go_on) {
    status_ = Status::cancelled;
  } else if (iterations_ >= max_iterations_) {
    status_ = Status::iteration_limit;
  } else if (seconds >= time_limit_) {
    status_ = Status::time_limit;
  } else {
    ++iterations_;
    return false;
  }
  return true;
}

}  // namespace slipstick
