// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>

#include "slipstick/base/interruption.hpp"
#include "slipstick/base/timer.hpp"
#include "slipstick/result.hpp"
#include "slipstick/settings.hpp"
#include "slipstick/solve/settings.hpp"

namespace slipstick::internal {

/// The stop rule of a main loop:
///     for (;;) { error = ...; if (monitor.finished(error, x)) break; ...one iteration... }
class Monitor {
 public:
  /// The time limit ends no later than the interruption of this thread.
  Monitor(const Settings& settings, int default_max_iterations, Observer* observer);

  /// Shows the iterate to the observer. Returns true if the loop must end; status() has the reason. Otherwise
  /// counts one iteration.
  bool finished(double error, ConstVectorView x, Index active = -1);
  /// The same for a method that cannot compute its error cheaply: checks limits and the observer only.
  bool interrupted(double estimate, ConstVectorView x, Index active = -1);
  /// For a method that makes several iterations between two questions: the number of all that it has made.
  void set_iterations(int iterations) { iterations_ = iterations; }
  /// After finished() has returned false: the iterations that may follow the one that it has counted.
  int iterations_left() const { return max_iterations_ - iterations_; }
  /// Calls work(). A limit that is reached within a factorization ends it, and becomes the status.
  template <class Work>
  void guard(const Work& work) {
    try {
      work();
    } catch (const Interrupted& interrupted) {
      status_ = interrupted.reason;
    }
  }
  /// Ends the loop for a reason that the method has found.
  void stop(Status status) { status_ = status; }

  Status status() const { return status_; }
  int iterations() const { return iterations_; }
  /// Seconds since construction. 0 without a time limit and an observer, because nobody asks for them then.
  double seconds() const { return timer_ ? timer_->seconds() : 0.0; }
  /// Of the time limit, for a solver inside. It is positive.
  double seconds_left() const { return std::max(1e-9, time_limit_ - seconds()); }
  double tolerance() const { return tolerance_; }

 private:
  bool out_of_time();

  double tolerance_;
  double time_limit_;
  int max_iterations_;
  Observer* observer_;
  std::optional<Timer> timer_;  // reading the clock costs 5 % of solving one contact
  int iterations_ = 0;
  int next_clock_ = 0;  // iteration at which the time is read again
  Status status_ = Status::not_run;
};

/// Keeps the iterate with the smallest error, for methods whose error does not fall steadily.
class BestIterate {
 public:
  void reset(Index rows) {
    x_.resize(rows);
    error_ = std::numeric_limits<double>::infinity();
  }
  void offer(double error, ConstVectorView x) {
    if (!(error < error_)) return;
    error_ = error;
    x_ = x;
  }
  double error() const { return error_; }
  const Vector& x() const { return x_; }
  bool empty() const { return error_ == std::numeric_limits<double>::infinity(); }

 private:
  Vector x_;
  double error_ = std::numeric_limits<double>::infinity();
};

}  // namespace slipstick::internal
