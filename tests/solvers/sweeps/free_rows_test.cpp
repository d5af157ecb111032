// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/sweeps/free_rows.hpp"

#include <gtest/gtest.h>

#include "tests/support/dense.hpp"

namespace slipstick::internal::free_rows_test {

struct Sample {
  ProductSet K = ProductSet::box(vec({0, 0, -1, -infinity, 3, 0}), vec({infinity, 2, 1, infinity, 3, 5}));
  Vector mobility = vec({1, 1, 1, 1, 1, 0});
  Vector x = vec({0.5, 2, 0, -7, 3, 1});
  std::vector<int> list;
  bool update() { return list_free_rows(K, mobility, x, list); }
};

// Row 1 is at its upper bound, row 4 is fixed, row 5 cannot move.
TEST(FreeRows, ByHand) {
  Sample sample;
  EXPECT_TRUE(sample.update());
  EXPECT_EQ(sample.list, (std::vector<int>{0, 2, 3}));
  EXPECT_FALSE(sample.update());
  EXPECT_EQ(sample.list, (std::vector<int>{0, 2, 3}));
}

TEST(FreeRows, ChangesAreSeen) {
  Sample sample;
  sample.update();
  sample.x[0] = 0.0;  // fewer
  EXPECT_TRUE(sample.update());
  EXPECT_EQ(sample.list, (std::vector<int>{2, 3}));
  sample.x[1] = 1.0;  // more
  EXPECT_TRUE(sample.update());
  EXPECT_EQ(sample.list, (std::vector<int>{1, 2, 3}));
  sample.x[1] = 0.0;  // as many, others
  sample.x[0] = 1e-300;
  EXPECT_TRUE(sample.update());
  EXPECT_EQ(sample.list, (std::vector<int>{0, 2, 3}));
  sample.x[3] = 1e9;
  EXPECT_FALSE(sample.update());
  sample.x = sample.K.lower().cwiseMax(-1.0);  // the last one alone
  sample.x[3] = 4.0;
  EXPECT_TRUE(sample.update());
  EXPECT_EQ(sample.list, std::vector<int>{3});
}

TEST(FreeRows, NoneAtAll) {
  Sample sample;
  sample.mobility.setZero();
  EXPECT_FALSE(sample.update());  // the list was empty before
  sample.list = {4};
  EXPECT_TRUE(sample.update());
  EXPECT_TRUE(sample.list.empty());
}

TEST(FreeRows, CapacityIsKept) {
  Sample sample;
  sample.update();
  const int* data = sample.list.data();
  sample.x.setConstant(3.0);
  sample.update();
  sample.x = vec({0.5, 2, 0, -7, 3, 1});
  sample.update();
  EXPECT_EQ(sample.list.data(), data);
}

}  // namespace slipstick::internal::free_rows_test
