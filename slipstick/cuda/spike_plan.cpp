// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/spike_plan.hpp"

#include <algorithm>

#include "slipstick/cuda/spike_jobs.hpp"

namespace slipstick::internal {
namespace {

// The numbers are part of the method, so that the bits do not depend on the device. Blocks of a multiple of
// 132 partitions fill an H200. Shorter partitions cost more than they gain.
constexpr int most_partitions = 264;
constexpr int partitions_at_once = 132;
constexpr double least_bandwidths_per_partition = 7.5;

int wanted_partitions(const SpikeRequest& request) {
  if (request.partitions > 0) return request.partitions;
  const double bandwidths = request.rows / std::max(1.0, static_cast<double>(request.half_bandwidth));
  const int wanted = static_cast<int>(
      std::clamp(bandwidths / least_bandwidths_per_partition, 1.0, static_cast<double>(most_partitions)));
  return wanted < partitions_at_once ? wanted : wanted / partitions_at_once * partitions_at_once;
}

int add_segment(SpikePlan& plan, int first, int last) {
  plan.segments.push_back({first, last});
  return static_cast<int>(plan.segments.size()) - 1;
}

SpikePlan::Merge make_merge(const SpikePlan& plan, int left, int right) {
  SpikePlan::Merge merge{.left = left, .right = right, .cut = plan.segments[left].last};
  if (plan.request.truncated) return merge;
  merge.previous_cut = plan.segments[left].first - 1;
  merge.next_cut = plan.has_next(right) ? plan.segments[right].last : -1;
  return merge;
}

void pair_neighbours(SpikePlan& plan) {
  for (int i = 0; i + 1 < plan.partitions; ++i) plan.merges.push_back(make_merge(plan, i, i + 1));
  plan.level_start.push_back(static_cast<int>(plan.merges.size()));
}

void build_tree(SpikePlan& plan) {
  std::vector<int> level(static_cast<std::size_t>(plan.partitions));
  for (int i = 0; i < plan.partitions; ++i) level[i] = i;
  while (level.size() > 1) {
    std::vector<int> above;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2) {
      SpikePlan::Merge merge = make_merge(plan, level[i], level[i + 1]);
      merge.result = add_segment(plan, plan.segments[merge.left].first, plan.segments[merge.right].last);
      above.push_back(merge.result);
      plan.merges.push_back(merge);
    }
    if (level.size() % 2 == 1) above.push_back(level.back());
    level.swap(above);
    plan.level_start.push_back(static_cast<int>(plan.merges.size()));
  }
}

}  // namespace

SpikePlan plan_spike(const SpikeRequest& request) {
  SpikePlan plan;
  plan.request = request;
  const int k = std::min(request.half_bandwidth, std::max(0, request.rows - 1));
  plan.tiles = (request.rows + tile_rows - 1) / tile_rows;
  plan.width = std::max(1, (k + tile_rows - 1) / tile_rows);
  plan.partitions = std::clamp(wanted_partitions(request), 1, std::max(1, plan.tiles / (2 * plan.width)));
  for (int i = 0; i <= plan.partitions; ++i)
    plan.start.push_back(static_cast<int>(static_cast<long long>(plan.tiles) * i / plan.partitions));
  for (int i = 0; i < plan.partitions; ++i) plan.jobs.push_back({i, i > 0 && i + 1 == plan.partitions});
  for (int i = 1; i + 1 < plan.partitions; ++i) plan.jobs.push_back({i, true});
  for (int i = 0; i < plan.partitions; ++i) add_segment(plan, i, i);
  plan.level_start.assign(1, 0);
  if (plan.partitions > 1) request.truncated ? pair_neighbours(plan) : build_tree(plan);
  return plan;
}

}  // namespace slipstick::internal
