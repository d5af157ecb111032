// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/iteration_forecast.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace slipstick::internal::iteration_forecast_test {

// A tenth per ten iterations: from 1e4 to 1 in forty.
IterationForecast falling(int iterations) {
  IterationForecast forecast;
  for (int k = 0; k <= iterations; k += 10) forecast.tested(k, std::pow(10.0, 4.0 - 0.1 * k));
  return forecast;
}

TEST(IterationForecast, FollowsALinearRate) {
  for (const int iterations : {10, 20, 30}) {
    EXPECT_NEAR(falling(iterations).iterations_left(), 40.0 - iterations, 1e-9);
  }
  EXPECT_EQ(falling(50).iterations_left(), 0.0);
}

TEST(IterationForecast, KnowsNothingBeforeTheErrorFalls) {
  IterationForecast forecast;
  EXPECT_EQ(forecast.iterations_left(), std::numeric_limits<double>::infinity());
  forecast.tested(0, 100.0);
  EXPECT_EQ(forecast.iterations_left(), std::numeric_limits<double>::infinity());
  forecast.tested(10, 200.0);
  EXPECT_EQ(forecast.iterations_left(), std::numeric_limits<double>::infinity());
}

// What happened in the first half is forgotten.
TEST(IterationForecast, LooksAtTheLastHalf) {
  IterationForecast forecast;
  forecast.tested(0, 1e8);
  forecast.tested(10, 1e2);
  forecast.tested(20, 1e2);
  forecast.tested(40, 1e1);
  EXPECT_NEAR(forecast.iterations_left(), 20.0, 1e-9);
}

TEST(SwitchToNewton, EndsWhereNewtonsMethodIsCheaper) {
  const SwitchToNewton rule{.trial = 10, .newton_steps = 5.0};
  const auto costs = [](double iterations) { return [=] { return iterations; }; };
  // Ten beyond the trial and twenty ahead.
  EXPECT_FALSE(rule.is_due(20, falling(20), 0, costs(6.1)));
  EXPECT_TRUE(rule.is_due(20, falling(20), 0, costs(5.9)));
  EXPECT_FALSE(rule.is_due(20, falling(20), 1000, costs(3.1)));
  EXPECT_TRUE(rule.is_due(20, falling(20), 1000, costs(2.9)));
}

TEST(SwitchToNewton, FewContactsHaveAShorterTrial) {
  const SwitchToNewton rule{.trial = 100, .trial_per_contact = 2.0, .newton_steps = 1.0};
  const auto no_cost = [] { return 0.0; };
  EXPECT_TRUE(rule.is_due(20, falling(20), 10, no_cost));
  EXPECT_FALSE(rule.is_due(20, falling(20), 11, no_cost));
  EXPECT_FALSE(rule.is_due(99, falling(20), 1000, no_cost));
  EXPECT_TRUE(rule.is_due(100, falling(20), 1000, no_cost));
}

TEST(SwitchToNewton, LastsForTheTrialAndAsksForNoCost) {
  const auto unknown = []() -> double {
    ADD_FAILURE() << "not to be asked";
    return 0.0;
  };
  EXPECT_FALSE((SwitchToNewton{.trial = 21, .newton_steps = 1.0}.is_due(20, falling(20), 0, unknown)));
  EXPECT_FALSE(SwitchToNewton().is_due(1000000, falling(20), 0, unknown));
}

}  // namespace slipstick::internal::iteration_forecast_test
