// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/nsgs_fast_cuda.hpp"

#include <gtest/gtest.h>

#include "slipstick/cuda/nsgs_cuda.hpp"
#include "tests/cuda/contact_cases.hpp"

namespace slipstick::internal::nsgs_fast_cuda_test {

TEST(NsgsFastCuda, SolvesAndIsCertifiedOnTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  for (const double plate : {0.0, 0.05}) {
    const LocalContactProblem problem = local_heap(120, plate);
    for (const NsgsFastSettings& settings :
         {NsgsFastSettings{}, NsgsFastSettings{.restart = 3.0, .test = 3}}) {
      NsgsFastCuda solver(settings);
      Result result;
      solver.solve(problem, {.tolerance = 1e-3}, result);
      EXPECT_TRUE(result.solved()) << name(result.status) << ": " << result.message;
      const Vector first = result.r;
      solver.solve(problem, {.tolerance = 1e-3}, result);
      EXPECT_EQ(result.r, first) << "the same bits again";
      const WarmStart start{first};
      solver.solve(problem, {.tolerance = 0.5e-3}, result, &start);
      EXPECT_TRUE(result.solved());
    }
  }
}

// Momentum does in the root of the number of sweeps what they would do alone.
TEST(NsgsFastCuda, NeedsFewerSweepsThanSweepsAlone) {
  SLIPSTICK_NEEDS_DEVICE();
  const LocalContactProblem problem = local_heap(2000);
  NsgsFastCuda fast;
  NsgsCuda plain;
  Result with, without;
  fast.solve(problem, {.tolerance = 1e-3}, with);
  ASSERT_TRUE(with.solved()) << name(with.status);
  plain.solve(problem, {.tolerance = 1e-3, .max_iterations = 2 * static_cast<int>(with.counts.iterations)},
              without);
  EXPECT_FALSE(without.solved()) << with.counts.iterations << " and " << without.counts.iterations;
}

TEST(NsgsFastCuda, EndsWhereTheErrorNoLongerFalls) {
  SLIPSTICK_NEEDS_DEVICE();
  const LocalContactProblem problem = local_heap(30);
  NsgsFastCuda solver;
  Result result;
  solver.solve(problem, {.tolerance = 1e-100, .max_iterations = 100000}, result);
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_GT(result.counts.iterations, 2000);
  EXPECT_LE(result.counts.iterations, 50000);
}

}  // namespace slipstick::internal::nsgs_fast_cuda_test
