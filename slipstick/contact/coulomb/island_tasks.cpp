// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/island_tasks.hpp"

#include <algorithm>
#include <numeric>

namespace slipstick::internal {

void IslandTasks::prepare(std::span<const Island> islands, const Settings& settings) {
  // For a few nodes, waking threads takes longer than the work.
  constexpr int fewest_nodes = 300;
  runner_ = settings.tasks;
  const int nodes = islands.empty() ? 0 : islands.back().end;
  threads_ = nodes < fewest_nodes ? 1 : std::min(settings.threads, static_cast<int>(islands.size()));
  by_size_.resize(islands.size());
  std::iota(by_size_.begin(), by_size_.end(), 0);
  if (threads_ <= 1) return;
  const auto size = [&](int c) { return islands[static_cast<std::size_t>(c)].nodes(); };
  std::sort(by_size_.begin(), by_size_.end(),
            [&](int a, int b) { return size(a) != size(b) ? size(a) > size(b) : a < b; });
}

}  // namespace slipstick::internal
