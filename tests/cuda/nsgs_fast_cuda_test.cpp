// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/nsgs_fast_cuda.hpp"

#include <gtest/gtest.h>

#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/cuda/nsgs_cuda.hpp"
#include "slipstick/scenes/packing.hpp"
#include "tests/cuda/contact_cases.hpp"

namespace slipstick::internal::nsgs_fast_cuda_test {

// Spheres, and spheres under a plate.
LocalContactProblem heap(int spheres, double plate = 0.0) {
  const GlobalContactProblem global =
      sphere_packing({.spheres = spheres, .friction = 0.4, .plate_mass_ratio = plate});
  return CondensedProblem(global).local();
}

TEST(NsgsFastCuda, SolvesAndIsCertifiedOnTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  for (const double plate : {0.0, 0.05}) {
    const LocalContactProblem problem = heap(120, plate);
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
  const LocalContactProblem problem = heap(2000);
  NsgsFastCuda fast;
  NsgsCuda plain;
  Result with, without;
  fast.solve(problem, {.tolerance = 1e-3}, with);
  ASSERT_TRUE(with.solved()) << name(with.status);
  plain.solve(problem, {.tolerance = 1e-3, .max_iterations = 2 * static_cast<int>(with.counts.iterations)},
              without);
  EXPECT_FALSE(without.solved()) << with.counts.iterations << " and " << without.counts.iterations;
}

TEST(NsgsFastCuda, KeepsLimits) {
  SLIPSTICK_NEEDS_DEVICE();
  const LocalContactProblem problem = heap(120);
  NsgsFastCuda solver;
  Result result;
  for (const int most : {1, 7, 33}) {
    solver.solve(problem, {.tolerance = 0.0, .max_iterations = most}, result);
    EXPECT_EQ(result.status, Status::iteration_limit);
    EXPECT_EQ(result.counts.iterations, most);
  }
  class Stop : public Observer {
   public:
    bool observe(const Iteration& iteration) override { return iteration.number < 15; }
  } stop;
  solver.solve(problem, {.tolerance = 0.0}, result, nullptr, &stop);
  EXPECT_EQ(result.status, Status::cancelled);
  EXPECT_LE(result.counts.iterations, 25);
  EXPECT_TRUE(result.r.allFinite());
}

TEST(NsgsFastCuda, EndsWhereTheErrorNoLongerFalls) {
  SLIPSTICK_NEEDS_DEVICE();
  const LocalContactProblem problem = heap(30);
  NsgsFastCuda solver;
  Result result;
  solver.solve(problem, {.tolerance = 1e-100, .max_iterations = 100000}, result);
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_GT(result.counts.iterations, 2000);
  EXPECT_LE(result.counts.iterations, 50000);
}

TEST(NsgsFastCuda, RefusesByName) {
  LocalContactProblem dense{.W = Operator(DenseMatrix(DenseMatrix::Identity(3, 3))),
                            .q = Vector::Constant(3, -1.0),
                            .mu = Vector::Constant(1, 0.5)};
  NsgsFastCuda solver;
  Result result;
  solver.solve(dense, {}, result);
  EXPECT_EQ(result.status, Status::unsupported);
  EXPECT_EQ(result.message.find("nsgs-fast-cuda "), 0U) << result.message;
}

}  // namespace slipstick::internal::nsgs_fast_cuda_test
