// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/contact/coulomb/islands.hpp"
#include "slipstick/solve/solve_tasks.hpp"

namespace slipstick::internal {

/// Gives islands to threads: the largest first, each to the next thread that is free. Results may not depend
/// on the thread.
class IslandTasks {
 public:
  void prepare(std::span<const Island> islands, const Settings& settings);

  int threads() const { return threads_; }
  /// Calls body(island, thread) for every island by number.
  template <class Body>
  void run(const Body& body) const {
    solve_tasks(runner_, static_cast<std::ptrdiff_t>(by_size_.size()), threads_, 1,
                [&](std::ptrdiff_t task, int thread) {
                  body(static_cast<std::size_t>(by_size_[static_cast<std::size_t>(task)]), thread);
                });
  }

 private:
  TaskRunner* runner_ = nullptr;
  int threads_ = 1;
  std::vector<int> by_size_;  // islands, the largest first if there are several threads
};

}  // namespace slipstick::internal
