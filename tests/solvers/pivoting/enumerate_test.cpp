// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/enumerate.hpp"

#include <gtest/gtest.h>

#include "slipstick/catalog/catalog.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "tests/solvers/box_cases.hpp"

namespace slipstick::internal::enumerate_test {

using namespace box_cases;

Result solve(const Problem& problem, double tolerance = 1e-12, const EnumerateSettings& method = {}) {
  return solve_with(Enumerate(method), problem, tolerance);
}

TEST(Enumerate, FindsIsolatedSolutionsWithoutARegularBasis) {
  // w = (-z2 - z3, z1 - 1, 1 - z1): only (1, 0, 0), and every row is degenerate there.
  const Result result =
      solve(lcp((DenseMatrix(3, 3) << 0, -1, -1, 1, 0, 0, -1, 0, 0).finished(), vec({0, -1, 1})));
  EXPECT_TRUE(result.solved());
  EXPECT_LE((result.x - vec({1, 0, 0})).norm(), 1e-14);
}

TEST(Enumerate, SingularFamiliesAreSearchedForAFeasibleMember) {
  // x0 - x1 = 3 and nothing else: the least-norm solution (1.5, -1.5) is not feasible, (3, 0) is. The third
  // row asks for x1 >= 2 by w2 = x1 - 2.
  DenseMatrix M = DenseMatrix::Zero(3, 3);
  M.row(0) << 1, -1, 0;
  M.row(1) << -1, 1, 0;
  M.row(2) << 0, 1, 0;
  const Result result = solve(lcp(M, vec({-3, 3, -2})));
  EXPECT_TRUE(result.solved()) << result.message;
  EXPECT_NEAR(result.x[0] - result.x[1], 3.0, 1e-14);
  EXPECT_GE(result.x[1], 2.0 - 1e-14);
}

TEST(Enumerate, ProvesThatThereIsNoSolution) {
  // x2 >= 1 for the first row makes w2 = x2 + 1 > 0; but the first column is zero, so no proof.
  const Result singular = solve(lcp((DenseMatrix(2, 2) << 0, 1, 0, 1).finished(), vec({-1, 1})));
  EXPECT_EQ(singular.status, Status::stalled);
  EXPECT_NE(singular.message.find("singular"), std::string::npos);
  // w = -x - 1 < 0 for every x >= 0.
  const Result negative = solve(lcp(DenseMatrix::Constant(1, 1, -1.0), vec({-1})));
  EXPECT_EQ(negative.status, Status::infeasible);
  EXPECT_NE(negative.message.find("none of the 2 active sets"), std::string::npos) << negative.message;
  // A tolerance out of reach is no proof.
  const Result strict = solve(lcp((DenseMatrix(2, 2) << 3, 1, 1, 3).finished(), vec({-1, -0.7})), 0.0);
  EXPECT_TRUE(strict.solved() || strict.status == Status::stalled);
  EXPECT_LE(strict.measures.scaled_natural_map, 1e-15);
}

TEST(Enumerate, ReturnsTheBestCandidate) {
  // x = 1 misses x1 = x2 + 0.1 least.
  const Result result =
      solve(make((DenseMatrix(2, 2) << 1, 1, 1, 1).finished(), vec({-1, -1.1}), -infinity, infinity));
  EXPECT_FALSE(result.solved());
  EXPECT_LT(result.measures.scaled_natural_map, 0.08);
}

TEST(Enumerate, WarmStartIsTriedFirst) {
  const KnownProblem known = random_box({.rows = 12, .two_sided = 0.5, .seed = 3});
  const WarmStart warm{known.x + 1e-4 * (known.x.array() > 1e-3).matrix().cast<double>()};
  const Result result = solve_with(Enumerate(), known.problem, 1e-8, &warm);
  EXPECT_TRUE(result.solved());
  EXPECT_LE(result.counts.iterations, 3);
}

TEST(Enumerate, AgreesWithLemkeAndNewton) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const KnownProblem known = random_box({.rows = 14,
                                           .condition = 1e3,
                                           .degenerate = seed % 3 == 0 ? 0.5 : 0.0,
                                           .free = 0.2,
                                           .two_sided = 0.2,
                                           .fixed = 0.1,
                                           .skew = 0.1 * static_cast<double>(seed % 5),
                                           .seed = seed});
    for (const char* name : {"lemke", "enumerate", "newton-fb"}) {
      const Result result = solve_with(*make_solver(name), known.problem, 1e-12);
      EXPECT_TRUE(result.solved()) << seed << ": " << result.message;
      EXPECT_LE((result.x - known.x).norm(), 1e-10 * known.x.norm()) << seed;
    }
  }
}

TEST(Enumerate, RefusesWithASentence) {
  EnumerateSettings few{.max_bounded_rows = 3};
  EXPECT_TRUE(solve(chain(3), 1e-8, few).solved());
  const Result many = solve(chain(4), 1e-8, few);
  EXPECT_EQ(many.status, Status::unsupported);
  EXPECT_NE(many.message.find("max_bounded_rows = 3"), std::string::npos);
  // Two bounds count more.
  Problem boxed = chain(2);
  boxed.K = ProductSet::box(vec({0, 0}), vec({1, 1}));
  EXPECT_EQ(solve(boxed, 1e-8, few).status, Status::unsupported);
  few.max_rows = 2;
  EXPECT_EQ(solve(make(DenseMatrix::Identity(3, 3), vec({1, 1, 1}), -infinity, infinity), 1e-8, few).status,
            Status::unsupported);
}

}  // namespace slipstick::internal::enumerate_test
