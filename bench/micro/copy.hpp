// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "slipstick/base/parallel.hpp"
#include "slipstick/base/timer.hpp"
#include "slipstick/matrix.hpp"

namespace slipstick::internal::bench {

/// The yardstick of memory bandwidth: one array copied to another, as STREAM's copy, read and written bytes
/// counted once each.
class Copy {
 public:
  /// Moves about `bytes` bytes, half of them read.
  explicit Copy(double bytes) : from_(static_cast<std::size_t>(bytes / 16.0), 1.0), to_(from_.size(), 0.0) {}

  double bytes() const { return 16.0 * static_cast<double>(from_.size()); }

  void operator()(int threads) {
    parallel_for(static_cast<Index>(from_.size()), threads, [&](Index begin, Index end) {
      std::memcpy(to_.data() + begin, from_.data() + begin,
                  static_cast<std::size_t>(end - begin) * sizeof(double));
    });
    from_.swap(to_);  // what was written is read next, so no copy can be left out
  }

 private:
  std::vector<double> from_;
  std::vector<double> to_;
};

template <class Body>
double seconds_of(const Body& body) {
  const Timer timer;
  body();
  return timer.seconds();
}

/// The best times of an operation and of the copy that takes turns with it.
struct Versus {
  double seconds = std::numeric_limits<double>::infinity();
  double copy_seconds = std::numeric_limits<double>::infinity();

  void add(double operation, double copy) {
    seconds = std::min(seconds, operation);
    copy_seconds = std::min(copy_seconds, copy);
  }
};

}  // namespace slipstick::internal::bench
