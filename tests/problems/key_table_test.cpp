// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/problems/key_table.hpp"

#include <gtest/gtest.h>

#include "tests/support/allocation_counter.hpp"

namespace slipstick::internal::key_table_test {

TEST(KeyTable, FindsWhatWasInsertedSinceTheLastClear) {
  KeyTable table;
  EXPECT_EQ(table.find(0), KeyTable::none);
  for (const std::uint64_t step : {std::uint64_t{1}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    table.clear();
    for (int k = 0; k < 1000; ++k) table.insert(step * static_cast<std::uint64_t>(k), k);
    for (int k = 0; k < 1000; ++k) EXPECT_EQ(table.find(step * static_cast<std::uint64_t>(k)), k);
    EXPECT_EQ(table.find(step * 1000), KeyTable::none);
    // Some come late.
    table.clear();
    const auto key = [&](int k) { return step * static_cast<std::uint64_t>(k % 3 == 1 ? 1000 - k : k); };
    for (int k = 0; k < 500; ++k) table.insert(key(k), k);
    for (int k = 0; k < 500; ++k) EXPECT_EQ(table.find(key(k)), k);
    EXPECT_EQ(table.find(step * 1001), KeyTable::none);
    EXPECT_EQ(table.find(step), KeyTable::none);
  }
  table.clear();
  EXPECT_EQ(table.find(0), KeyTable::none);
  EXPECT_EQ(table.find(7), KeyTable::none);
}

TEST(KeyTable, KeepsItsStorage) {
  for (const bool ascend : {true, false}) {
    KeyTable table;
    for (int round = 0; round < 3; ++round) {
      const std::size_t before = allocations();
      table.clear();
      for (int k = 0; k < 100; ++k)
        table.insert(static_cast<std::uint64_t>(100 * round + (ascend ? k : 99 - k)), k);
      if (round > 0) {
        EXPECT_EQ(allocations() - before, 0u) << ascend;
      }
    }
  }
}

}  // namespace slipstick::internal::key_table_test
