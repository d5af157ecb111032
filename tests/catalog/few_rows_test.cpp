// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/few_rows.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "slipstick/problems/convert.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::few_rows_test {

LcpProblem lcp_of(Index rows, std::uint64_t seed, double skew = 0.0) {
  RandomBoxOptions options;
  options.rows = rows;
  options.seed = seed;
  options.skew = skew;
  return to_lcp(random_lcp(options).problem);
}

TEST(FewRows, FillsAllOfTheResult) {
  const LcpProblem problem{mat({{2, 1}, {1, 2}}), vec({-2, 5})};
  FewRows rows;
  rows.prepare(problem);
  ASSERT_TRUE(rows.holds(problem));
  DriverResult result;
  result.r = result.u = result.v = result.l = result.multipliers = vec({1, 2, 3});
  result.message = "what was there";
  result.warnings = {"what was there"};
  result.solver = "somebody else";
  result.attempts.resize(3);
  result.seconds = 7.0;
  result.law = FrictionLaw::coulomb;
  result.implicit = true;
  ASSERT_TRUE(rows.solve(problem.q, 1e-10, true, result));
  EXPECT_EQ(result.x, vec({1, 0}));
  EXPECT_EQ(result.w, vec({0, 6}));
  EXPECT_TRUE(result.solved());
  EXPECT_TRUE(result.message.empty() && result.warnings.empty());
  EXPECT_EQ(result.seconds, 0.0);
  EXPECT_FALSE(result.law.has_value() || result.implicit);
  EXPECT_EQ(result.r.size() + result.u.size() + result.v.size() + result.l.size(), 0);
  EXPECT_EQ(result.multipliers.size(), 0);
  EXPECT_EQ(result.solver, "dense-bpp");
  EXPECT_EQ(result.counts.iterations, 2);
  ASSERT_EQ(result.attempts.size(), 1u);
  EXPECT_EQ(result.attempts[0].solver, "dense-bpp");
  EXPECT_EQ(result.attempts[0].status, Status::solved);
  EXPECT_EQ(result.attempts[0].iterations, 2);
  EXPECT_EQ(result.measures.scaled_natural_map, 0.0);
  EXPECT_EQ(result.measures.objective, -1.0);
  EXPECT_TRUE(std::isnan(result.measures.desaxce));
}

TEST(FewRows, JudgesAlone) {
  for (const Index n : {2, 7, 20}) {
    const LcpProblem problem = lcp_of(n, 3);
    FewRows rows;
    rows.prepare(problem);
    DriverResult all, judged;
    judged.measures.objective = 7.0;
    ASSERT_TRUE(rows.solve(problem.q, 1e-8, true, all));
    ASSERT_TRUE(rows.solve(problem.q, 1e-8, false, judged));
    EXPECT_EQ(judged.x, all.x);
    EXPECT_EQ(judged.w, all.w);
    EXPECT_NEAR(judged.measures.scaled_natural_map, all.measures.scaled_natural_map, 1e-20);
    for (const MeasureName& row : measure_names()) {
      if (row.value != &Measures::scaled_natural_map) {
        EXPECT_TRUE(std::isnan(judged.measures.*row.value)) << row.name;
      }
    }
  }
}

TEST(FewRows, KnowsItsProblem) {
  const LcpProblem small = lcp_of(5, 1), other = lcp_of(5, 1), large = lcp_of(33, 1);
  MixedLcp mixed{small.M, small.q, Vector::Zero(5), Vector::Constant(5, infinity)};
  FewRows rows;
  EXPECT_EQ(rows.load(small), nullptr);
  rows.prepare(small);
  const AnyProblem any = small;
  EXPECT_EQ(rows.load(any), &std::get<LcpProblem>(any).q);
  EXPECT_TRUE(rows.holds(small));
  EXPECT_TRUE(rows.holds(mixed)) << "the same in other words";
  EXPECT_FALSE(rows.holds(other)) << "another matrix, if with the same entries";
  mixed.upper[3] = 1.0;
  EXPECT_FALSE(rows.holds(mixed));
  rows.prepare(mixed);
  EXPECT_TRUE(rows.holds(mixed));
  EXPECT_FALSE(rows.holds(small));
  mixed.lower.resize(4);
  EXPECT_FALSE(rows.holds(mixed));
  rows.prepare(large);
  EXPECT_FALSE(rows.holds(large)) << "too many rows";
  EXPECT_EQ(rows.load(large), nullptr);
  const LcpProblem none{DenseMatrix(0, 0), Vector()};
  rows.prepare(none);
  EXPECT_FALSE(rows.holds(none));
}

TEST(FewRows, SolvesEverySizeAndAllocatesNothing) {
  for (const double skew : {0.0, 0.6}) {
    for (Index n = 1; n <= 32; ++n) {
      const LcpProblem first = lcp_of(n, 1, skew), second = lcp_of(n, 2, skew);
      FewRows kept;
      DriverResult result;
      for (const LcpProblem* problem : {&first, &second}) {
        kept.prepare(*problem);
        ASSERT_TRUE(kept.solve(problem->q, 1e-8, true, result)) << n;
      }
      const std::size_t before = allocations();
      kept.prepare(first);
      ASSERT_TRUE(kept.solve(first.q, 1e-8, true, result)) << n;
      EXPECT_EQ(allocations() - before, 0u) << n;
      FewRows fresh;
      DriverResult expected;
      fresh.prepare(first);
      ASSERT_TRUE(fresh.solve(first.q, 1e-8, true, expected));
      EXPECT_EQ(result.x, expected.x) << n;
      // The judge of all others agrees.
      const Problem problem = to_problem(first);
      Ruler ruler;
      ruler.prepare(problem);
      Measures measures;
      measure(problem, ruler, expected, 1, measures);
      EXPECT_NEAR(measures.scaled_natural_map, result.measures.scaled_natural_map, 1e-13) << n;
      EXPECT_LE(measures.scaled_natural_map, 1e-8);
    }
  }
}

TEST(FewRows, RefusesWhatItCannotProve) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  FewRows rows;
  DriverResult result;
  const LcpProblem problem{mat({{2, 1}, {1, 2}}), vec({-1, -1})};
  rows.prepare(problem);
  EXPECT_FALSE(rows.solve(vec({nan, 1}), 1e-4, true, result));
  EXPECT_FALSE(rows.solve(vec({infinity, 1}), 1e-4, true, result));
  EXPECT_FALSE(rows.solve(vec({0, 0}), 1e-4, true, result));
  EXPECT_FALSE(rows.solve(vec({1e-180, 0}), 1e-4, true, result)) << "its square is no number";
  EXPECT_FALSE(rows.solve(vec({1e180, 0}), 1e-4, true, result));
  EXPECT_FALSE(rows.solve(vec({-1, -1, -1}), 1e-4, true, result)) << "another length";
  EXPECT_TRUE(rows.solve(problem.q, 1e-4, true, result));
  // No solution, for a handful and for some dozens of rows.
  for (const Index n : {2, 20}) {
    const LcpProblem hopeless{DenseMatrix(DenseMatrix::Zero(n, n)), Vector::Constant(n, -1.0)};
    rows.prepare(hopeless);
    EXPECT_FALSE(rows.solve(hopeless.q, 1e-4, true, result)) << n;
  }
  // Rounding is more than this tolerance.
  const LcpProblem hard = lcp_of(24, 3);
  rows.prepare(hard);
  EXPECT_TRUE(rows.solve(hard.q, 1e-10, true, result));
  EXPECT_FALSE(rows.solve(hard.q, 0.0, true, result));
}

}  // namespace slipstick::few_rows_test
