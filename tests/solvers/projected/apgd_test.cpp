// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/projected/apgd.hpp"

#include <gtest/gtest.h>

#include "tests/solvers/cone_cases.hpp"

namespace slipstick::internal::apgd_test {

using cone_cases::contact;
using cone_cases::packing;

Result solve(const Problem& problem, const ApgdSettings& settings = {}, double tolerance = 1e-12) {
  return solve_with(Apgd(settings), problem, tolerance);
}

// While sliding, the convex law has u_N = mu ||u_T||.
TEST(Apgd, SlidingContactLiftsOff) {
  const Result result = solve(contact(2.0, Eigen::Vector3d(-1.0, 3.0, 4.0), 0.3));
  EXPECT_NEAR(result.w[0], 0.3 * result.w.tail(2).norm(), 1e-9);
  EXPECT_GT(result.w[0], 0.1);
}

TEST(Apgd, SolvesPackingsWithEveryOption) {
  const Problem problem = packing(60, 0.3);
  Vector reference;
  for (const bool restart : {true, false}) {
    for (const bool rescale : {true, false}) {
      const Result result = solve(problem, {.restart = restart, .rescale = rescale}, restart ? 1e-9 : 1e-5);
      ASSERT_TRUE(result.solved()) << restart << rescale << ": " << result.message;
      if (reference.size() == 0) reference = result.w;
      EXPECT_LT((result.w - reference).norm(), 1e-3 * problem.b.norm());
    }
  }
}

TEST(Apgd, TakesAboutOneProductPerIteration) {
  const Problem problem = packing(40, 0.3);
  const Result result = solve(problem, {}, 1e-8);
  EXPECT_LT(static_cast<double>(result.counts.products),
            1.2 * static_cast<double>(result.counts.iterations) + 5);
}

}  // namespace slipstick::internal::apgd_test
