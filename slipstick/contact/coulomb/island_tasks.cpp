// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/island_tasks.hpp"

#include <algorithm>

namespace slipstick::internal {

void IslandTasks::prepare(std::span<const Island> islands, const Settings& settings) {
  constexpr int fewest_nodes = 300;  // for less, waking threads takes longer than the work
  constexpr int groups_per_thread = 12;
  constexpr double dominant_share = 0.67;  // of all nodes in one island
  const int nodes = islands.empty() ? 0 : islands.back().end;
  int largest = 0;
  for (const Island& island : islands) largest = std::max(largest, island.nodes());
  const bool in_turn = islands.size() == 1 || (largest >= fewest_nodes && largest >= dominant_share * nodes);
  runner_ = settings.tasks;
  threads_ =
      in_turn || nodes < fewest_nodes ? 1 : std::min(settings.threads, static_cast<int>(islands.size()));
  island_threads_ = in_turn ? settings.threads : 1;
  groups_.clear();
  const int enough = nodes / (groups_per_thread * std::max(1, threads_));
  for (std::size_t c = 0; c < islands.size(); ++c) {
    if (groups_.empty() || groups_.back().nodes >= enough) groups_.push_back({c, c, 0});
    groups_.back().last = c + 1;
    groups_.back().nodes += islands[c].nodes();
  }
  std::sort(groups_.begin(), groups_.end(), [largest_first = threads_ > 1](const Group& a, const Group& b) {
    return a.nodes != b.nodes ? (a.nodes > b.nodes) == largest_first : a.first < b.first;
  });
}

}  // namespace slipstick::internal
