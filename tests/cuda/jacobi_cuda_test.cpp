// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/jacobi_cuda.hpp"

#include <gtest/gtest.h>

#include "slipstick/solvers/sweeps/block_sweep.hpp"
#include "tests/cuda/contact_cases.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal::jacobi_cuda_test {

class JacobiCudaCases : public EveryContactCase {};
INSTANTIATE_TEST_SUITE_P(Every, JacobiCudaCases, ::testing::ValuesIn(contact_case_numbers()),
                         contact_case_name);

TEST_P(JacobiCudaCases, IteratesAreThoseOfJacobi) {
  SLIPSTICK_NEEDS_DEVICE();
  for (const JacobiSettings& settings :
       {JacobiSettings{.relaxation = 0.002}, JacobiSettings{.relaxation = 0.005, .damping = 0.5},
        JacobiSettings{.relaxation = 0.0}}) {
    JacobiCuda device(settings);
    Jacobi host(settings);
    expect_same_iterates(device, host, one.problem, 60);
  }
}

TEST(JacobiCuda, SolvesAndIsCertifiedOnTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  JacobiCuda solver({.relaxation = 0.0});
  Result result;
  solver.solve(contact_cases()[1].problem, {.tolerance = 1e-2}, result);
  EXPECT_TRUE(result.solved()) << name(result.status) << ": " << result.message;
}

TEST(JacobiCuda, RefusesExactSteps) {
  EXPECT_NE(message_of([] { JacobiCuda({.local = LocalStep::exact}); }).find("local=projected"),
            std::string::npos);
}

}  // namespace slipstick::internal::jacobi_cuda_test
