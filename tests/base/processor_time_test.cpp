// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/base/processor_time.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

namespace slipstick::internal::processor_time_test {

TEST(ProcessorTime, GrowsWithWorkOfThisThreadAlone) {
  const double start = processor_seconds();
  double sum = 0.0;
  for (int i = 1; i < 2000000; ++i) sum += std::sqrt(static_cast<double>(i));
  const double worked = processor_seconds() - start;
  EXPECT_GT(sum, 0.0);
  EXPECT_GT(worked, 0.0);
  // Neither waiting nor the work of another thread counts.
  const double before = processor_seconds();
  std::thread([&] {
    for (int i = 1; i < 2000000; ++i) sum += std::sqrt(static_cast<double>(i));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }).join();
  EXPECT_LT(processor_seconds() - before, 0.05);
}

}  // namespace slipstick::internal::processor_time_test
