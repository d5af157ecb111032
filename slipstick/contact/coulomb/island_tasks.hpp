// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/contact/coulomb/islands.hpp"
#include "slipstick/solve/solve_tasks.hpp"

namespace slipstick::internal {

/// Gives islands to threads in groups: the largest first, each to the next thread that is free. Small
/// neighbours share a group, so that threads seldom write to the same cache line. Results may not depend on
/// the thread. If one island has most of the nodes, the islands come in turn, and each has all threads. On
/// one thread the smallest come first: a large one that meets a time limit takes nothing from them.
class IslandTasks {
 public:
  void prepare(std::span<const Island> islands, const Settings& settings);

  int threads() const { return threads_; }
  /// Threads for the inside of an island.
  int island_threads() const { return island_threads_; }
  /// Calls body(island, thread) for every island by number.
  template <class Body>
  void run(const Body& body) const {
    solve_tasks(runner_, static_cast<std::ptrdiff_t>(groups_.size()), threads_, 1,
                [&](std::ptrdiff_t task, int thread) {
                  const Group& group = groups_[static_cast<std::size_t>(task)];
                  for (std::size_t island = group.first; island < group.last; ++island) body(island, thread);
                });
  }

 private:
  struct Group {
    std::size_t first, last;  // islands [first, last)
    int nodes;
  };
  TaskRunner* runner_ = nullptr;
  int threads_ = 1, island_threads_ = 1;
  std::vector<Group> groups_;  // in the order in which they are begun
};

}  // namespace slipstick::internal
