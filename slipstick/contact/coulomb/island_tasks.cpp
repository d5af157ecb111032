// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/island_tasks.hpp"

#include <algorithm>

namespace slipstick::internal {

void IslandTasks::prepare(std::span<const Island> islands, const Settings& settings) {
  constexpr int fewest_nodes = 300;  // for less, waking threads takes longer than the work
  constexpr int groups_per_thread = 12;
  const int nodes = islands.empty() ? 0 : islands.back().end;
  runner_ = settings.tasks;
  threads_ = nodes < fewest_nodes ? 1 : std::min(settings.threads, static_cast<int>(islands.size()));
  groups_.clear();
  if (threads_ <= 1) {
    groups_.push_back({0, islands.size(), nodes});
    return;
  }
  const int enough = nodes / (groups_per_thread * threads_);
  for (std::size_t c = 0; c < islands.size(); ++c) {
    if (groups_.empty() || groups_.back().nodes >= enough) groups_.push_back({c, c, 0});
    groups_.back().last = c + 1;
    groups_.back().nodes += islands[c].nodes();
  }
  std::sort(groups_.begin(), groups_.end(), [](const Group& a, const Group& b) {
    return a.nodes != b.nodes ? a.nodes > b.nodes : a.first < b.first;
  });
}

}  // namespace slipstick::internal
