// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>

namespace slipstick::internal {

/// The largest momentum that a heap under Coulomb's law bears.
///
/// A momentum of 1 - 1/k adds up the changes of the last k iterations. If much slips, sweeps turn some
/// changes around instead of damping them. Many of them added up grow. The error then rises, or it stops
/// falling and wanders. In both cases the largest k that was in use is halved. k stays above `least_span`:
/// shorter momentum is slow. If the error still wanders after many more looks, all momentum is free again.
/// Most heaps are solved sooner, with full momentum: the iterations of a trial are not looked at.
///
/// The answer is not set back. A rising error is often the way to other modes, and the same start would lead
/// into the same cycle.
class MomentumLimit {
 public:
  /// `trial`: iterations.
  void restart(int trial) {
    *this = {};
    trial_ = trial;
  }
  double apply(double momentum) {
    const double limited = std::min(momentum, 1.0 - 1.0 / span_);
    used_ = std::max(used_, 1.0 / (1.0 - limited));
    return limited;
  }
  /// The largest momentum that apply() returns.
  double most() const { return 1.0 - 1.0 / span_; }
  /// The trial is over.
  bool is_active() const { return iterations_ >= trial_; }
  /// Takes the error after this many more iterations. True if the limit changed: the momentum must restart.
  bool tested(double error, int iterations) {
    iterations_ += iterations;
    if (!is_active()) return false;
    least_ = std::min(least_, error);
    since_fall_ += iterations;
    since_mark_ += iterations;
    if (error < needed_fall * mark_) {
      mark_ = error;
      since_mark_ = 0;
    }
    const bool grows = error > largest_growth * least_ && since_fall_ >= settling;
    const bool wanders = since_mark_ >= patience;
    if (!grows && !wanders) return false;
    if (wanders) {
      mark_ = std::min(mark_, error);
      since_mark_ = 0;
    }
    at_least_ += wanders && span_ == least_span;
    const bool is_long = at_least_ == most_at_least;
    if (is_long) at_least_ = 0;
    span_ = is_long ? std::numeric_limits<double>::infinity()
                    : std::max(least_span, 0.5 * std::min(span_, used_));
    used_ = 1.0;
    since_fall_ = 0;
    return true;
  }

 private:
  static constexpr double largest_growth = 1.3, needed_fall = 0.97;
  static constexpr int settling = 100, patience = 300;  // iterations
  static constexpr double least_span = 30.0;
  static constexpr int most_at_least = 30;  // falls at the least span before the momentum is free

  double span_ = std::numeric_limits<double>::infinity();
  double used_ = 1.0;  // the largest span since the limit fell
  double least_ = std::numeric_limits<double>::infinity(), mark_ = least_;
  int trial_ = 0, iterations_ = 0, since_fall_ = 0, since_mark_ = 0, at_least_ = 0;
};

}  // namespace slipstick::internal
