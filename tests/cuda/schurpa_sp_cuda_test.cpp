// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>

#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/contact/sequence/staggered.hpp"
#include "slipstick/cuda/schurpa_cuda.hpp"
#include "slipstick/scenes/packing.hpp"
#include "slipstick/solvers/active_set/schurpa.hpp"
#include "tests/cuda/contact_cases.hpp"

namespace slipstick::internal::schurpa_sp_cuda_test {

constexpr SchurpaSettings kept{.keep = true};
constexpr StaggeredSettings shifted{.proximal = 1e-3};

Result solve_by(Staggered& solver, const LocalContactProblem& problem) {
  Result result;
  solver.solve(problem, {.tolerance = 1e-8, .time_limit = 20.0}, result);
  return result;
}

// Contact and friction of diamonds, with Hessians of bodies, and with matrices of the host.
TEST(SchurpaSpCuda, AnswersAreThoseOfTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  for (const double friction : {0.0, 0.3}) {
    const GlobalContactProblem packing = sphere_packing({.spheres = 60, .friction = friction});
    const LocalContactProblem problem = CondensedProblem(packing).local();
    Staggered host(FrictionLaw::diamond, std::make_unique<Schurpa>(kept), std::make_unique<Schurpa>(kept),
                   shifted);
    const Result expected = solve_by(host, problem);
    ASSERT_TRUE(expected.solved()) << expected.message;
    for (const bool keeps_bodies : {true, false}) {
      Staggered device(FrictionLaw::diamond, std::make_unique<SchurpaCuda>(kept),
                       std::make_unique<SchurpaCuda>(kept), shifted, keeps_bodies);
      const Result result = solve_by(device, problem);
      EXPECT_TRUE(result.solved()) << result.message;
      EXPECT_LE((result.r - expected.r).norm(), 1e-4 * expected.r.norm()) << friction << keeps_bodies;
      EXPECT_LE(result.counts.factorizations, 4);
      EXPECT_EQ(solve_by(device, problem).status, result.status);
    }
  }
}

}  // namespace slipstick::internal::schurpa_sp_cuda_test
