// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <ctime>

#include "slipstick/base/interruption.hpp"

namespace slipstick::internal {

/// While it lives, it takes the processor time between the looks of this thread.
class PauseWatch : public Observer {
 public:
  PauseWatch() : watched_(1e300, this) {}
  bool observe(const Iteration& /*iteration*/) override { return true; }
  bool cancelled() const override {
    const double now = processor_seconds();
    longest_ = std::max(longest_, now - last_);
    last_ = now;
    return false;
  }
  /// The longest time between two looks until now, divided by the time since the watch began.
  double longest_share() const {
    cancelled();
    return longest_ / (last_ - begin_);
  }

 private:
  static double processor_seconds() {
    std::timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }

  const double begin_ = processor_seconds();
  mutable double last_ = begin_, longest_ = 0.0;
  Interruption watched_;
};

}  // namespace slipstick::internal
