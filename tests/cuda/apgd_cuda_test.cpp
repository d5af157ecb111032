// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/apgd_cuda.hpp"

#include <gtest/gtest.h>

#include "slipstick/solvers/projected/apgd.hpp"
#include "tests/cuda/contact_cases.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/problems.hpp"

namespace slipstick::internal::apgd_cuda_test {

class ApgdCudaCases : public EveryContactCase {};
INSTANTIATE_TEST_SUITE_P(Every, ApgdCudaCases, ::testing::ValuesIn(contact_case_numbers()),
                         contact_case_name);

TEST_P(ApgdCudaCases, IteratesAreThoseOfApgd) {
  SLIPSTICK_NEEDS_DEVICE();
  for (const ApgdSettings& settings :
       {ApgdSettings{}, ApgdSettings{.growth = 2.0, .shrinkage = 0.9, .restart = false, .rescale = false}}) {
    ApgdCuda device(ApgdCudaSettings{settings});
    Apgd host(settings);
    expect_same_iterates(device, host, one.problem, 60);
  }
}

TEST(ApgdCuda, SolvesAndIsCertifiedOnTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  int solved = 0;
  for (const ContactCase& one : contact_cases()) {
    SCOPED_TRACE(one.name);
    // Some of the cases have no solution. The device must say so, as the host does.
    const Settings settings{.tolerance = 1e-6, .max_iterations = 3000};
    Apgd host;
    Result expected, result;
    host.solve(one.problem, settings, expected);
    ApgdCuda solver;
    solver.solve(one.problem, settings, result);
    EXPECT_EQ(result.status, expected.status) << result.message;
    EXPECT_EQ(result.solved(), error_of(one.problem, result.x) <= 1e-6);
    solved += result.solved();
    const Vector first = result.x;
    solver.solve(one.problem, settings, result);
    EXPECT_EQ(result.x, first) << "the same bits again";
  }
  EXPECT_GE(solved, 7);
}

TEST(ApgdCuda, FloatsAreEnoughForLooseTolerances) {
  SLIPSTICK_NEEDS_DEVICE();
  int solved = 0;
  for (const ContactCase& one : contact_cases()) {
    SCOPED_TRACE(one.name);
    const Settings settings{.tolerance = 1e-3, .max_iterations = 20000};
    Result expected, result;
    ApgdCuda exact, rounded({{}, DeviceStorage::float32});
    exact.solve(one.problem, settings, expected);
    if (!expected.solved()) continue;
    rounded.solve(one.problem, settings, result);
    EXPECT_TRUE(result.solved()) << name(result.status) << ": " << result.message;
    EXPECT_LE(error_of(one.problem, result.x), 1e-3);
    EXPECT_LE(result.counts.iterations, 3 * expected.counts.iterations + 100);
    EXPECT_NE(result.x, expected.x) << "it is rounded";
    solved += result.solved();
    const Vector first = result.x;
    rounded.solve(one.problem, settings, result);
    EXPECT_EQ(result.x, first) << "the same bits again";
  }
  EXPECT_GE(solved, 7);
}

TEST(ApgdCuda, FloatsStallWhereTheirRoundingEndsTheDescent) {
  SLIPSTICK_NEEDS_DEVICE();
  ApgdCuda solver({{}, DeviceStorage::float32});
  Result result;
  solver.solve(contact_cases()[1].problem, {.tolerance = 1e-13, .max_iterations = 100000}, result);
  EXPECT_EQ(result.status, Status::stalled) << result.counts.iterations;
  EXPECT_LE(error_of(contact_cases()[1].problem, result.x), 1e-3);
}

TEST(ApgdCuda, TakesAWarmStart) {
  SLIPSTICK_NEEDS_DEVICE();
  const Problem& problem = contact_cases()[1].problem;
  ApgdCuda solver;
  Result result;
  solver.solve(problem, {.tolerance = 1e-6}, result);
  const int cold = static_cast<int>(result.counts.iterations);
  Problem next = problem;
  next.b *= 1.001;
  const WarmStart start{result.x};
  solver.solve(next, {.tolerance = 1e-6}, result, &start);
  EXPECT_TRUE(result.solved());
  EXPECT_LT(result.counts.iterations, cold);
}

TEST(ApgdCuda, KeepsLimits) {
  SLIPSTICK_NEEDS_DEVICE();
  const Problem& problem = contact_cases()[1].problem;
  ApgdCuda solver;
  Result result;
  expect_iteration_limits(solver, problem);
  class Stop : public Observer {
   public:
    bool observe(const Iteration& iteration) override { return iteration.number < 30; }
  } stop;
  solver.solve(problem, {.tolerance = 0.0}, result, nullptr, &stop);
  EXPECT_EQ(result.status, Status::cancelled);
  EXPECT_LE(result.counts.iterations, 50);
  EXPECT_TRUE(result.x.allFinite());
}

TEST(ApgdCuda, RefusesByName) {
  const Problem dense = contact(2.0, vec({-1.0, 0.5, 0.0}), 0.3);
  ApgdCuda solver;
  Result result;
  solver.solve(dense, {}, result);
  EXPECT_EQ(result.status, Status::unsupported);
  EXPECT_EQ(result.message.find("apgd-cuda "), 0U) << result.message;
  if (!device_info().usable()) {
    EXPECT_NE(result.message.find("CUDA device"), std::string::npos) << result.message;
  }
}

}  // namespace slipstick::internal::apgd_cuda_test
