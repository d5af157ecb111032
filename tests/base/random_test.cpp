// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/base/random.hpp"

#include <gtest/gtest.h>

namespace slipstick::internal::random_test {

TEST(Random, SameSeedSameBits) {
  Random a(7), b(7), c(8);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.bits(), b.bits());
  EXPECT_NE(a.bits(), c.bits());
}

TEST(Random, FirstNumbersOfSplitmix64) {
  // Reference values of the published generator with seed 0.
  Random random(0);
  EXPECT_EQ(random.bits(), 0xe220a8397b1dcdafULL);
  EXPECT_EQ(random.bits(), 0x6e789e6aa1b965f4ULL);
}

TEST(Random, MomentsOfTheDistributions) {
  Random random(1);
  const int count = 100000;
  double mean = 0.0, normal_mean = 0.0, normal_square = 0.0;
  for (int i = 0; i < count; ++i) {
    const double u = random.uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    mean += u / count;
    const double g = random.normal();
    normal_mean += g / count;
    normal_square += g * g / count;
    const auto k = random.below(7);
    ASSERT_GE(k, 0);
    ASSERT_LT(k, 7);
  }
  EXPECT_NEAR(mean, 0.5, 0.01);
  EXPECT_NEAR(normal_mean, 0.0, 0.02);
  EXPECT_NEAR(normal_square, 1.0, 0.03);
}

}  // namespace slipstick::internal::random_test
