// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/admm.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/error.hpp"
#include "tests/contact/coulomb_cases.hpp"

namespace slipstick::internal::admm_test {

Result solved(const LocalContactProblem& problem, double tolerance = 1e-8,
              const AdmmSettings& settings = {}) {
  Admm method(settings);
  Result result = solve_coulomb(method, problem, tolerance);
  EXPECT_TRUE(result.solved()) << name(result.status) << " " << result.measures.scaled_natural_map << " "
                               << result.measures.desaxce;
  return result;
}

TEST(Admm, EveryOptionEndsAtTheSolution) {
  const LocalContactProblem problem =
      random_contacts({.contacts = 10, .dofs = 60, .friction = 0.4, .seed = 5});
  const Vector u = solved(problem, 1e-10).u;
  for (const AdmmSettings& settings :
       {AdmmSettings{.penalty = 0.1}, AdmmSettings{.penalty = 30.0}, AdmmSettings{.relaxation = 1.0},
        AdmmSettings{.rule = PenaltyRule::fixed}, AdmmSettings{.rule = PenaltyRule::balance},
        AdmmSettings{.interval = 1}})
    EXPECT_LE((solved(problem, 1e-10, settings).u - u).norm(), 1e-7 * u.norm());
}

TEST(Admm, OneFactorizationForEveryPenalty) {
  const LocalContactProblem problem =
      random_contacts({.contacts = 10, .dofs = 60, .friction = 0.4, .seed = 5});
  ContactBlocks blocks;
  blocks.prepare(problem);
  Admm fixed({.rule = PenaltyRule::fixed});
  Vector r = Vector::Zero(problem.q.size());
  Monitor monitor({.tolerance = 1.0}, 10000, nullptr);
  Counts counts;
  fixed.run({blocks, blocks.islands()[0], {1e-8 * blocks.norm(), 1e300}, monitor, counts, r});
  EXPECT_EQ(monitor.status(), Status::solved);
  EXPECT_EQ(counts.factorizations, 1);
}

// The penalty is that of the spectrum, whatever the units.
TEST(Admm, TakesAsManyIterationsInOtherUnits) {
  const LocalContactProblem problem =
      random_contacts({.contacts = 10, .dofs = 60, .friction = 0.4, .seed = 5});
  const auto iterations = solved(problem, 1e-8).counts.iterations;
  EXPECT_NEAR(static_cast<double>(solved(rescaled(problem, 1024.0, 0.125), 1e-8).counts.iterations),
              static_cast<double>(iterations), 0.3 * static_cast<double>(iterations));
}

// From a penalty a hundred times off.
TEST(Admm, FollowsTheSpectrum) {
  const LocalContactProblem problem =
      random_contacts({.contacts = 10, .dofs = 60, .friction = 0.4, .seed = 5});
  const auto iterations = [&](PenaltyRule rule) {
    return solved(problem, 1e-6, {.penalty = 100.0, .rule = rule}).counts.iterations;
  };
  EXPECT_LT(2 * iterations(PenaltyRule::spectral), iterations(PenaltyRule::fixed));
  EXPECT_LT(2 * iterations(PenaltyRule::balance), iterations(PenaltyRule::fixed));
}

TEST(Admm, RefusesWrongSettings) {
  EXPECT_THROW(Admm({.penalty = 0.0}), Error);
  EXPECT_THROW(Admm({.relaxation = 2.0}), Error);
}

}  // namespace slipstick::internal::admm_test
