// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solve/monitor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {

Monitor::Monitor(const Settings& settings, int default_max_iterations, Observer* observer)
    : tolerance_(settings.tolerance),
      time_limit_(std::min(settings.time_limit, Interruption::seconds_left())),
      max_iterations_(settings.max_iterations > 0 ? settings.max_iterations : default_max_iterations),
      observer_(observer) {
  if (observer_ != nullptr || time_limit_ != std::numeric_limits<double>::infinity()) timer_.emplace();
}

bool Monitor::finished(double error, ConstVectorView x, Index active) {
  if (status_ != Status::not_run) return true;
  if (error <= tolerance_) status_ = Status::solved;
  if (std::isnan(error)) status_ = Status::numerical_error;
  return interrupted(error, x, active);
}

bool Monitor::interrupted(double estimate, ConstVectorView x, Index active) {
  if (observer_ != nullptr && !observer_->observe({iterations_, seconds(), estimate, active, x}) &&
      status_ == Status::not_run)
    status_ = Status::cancelled;
  if (status_ == Status::not_run && Interruption::is_cancelled()) status_ = Status::cancelled;
  if (status_ != Status::not_run) return true;
  if (iterations_ >= max_iterations_) {
    status_ = Status::iteration_limit;
  } else if (out_of_time()) {
    status_ = Status::time_limit;
  } else {
    ++iterations_;
    return false;
  }
  return true;
}

// Reading the clock costs as much as an iteration of a small problem. The clock is skipped for as many
// iterations as take a thousandth of the time limit at the present pace. It is skipped for at most 64
// iterations, and at most as many as there were.
bool Monitor::out_of_time() {
  if (iterations_ < next_clock_ || time_limit_ == std::numeric_limits<double>::infinity()) return false;
  const double elapsed = seconds();
  const double skip = std::min(64.0, 1e-3 * time_limit_ * iterations_ / std::max(elapsed, 1e-9));
  next_clock_ = iterations_ + 1 + std::min(iterations_, static_cast<int>(skip));
  return elapsed >= time_limit_;
}

}  // namespace slipstick::internal
