// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/sweeps/momentum_limit.hpp"

#include <gtest/gtest.h>

namespace slipstick::internal::momentum_limit_test {

constexpr double full = 0.999;

// Tests with this error until the limit falls. Returns the iterations, at most 10,000.
int iterations_to_fall(MomentumLimit& limit, double error) {
  for (int k = 10; k < 10000; k += 10)
    if (limit.tested(error, 10)) return k;
  return 10000;
}

TEST(MomentumLimit, IsNoneInTheTrial) {
  MomentumLimit limit;
  limit.restart(1000);
  for (int k = 0; k < 99; ++k) EXPECT_FALSE(limit.tested(1.0 + k, 10));
  EXPECT_FALSE(limit.is_active());
  EXPECT_EQ(limit.apply(full), full);
}

TEST(MomentumLimit, IsNoneIfTheErrorFalls) {
  MomentumLimit limit;
  limit.restart(1000);
  double error = 1e6;
  for (int k = 0; k < 500; ++k) EXPECT_FALSE(limit.tested(error *= 0.99, 10));
  EXPECT_TRUE(limit.is_active());
  EXPECT_EQ(limit.apply(full), full);
}

TEST(MomentumLimit, HalvesTheSpanInUseIfTheErrorWanders) {
  MomentumLimit limit;
  limit.restart(1000);
  limit.apply(1.0 - 1.0 / 160.0);
  EXPECT_NEAR(iterations_to_fall(limit, 2.0), 1300, 20);
  EXPECT_NEAR(limit.apply(full), 1.0 - 1.0 / 80.0, 1e-12);
  EXPECT_NEAR(iterations_to_fall(limit, 2.0), 300, 10);
  EXPECT_NEAR(limit.apply(full), 1.0 - 1.0 / 40.0, 1e-12);
}

TEST(MomentumLimit, FallsSoonerIfTheErrorGrows) {
  MomentumLimit limit;
  limit.restart(1000);
  EXPECT_FALSE(limit.tested(2.0, 1000));
  limit.apply(full);
  EXPECT_FALSE(limit.tested(2.5, 10));
  EXPECT_TRUE(limit.tested(2.7, 10));
  EXPECT_FALSE(limit.tested(2.7, 90));
  EXPECT_TRUE(limit.tested(2.7, 10));
}

TEST(MomentumLimit, LeavesSomeMomentum) {
  MomentumLimit limit;
  limit.restart(1000);
  for (int k = 0; k < 20; ++k) {
    limit.apply(full);
    iterations_to_fall(limit, 2.0);
  }
  EXPECT_NEAR(limit.apply(full), 1.0 - 1.0 / 30.0, 1e-12);
  limit.restart(1000);
  EXPECT_EQ(limit.apply(full), full);
}

TEST(MomentumLimit, FreesTheMomentumAfterLongWandering) {
  MomentumLimit limit;
  limit.restart(1000);
  bool was_least = false, is_free_again = false;
  for (int k = 0; k < 60; ++k) {
    const double applied = limit.apply(full);
    if (applied < 0.97) was_least = true;
    is_free_again = is_free_again || (was_least && applied == full);
    iterations_to_fall(limit, 2.0);
  }
  EXPECT_TRUE(was_least);
  EXPECT_TRUE(is_free_again);
}

}  // namespace slipstick::internal::momentum_limit_test
