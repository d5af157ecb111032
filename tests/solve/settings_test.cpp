// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solve/settings.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/error.hpp"

namespace slipstick::internal::settings_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string message_of(const Settings& settings) {
  try {
    check_settings(settings);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(Settings, DefaultsAndLimitsAreValid) {
  EXPECT_EQ(message_of({}), "");
  EXPECT_EQ(message_of(Settings{.tolerance = 0.0,
                                .max_iterations = std::numeric_limits<int>::max(),
                                .time_limit = 0.0,
                                .threads = 64}),
            "");
}

TEST(Settings, WhatIsOutOfRangeIsNamed) {
  Settings settings{.tolerance = -1e-8};
  EXPECT_EQ(message_of(settings), "the tolerance must be at least 0, not -1e-08");
  settings.tolerance = nan;
  EXPECT_EQ(message_of(settings), "the tolerance must be at least 0, not nan");
  settings = {};
  settings.max_iterations = -1;
  EXPECT_EQ(message_of(settings), "the iteration limit must be at least 0, not -1");
  settings = {};
  settings.time_limit = -0.5;
  EXPECT_EQ(message_of(settings), "the time limit must be at least 0 s, not -0.5");
  settings.time_limit = nan;
  EXPECT_EQ(message_of(settings), "the time limit must be at least 0 s, not nan");
  settings = {};
  settings.threads = 0;
  EXPECT_EQ(message_of(settings), "the number of threads must be at least 1, not 0");
}

}  // namespace slipstick::internal::settings_test
