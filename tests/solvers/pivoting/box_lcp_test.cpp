// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/box_lcp.hpp"

#include <gtest/gtest.h>

#include "slipstick/scenes/random_problems.hpp"
#include "tests/solvers/box_cases.hpp"

namespace slipstick::internal::box_lcp_test {

using namespace box_cases;

// z of the LCP that stands for x, row by row: what a tableau at the solution would hold is checked by
// solving.
Vector solve_by_tableau(const Problem& problem, BoxLcp& lcp, std::vector<Place>& places) {
  LemkeTableau tableau;
  tableau.load(lcp.M(), lcp.q(), &lcp.width());
  if (tableau.start(Vector::Ones(lcp.rows()))) {
    LemkeTableau::Outcome outcome = LemkeTableau::Outcome::pivoted;
    for (int k = 0; k < 1000 && outcome == LemkeTableau::Outcome::pivoted; ++k) outcome = tableau.pivot();
    EXPECT_EQ(outcome, LemkeTableau::Outcome::solved);
  }
  Vector x(problem.b.size());
  lcp.recover(tableau, x, places);
  return x;
}

TEST(BoxLcp, CountsRows) {
  const ProductSet K =
      ProductSet::box(vec({0, -infinity, -infinity, -1, 2}), vec({infinity, infinity, 3, 1, 2}));
  EXPECT_EQ(BoxLcp::count_rows(K), 3);  // free and fixed rows do not count
}

TEST(BoxLcp, OrthantIsScaledOnly) {
  const Problem problem = make((DenseMatrix(2, 2) << 4, 1, 2, 16).finished(), vec({-8, 1}), 0, infinity);
  BoxLcp lcp;
  ASSERT_TRUE(lcp.build(problem));
  ASSERT_EQ(lcp.rows(), 2);
  // Signs survive, determinants of the scaled matrix keep their sign, entries are near 1.
  EXPECT_LT(lcp.q()[0], 0.0);
  EXPECT_GT(lcp.q()[1], 0.0);
  EXPECT_GT(lcp.M().determinant(), 0.0);
  EXPECT_LE(lcp.M().maxCoeff(), 2.0);
  EXPECT_GE(lcp.M().diagonal().minCoeff(), 0.25);
}

TEST(BoxLcp, ClosedFormsThroughTheTableau) {
  for (const Case& c : closed_forms()) {
    SCOPED_TRACE(c.name);
    BoxLcp lcp;
    std::vector<Place> places;
    ASSERT_TRUE(lcp.build(c.problem));
    const Vector x = solve_by_tableau(c.problem, lcp, places);
    for (Index i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(x[i], c.x[i], 1e-12);
      // The place agrees with the value, for fixed rows too.
      const Place place = places[static_cast<std::size_t>(i)];
      if (place == Place::at_lower) {
        EXPECT_NEAR(x[i], c.problem.K.lower()[i], 1e-12);
      }
      if (place == Place::at_upper) {
        EXPECT_NEAR(x[i], c.problem.K.upper()[i], 1e-12);
      }
    }
  }
}

TEST(BoxLcp, EliminatesFreeRows) {
  const KnownProblem known = random_box({.rows = 40, .free = 0.5, .two_sided = 0.2, .skew = 0.4});
  BoxLcp lcp;
  ASSERT_TRUE(lcp.build(known.problem));
  EXPECT_EQ(lcp.rows(), BoxLcp::count_rows(known.problem.K));
  std::vector<Place> places;
  EXPECT_LE((solve_by_tableau(known.problem, lcp, places) - known.x).norm(), 1e-10 * known.x.norm());
}

TEST(BoxLcp, ExchangesWhereTheFreeBlockIsSingular) {
  // Three multipliers of equalities: the free block is zero, and no row is added.
  const Index n = 8, k = 3;
  Random random(2);
  DenseMatrix M = DenseMatrix::Zero(n + k, n + k);
  M.topLeftCorner(n, n) = random_spd(random, n, 10.0);
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < k; ++i) {
      M(n + i, j) = random.normal();
      M(j, n + i) = -M(n + i, j);
    }
  }
  Vector x = Vector::Ones(n + k), w = Vector::Zero(n + k);
  x[0] = x[3] = 0.0;
  w[0] = w[3] = 1.0;
  Vector lower = Vector::Zero(n + k);
  lower.tail(k).setConstant(-infinity);
  const Problem problem = make(M, w - M * x, lower, Vector::Constant(n + k, infinity));
  BoxLcp lcp;
  ASSERT_TRUE(lcp.build(problem));
  EXPECT_EQ(lcp.rows(), n);
  std::vector<Place> places;
  EXPECT_LE((solve_by_tableau(problem, lcp, places) - x).norm(), 1e-11);
}

TEST(BoxLcp, SplitsWhatNoPivotReaches) {
  // The free row asks for z1 = 2 and the free unknown stands in the row of z2 alone: no exchange is possible.
  DenseMatrix M = DenseMatrix::Zero(3, 3);
  M(0, 1) = 1.0;
  M(1, 1) = 0.0;
  M(2, 0) = 1.0;
  M(2, 2) = 1.0;
  const Problem problem = make(M, vec({-2, 0, -3}), vec({-infinity, 0, 0}), Vector::Constant(3, infinity));
  BoxLcp lcp;
  ASSERT_TRUE(lcp.build(problem));
  EXPECT_EQ(lcp.rows(), 4);
}

TEST(BoxLcp, SaysWhereEqualitiesContradict) {
  const DenseMatrix M = DenseMatrix::Ones(2, 2);
  BoxLcp lcp;
  EXPECT_FALSE(lcp.build(make(M, vec({1, 2}), -infinity, infinity)));
  EXPECT_TRUE(lcp.build(make(M, vec({1, 1}), -infinity, infinity)));
  EXPECT_EQ(lcp.rows(), 2) << "one unknown left over, split";
}

}  // namespace slipstick::internal::box_lcp_test
