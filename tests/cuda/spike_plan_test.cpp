// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/spike_plan.hpp"

#include <gtest/gtest.h>

#include "slipstick/cuda/spike_jobs.hpp"

namespace slipstick::internal::spike_plan_test {

TEST(SpikePlan, PartitionsCoverTheRowsAndAreLongEnough) {
  for (const int rows : {0, 1, 31, 32, 33, 500, 10007}) {
    for (const int k : {0, 1, 32, 33, 100, 20000}) {
      for (const int partitions : {0, 1, 2, 3, 7, 1000}) {
        const SpikePlan plan = plan_spike({.rows = rows, .half_bandwidth = k, .partitions = partitions});
        SCOPED_TRACE(::testing::Message() << rows << " " << k << " " << partitions);
        EXPECT_EQ(plan.start.front(), 0);
        EXPECT_EQ(plan.start.back(), plan.tiles);
        EXPECT_GE(plan.tiles * tile_rows, rows);
        EXPECT_LT(plan.tiles * tile_rows, rows + tile_rows);
        EXPECT_GE(plan.width * tile_rows, std::min(k, std::max(0, rows - 1)));
        EXPECT_GE(plan.partitions, 1);
        if (partitions > 0) {
          EXPECT_LE(plan.partitions, partitions);
        }
        for (int i = 0; i < plan.partitions && plan.partitions > 1; ++i)
          EXPECT_GE(plan.count(i), 2 * plan.width);
      }
    }
  }
}

TEST(SpikePlan, InnerPartitionsAreFactorizedInBothOrders) {
  const SpikePlan plan = plan_spike({.rows = 3200, .half_bandwidth = 20, .partitions = 4});
  ASSERT_EQ(plan.jobs.size(), 6U);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(plan.jobs[i].partition, i);
    EXPECT_EQ(plan.jobs[i].reversed, i == 3);
    if (i == 0) continue;
    EXPECT_EQ(plan.jobs[plan.job_of_reversed(i)].partition, i);
    EXPECT_TRUE(plan.jobs[plan.job_of_reversed(i)].reversed);
  }
  EXPECT_FALSE(plan_spike({.rows = 3200, .half_bandwidth = 20, .partitions = 1}).jobs[0].reversed);
}

TEST(SpikePlan, TruncatedMergesNeighboursAlone) {
  const SpikePlan plan = plan_spike({.rows = 3200, .half_bandwidth = 20, .partitions = 5, .truncated = true});
  ASSERT_EQ(plan.merges.size(), 4U);
  EXPECT_EQ(plan.levels(), 1);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(plan.merges[i].cut, i);
    EXPECT_FALSE(plan.merges[i].has_previous() || plan.merges[i].has_next());
  }
}

TEST(SpikePlan, FullMergesEveryCutOnce) {
  for (const int partitions : {2, 3, 4, 7, 11}) {
    const SpikePlan plan = plan_spike({.rows = 6400, .half_bandwidth = 20, .partitions = partitions});
    ASSERT_EQ(plan.partitions, partitions);
    std::vector<int> seen(static_cast<std::size_t>(partitions) - 1, 0);
    for (const SpikePlan::Merge& merge : plan.merges) {
      ++seen[merge.cut];
      EXPECT_EQ(plan.segments[merge.left].last + 1, plan.segments[merge.right].first);
      EXPECT_EQ(merge.has_previous(), plan.has_previous(merge.left));
      EXPECT_EQ(merge.has_next(), plan.has_next(merge.right));
      // Cuts around it belong to higher levels.
      for (const int around : {merge.previous_cut, merge.next_cut}) {
        if (around < 0) continue;
        EXPECT_EQ(seen[around], 0);
      }
    }
    for (const int count : seen) EXPECT_EQ(count, 1);
    EXPECT_EQ(plan.segments.back().first, 0);
    EXPECT_EQ(plan.segments.back().last, partitions - 1);
  }
}

}  // namespace slipstick::internal::spike_plan_test
