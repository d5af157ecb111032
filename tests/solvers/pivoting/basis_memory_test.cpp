// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/basis_memory.hpp"

#include <gtest/gtest.h>

namespace slipstick::internal::basis_memory_test {

TEST(BasisMemory, FindsABasisThatComesBack) {
  BasisMemory memory;
  memory.clear(200);
  for (std::size_t k = 0; k < BasisMemory::unkept + 1000; ++k)
    ASSERT_TRUE(memory.insert(BasisMemory::key(k))) << k;
  EXPECT_FALSE(memory.insert(BasisMemory::key(BasisMemory::unkept + 500)));
  // The first ones were not kept.
  EXPECT_TRUE(memory.insert(BasisMemory::key(3)));
  // After a clear nothing is known.
  memory.clear(200);
  for (std::size_t k = 0; k < BasisMemory::unkept; ++k) memory.insert(BasisMemory::key(k));
  EXPECT_TRUE(memory.insert(BasisMemory::key(BasisMemory::unkept + 500)));
}

TEST(BasisMemory, FindsCyclesAfterManyBases) {
  BasisMemory memory;
  memory.clear(200);
  for (std::size_t k = 0; k < 100'000; ++k) ASSERT_TRUE(memory.insert(BasisMemory::key(k)));
  int rounds = 0;
  bool is_new = true;
  for (; is_new && rounds < 3; ++rounds) {
    for (std::size_t k = 200'000; is_new && k < 201'000; ++k) is_new = memory.insert(BasisMemory::key(k));
  }
  EXPECT_FALSE(is_new);
}

TEST(BasisMemory, TakesTheHashZero) {
  BasisMemory memory;
  memory.clear(200);
  for (std::size_t k = 0; k < BasisMemory::unkept; ++k) memory.insert(k);
  EXPECT_TRUE(memory.insert(0));
  EXPECT_FALSE(memory.insert(0));
}

}  // namespace slipstick::internal::basis_memory_test
