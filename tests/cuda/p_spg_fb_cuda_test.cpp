// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/p_spg_fb_cuda.hpp"

#include <gtest/gtest.h>

#include "slipstick/solvers/projected/p_spg_fb.hpp"
#include "tests/cuda/contact_cases.hpp"
#include "tests/support/problems.hpp"

namespace slipstick::internal::p_spg_fb_cuda_test {

class PSpgFbCudaCases : public EveryContactCase {};
INSTANTIATE_TEST_SUITE_P(Every, PSpgFbCudaCases, ::testing::ValuesIn(contact_case_numbers()),
                         contact_case_name);

// The lengths of steps are ratios of small sums. They lose digits from one to the next.
TEST_P(PSpgFbCudaCases, IteratesAreThoseOfPSpgFb) {
  SLIPSTICK_NEEDS_DEVICE();
  for (const PSpgFbSettings& settings :
       {PSpgFbSettings{},
        PSpgFbSettings{.spectral = SpectralStep::alternating, .preconditioned = false, .rescale = false}}) {
    PSpgFbCuda device(settings);
    PSpgFb host(settings);
    expect_same_iterates(device, host, one.problem, 20);
  }
}

TEST(PSpgFbCuda, SolvesAndIsCertifiedOnTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  for (const ContactCase& one : contact_cases()) {
    SCOPED_TRACE(one.name);
    PSpgFb host;
    Result expected, result;
    host.solve(one.problem, {.tolerance = 1e-4}, expected);
    if (!expected.solved()) continue;
    PSpgFbCuda solver;
    solver.solve(one.problem, {.tolerance = 1e-4}, result);
    EXPECT_TRUE(result.solved()) << name(result.status) << ": " << result.message;
    EXPECT_LE(error_of(one.problem, result.x), 1e-4);
    const Vector first = result.x;
    solver.solve(one.problem, {.tolerance = 1e-4}, result);
    EXPECT_EQ(result.x, first) << "the same bits again";
  }
}

TEST(PSpgFbCuda, KeepsLimits) {
  SLIPSTICK_NEEDS_DEVICE();
  PSpgFbCuda solver;
  expect_iteration_limits(solver, contact_cases()[1].problem);
}

}  // namespace slipstick::internal::p_spg_fb_cuda_test
