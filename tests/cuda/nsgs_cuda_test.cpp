// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/nsgs_cuda.hpp"

#include <gtest/gtest.h>

#include "slipstick/contact/coulomb/sweeps/nsgs_matrix_free.hpp"
#include "tests/cuda/contact_cases.hpp"

namespace slipstick::internal::nsgs_cuda_test {

TEST(NsgsCuda, SolvesAndIsCertifiedOnTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  for (const double plate : {0.0, 0.05}) {
    const LocalContactProblem problem = local_heap(120, plate);
    NsgsMatrixFree host;
    Result expected;
    host.solve(problem, {.tolerance = 1e-3}, expected);
    ASSERT_TRUE(expected.solved());
    for (const NsgsSettings& settings :
         {NsgsSettings{}, NsgsSettings{.order = SweepOrder::symmetric}, NsgsSettings{.relaxation = 0.9},
          NsgsSettings{.test = 3, .proximal = 0.01}}) {
      NsgsCuda solver(settings);
      Result result;
      solver.solve(problem, {.tolerance = 1e-3}, result);
      EXPECT_TRUE(result.solved()) << name(result.status) << ": " << result.message;
      EXPECT_LE(result.counts.iterations, 10 * expected.counts.iterations + 50);
      const Vector first = result.r;
      solver.solve(problem, {.tolerance = 1e-3}, result);
      EXPECT_EQ(result.r, first) << "the same bits again";
      const WarmStart start{first};
      solver.solve(problem, {.tolerance = 0.5e-3}, result, &start);
      EXPECT_TRUE(result.solved());
    }
  }
}

}  // namespace slipstick::internal::nsgs_cuda_test
