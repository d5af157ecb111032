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
  }
  table.clear();
  EXPECT_EQ(table.find(0), KeyTable::none);
  EXPECT_EQ(table.find(7), KeyTable::none);
}

TEST(KeyTable, KeepsItsStorage) {
  KeyTable table;
  for (int round = 0; round < 3; ++round) {
    const std::size_t before = allocations();
    table.clear();
    for (int k = 0; k < 100; ++k) table.insert(static_cast<std::uint64_t>(100 * round + k), k);
    if (round > 0) {
      EXPECT_EQ(allocations() - before, 0u);
    }
  }
}

}  // namespace slipstick::internal::key_table_test
