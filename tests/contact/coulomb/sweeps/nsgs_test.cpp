// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/sweeps/nsgs.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/error.hpp"
#include "tests/contact/coulomb_cases.hpp"

namespace slipstick::internal::nsgs_test {

Result solved(const LocalContactProblem& problem, double tolerance = 1e-10,
              const NsgsSettings& settings = {}) {
  Nsgs nsgs(settings);
  Result result = solve_coulomb(nsgs, problem, tolerance);
  EXPECT_TRUE(result.solved()) << name(result.status) << " " << result.measures.scaled_natural_map << " "
                               << result.measures.desaxce;
  return result;
}

TEST(Nsgs, StackCarriesItsWeight) {
  constexpr Index blocks = 10;
  for (const int d : {2, 3}) {
    const Result result = solved(stack_of_blocks(d, blocks), 1e-12);
    for (Index i = 0; i < blocks; ++i)
      EXPECT_NEAR(result.r[d * i], 10.0 * static_cast<double>(blocks - i), 1e-7);
  }
}

// A high stack takes thousands of sweeps: those who look ahead see it after a few.
TEST(Nsgs, GivesUpWhereMoreLiesAheadThanNewtonsMethodCosts) {
  const LocalContactProblem stack = stack_of_blocks(2, 60);
  const auto solve = [&](double newton_steps) {
    Nsgs method({}, std::make_shared<SweepWorkspace>(), {.trial = 25, .newton_steps = newton_steps},
                [](const ContactBlocks&, const Island&) { return 20.0; });
    return solve_coulomb(method, stack, 1e-8);
  };
  const Result slow = solve(1e6);
  EXPECT_TRUE(slow.solved());
  EXPECT_GT(slow.counts.iterations, 1000);
  const Result early = solve(1.0);
  EXPECT_EQ(early.status, Status::iteration_limit);
  EXPECT_GE(early.counts.iterations, 25);
  EXPECT_LE(early.counts.iterations, 100);
}

TEST(Nsgs, EveryOptionEndsAtTheSolution) {
  const LocalContactProblem problem =
      random_contacts({.contacts = 10, .dofs = 60, .friction = 0.4, .seed = 5});
  const Vector u = solved(problem, 1e-12).u;
  for (const NsgsSettings& settings :
       {NsgsSettings{.relaxation = 0.7}, NsgsSettings{.relaxation = 1.3},
        NsgsSettings{.order = SweepOrder::symmetric}, NsgsSettings{.order = SweepOrder::forward},
        NsgsSettings{.test = 1}, NsgsSettings{.proximal = 0.5}})
    EXPECT_LE((solved(problem, 1e-12, settings).u - u).norm(), 1e-9 * u.norm());
}

TEST(Nsgs, SpheresUnderTheirWeight) {
  for (const double friction : {0.0, 0.3, 0.8}) {
    const LocalContactProblem problem = sphere_contacts(60, friction);
    expect_coulomb(problem, solved(problem, 1e-9), 1e-6);
  }
}

TEST(Nsgs, RefusesAWrongRelaxation) {
  EXPECT_THROW(Nsgs({.relaxation = 0.0}), Error);
  EXPECT_THROW(Nsgs({.relaxation = 2.0}), Error);
}

}  // namespace slipstick::internal::nsgs_test
