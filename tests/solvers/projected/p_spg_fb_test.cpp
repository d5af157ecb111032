// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/projected/p_spg_fb.hpp"

#include "slipstick/error.hpp"
#include "tests/solvers/cone_cases.hpp"

namespace slipstick::internal::p_spg_fb_test {

TEST(PSpgFb, AgreesWithApgdWithEveryOption) {
  for (const SpectralStep spectral : {SpectralStep::alternating, SpectralStep::adaptive}) {
    for (const bool preconditioned : {true, false}) {
      for (const bool rescale : {true, false}) {
        PSpgFb solver({.spectral = spectral, .preconditioned = preconditioned, .rescale = rescale});
        cone_cases::expect_agreement(solver, cone_cases::packing(40, 0.3));
        cone_cases::expect_agreement(solver, cone_cases::cones_and_rows(3));
      }
    }
  }
}

TEST(PSpgFb, TakesAboutOneProductPerIteration) {
  const Result result = solve_with(PSpgFb(), cone_cases::packing(40, 0.3), 1e-8);
  EXPECT_LT(static_cast<double>(result.counts.products),
            1.05 * static_cast<double>(result.counts.iterations) + 5.0);
}

// A limit of iterations returns the best of the iterates that were seen, not the last.
TEST(PSpgFb, FallsBackOnTheBestIterate) {
  class Least : public Observer {
   public:
    bool observe(const Iteration& iteration) override {
      least = std::min(least, iteration.error);
      last = iteration.error;
      return true;
    }
    double least = 1e300;
    double last = 0.0;
  };
  bool last_was_worse = false;
  for (const int limit : {10, 15, 20, 25, 30}) {
    PSpgFb solver;
    Result result;
    Least least;
    solver.solve(cone_cases::packing(40, 0.3), {.tolerance = 0.0, .max_iterations = limit}, result, nullptr,
                 &least);
    EXPECT_NEAR(result.measures.scaled_natural_map, least.least, 1e-6 * least.least);
    last_was_worse = last_was_worse || least.last > 1.01 * least.least;
  }
  EXPECT_TRUE(last_was_worse);
}

TEST(PSpgFb, RefusesBadSettings) {
  EXPECT_THROW(PSpgFb({.shortest = 2.0, .longest = 1.0}), Error);
}

}  // namespace slipstick::internal::p_spg_fb_test
