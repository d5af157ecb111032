// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/base/timer.hpp"

#include <gtest/gtest.h>

namespace slipstick::internal::timer_test {

TEST(Timer, NeverRunsBackwards) {
  const Timer timer;
  double last = timer.seconds();
  EXPECT_GE(last, 0.0);
  for (int i = 0; i < 100; ++i) {
    const double now = timer.seconds();
    EXPECT_GE(now, last);
    last = now;
  }
}

}  // namespace slipstick::internal::timer_test
