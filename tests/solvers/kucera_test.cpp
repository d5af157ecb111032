// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/kucera.hpp"

#include "solvers/cone_cases.hpp"

namespace slipstick {
namespace {

TEST(Kucera, OneContactInEveryRegimeIsAProjection) {
  Kucera solver;
  cone_cases::expect_projections(solver);
}

TEST(Kucera, FindsAKnownBoxSolution) {
  Kucera solver;
  cone_cases::expect_known_box(solver);
}

TEST(Kucera, WithoutFrictionAgreesWithABoundSolver) {
  Kucera solver;
  cone_cases::expect_bounds_without_friction(solver);
}

TEST(Kucera, AgreesWithApgdWithEveryOption) {
  for (const Expansion expansion : {Expansion::fixed, Expansion::projected}) {
    for (const bool rescale : {true, false}) {
      for (const double proportion : {0.5, 1.0, 4.0}) {
        KuceraSettings settings;
        settings.expansion = expansion;
        settings.rescale = rescale;
        settings.proportion = proportion;
        Kucera solver(settings);
        cone_cases::expect_agreement(solver, cone_cases::packing(30, 0.3));
        cone_cases::expect_agreement(solver, cone_cases::mixture(3));
      }
    }
  }
}

// On bounds it is the same method as mprgp, bit by bit.
TEST(Kucera, OnBoundsIsMprgp) {
  const Problem cones = cone_cases::packing(20, 0.0);
  std::vector<int> normals;
  for (int row = 0; row < cones.b.size(); row += 3) normals.push_back(row);
  Problem bounds;
  bounds.A = cones.A.principal_submatrix(normals);
  bounds.b = cones.b(normals);
  bounds.K = ProductSet::nonnegative(bounds.b.size());
  Result kucera, mprgp;
  Kucera().solve(bounds, {}, kucera);
  Mprgp().solve(bounds, {}, mprgp);
  EXPECT_EQ(kucera.x, mprgp.x);
  EXPECT_EQ(kucera.counts.products, mprgp.counts.products);
}

TEST(Kucera, RefusesWhatItCannotTake) {
  Problem problem = cone_cases::contact(1.0, vec({1.0, 1.0, 1.0}), 0.5);
  EXPECT_EQ(Kucera().explain_unsupported(problem), "");
  problem.symmetric = false;
  EXPECT_NE(Kucera().explain_unsupported(problem), "");
  problem.symmetric = true;
  problem.K = {};
  problem.K.append_disk(1.0, 3);
  EXPECT_NE(Kucera().explain_unsupported(problem), "");
}

}  // namespace
}  // namespace slipstick
