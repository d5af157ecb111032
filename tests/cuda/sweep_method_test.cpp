// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/sweep_method.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <type_traits>

#include "slipstick/cuda/nsgs_cuda.hpp"
#include "slipstick/cuda/nsgs_fast_cuda.hpp"
#include "tests/cuda/contact_cases.hpp"

// What all sweeps on a device have in common.
namespace slipstick::internal::sweep_method_test {

template <class Method>
class SweepMethods : public ::testing::Test {};
using Methods = ::testing::Types<NsgsCuda, NsgsFastCuda>;
TYPED_TEST_SUITE(SweepMethods, Methods);

TYPED_TEST(SweepMethods, KeepLimits) {
  SLIPSTICK_NEEDS_DEVICE();
  const LocalContactProblem problem = local_heap(120);
  TypeParam solver;
  expect_iteration_limits(solver, problem);
  class Stop : public Observer {
   public:
    bool observe(const Iteration& iteration) override { return iteration.number < 15; }
  } stop;
  Result result;
  solver.solve(problem, {.tolerance = 0.0}, result, nullptr, &stop);
  EXPECT_EQ(result.status, Status::cancelled);
  EXPECT_LE(result.counts.iterations, 25);
  EXPECT_TRUE(result.r.allFinite());
}

TYPED_TEST(SweepMethods, RefuseByName) {
  const LocalContactProblem dense{.W = Operator(DenseMatrix(DenseMatrix::Identity(3, 3))),
                                  .q = Vector::Constant(3, -1.0),
                                  .mu = Vector::Constant(1, 0.5)};
  TypeParam solver;
  Result result;
  solver.solve(dense, {}, result);
  EXPECT_EQ(result.status, Status::unsupported);
  constexpr std::string_view name = std::is_same_v<TypeParam, NsgsCuda> ? "nsgs-cuda " : "nsgs-fast-cuda ";
  EXPECT_TRUE(result.message.starts_with(name)) << result.message;
}

}  // namespace slipstick::internal::sweep_method_test
