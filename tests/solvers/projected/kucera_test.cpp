// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/projected/kucera.hpp"

#include "tests/solvers/cone_cases.hpp"

namespace slipstick::internal::kucera_test {

TEST(Kucera, AgreesWithApgdWithEveryOption) {
  for (const Expansion expansion : {Expansion::fixed, Expansion::projected}) {
    for (const bool rescale : {true, false}) {
      for (const double proportion : {0.5, 1.0, 4.0}) {
        Kucera solver({.proportion = proportion, .expansion = expansion, .rescale = rescale});
        cone_cases::expect_agreement(solver, cone_cases::packing(30, 0.3));
        cone_cases::expect_agreement(solver, cone_cases::cones_and_rows(3));
      }
    }
  }
}

// On bounds it is the same method as mprgp, bit by bit.
TEST(Kucera, OnBoundsIsMprgp) {
  const Problem bounds = cone_cases::normals_of(cone_cases::packing(20, 0.0));
  Result kucera, mprgp;
  Kucera().solve(bounds, {}, kucera);
  Mprgp().solve(bounds, {}, mprgp);
  EXPECT_EQ(kucera.x, mprgp.x);
  EXPECT_EQ(kucera.counts.products, mprgp.counts.products);
}

TEST(Kucera, RefusesWhatItCannotTake) {
  Problem problem = cone_cases::contact(1.0, vec({1.0, 1.0, 1.0}), 0.5);
  problem.K = {};
  problem.K.append_disk(1.0, 3);
  EXPECT_NE(Kucera().explain_unsupported(problem), "");
}

}  // namespace slipstick::internal::kucera_test
