// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/island_tasks.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace slipstick::internal::island_tasks_test {

IslandTasks tasks_of(const std::vector<int>& nodes, int threads) {
  std::vector<Island> islands;
  int begin = 0;
  for (const int count : nodes) {
    islands.push_back({begin, begin + count, begin + count});
    begin += count;
  }
  IslandTasks tasks;
  tasks.prepare(islands, {.threads = threads});
  std::vector<int> visits(nodes.size(), 0);
  tasks.run([&](std::size_t island, int) { ++visits[island]; });
  EXPECT_EQ(visits, std::vector<int>(nodes.size(), 1));
  return tasks;
}

TEST(IslandTasks, GivesThreadsToIslandsOrToTheirInside) {
  const IslandTasks equal = tasks_of({500, 500, 400}, 2);
  EXPECT_EQ(equal.threads(), 2);
  EXPECT_EQ(equal.island_threads(), 1);
  const IslandTasks one = tasks_of({500}, 2);
  EXPECT_EQ(one.threads(), 1);
  EXPECT_EQ(one.island_threads(), 2);
  const IslandTasks dominant = tasks_of({20, 900, 100}, 2);
  EXPECT_EQ(dominant.threads(), 1);
  EXPECT_EQ(dominant.island_threads(), 2);
  const IslandTasks few = tasks_of({100, 10}, 2);
  EXPECT_EQ(few.threads(), 1);
  EXPECT_EQ(few.island_threads(), 1);
}

TEST(IslandTasks, OneThreadBeginsWithTheSmallest) {
  std::vector<Island> islands;
  for (int begin = 0; const int nodes : {3, 900, 5, 40, 4})
    islands.push_back({std::exchange(begin, begin + nodes), begin, begin});
  IslandTasks tasks;
  tasks.prepare(islands, {.threads = 1});
  std::vector<std::size_t> order;
  tasks.run([&](std::size_t island, int) { order.push_back(island); });
  EXPECT_EQ(order.size(), islands.size());
  EXPECT_EQ(order.back(), 1);
}

}  // namespace slipstick::internal::island_tasks_test
