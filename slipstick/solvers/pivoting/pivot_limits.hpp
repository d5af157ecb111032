// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "slipstick/solve/monitor.hpp"

namespace slipstick {

/// The stop rule of pivots on small problems. A Monitor reads the clock, which takes as long as a pivot: it
/// is there only where somebody watches, or the time may run out before the iterations do.
class PivotLimits {
 public:
  /// `seconds_per_iteration` is more than one takes.
  PivotLimits(const Settings& settings, int default_max_iterations, double seconds_per_iteration,
              Observer* observer)
      : max_iterations_(settings.max_iterations > 0 ? settings.max_iterations : default_max_iterations) {
    if (observer != nullptr || settings.time_limit <= seconds_per_iteration * max_iterations_)
      monitor_.emplace(settings, max_iterations_, observer);
  }

  /// Before every iteration.
  bool interrupted(double estimate, const Vector& x) {
    if (monitor_) return monitor_->interrupted(estimate, x);
    if (iterations_ == max_iterations_) return true;
    ++iterations_;
    return false;
  }
  /// At the end, with the error of the answer: how it ended, unless the judge finds it solved.
  Status finish(double error, const Vector& x) {
    return monitor_ && monitor_->finished(error, x) ? monitor_->status() : Status::stalled;
  }

  bool watched() const { return monitor_.has_value(); }
  int iterations() const { return monitor_ ? monitor_->iterations() : iterations_; }
  /// Why it was interrupted.
  Status status() const { return monitor_ ? monitor_->status() : Status::iteration_limit; }

 private:
  std::optional<Monitor> monitor_;
  int max_iterations_;
  int iterations_ = 0;
};

}  // namespace slipstick
