// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/base/choose.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace slipstick::internal::choose_test {

TEST(Choose, TakesOneOfTwoAndNothingOfTheOther) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                   inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(choose(true, 1.5, nan), 1.5);
  EXPECT_EQ(choose(false, nan, -2.5), -2.5);
  EXPECT_EQ(choose(true, -inf, 0.0), -inf);
  EXPECT_TRUE(std::isnan(choose(true, nan, 1.0)));
  EXPECT_TRUE(std::signbit(choose(false, 0.0, -0.0)));
}

}  // namespace slipstick::internal::choose_test
