// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/nsgs_cuda.hpp"

#include <gtest/gtest.h>

#include "slipstick/contact/coulomb/sweeps/nsgs_matrix_free.hpp"
#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/scenes/packing.hpp"
#include "tests/cuda/contact_cases.hpp"

namespace slipstick::internal::nsgs_cuda_test {

// Spheres, and spheres under a plate.
LocalContactProblem heap(double plate) {
  const GlobalContactProblem global =
      sphere_packing({.spheres = 120, .friction = 0.4, .plate_mass_ratio = plate});
  return CondensedProblem(global).local();
}

TEST(NsgsCuda, SolvesAndIsCertifiedOnTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  for (const double plate : {0.0, 0.05}) {
    const LocalContactProblem problem = heap(plate);
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

TEST(NsgsCuda, KeepsLimits) {
  SLIPSTICK_NEEDS_DEVICE();
  const LocalContactProblem problem = heap(0.0);
  NsgsCuda solver;
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

TEST(NsgsCuda, RefusesByName) {
  LocalContactProblem dense{.W = Operator(DenseMatrix(DenseMatrix::Identity(3, 3))),
                            .q = Vector::Constant(3, -1.0),
                            .mu = Vector::Constant(1, 0.5)};
  NsgsCuda solver;
  Result result;
  solver.solve(dense, {}, result);
  EXPECT_EQ(result.status, Status::unsupported);
  EXPECT_EQ(result.message.find("nsgs-cuda "), 0U) << result.message;
}

}  // namespace slipstick::internal::nsgs_cuda_test
