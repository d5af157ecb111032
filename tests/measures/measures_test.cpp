// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/measures/measures.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::measures_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Measures measures_of(const Problem& problem, const Vector& x, const Vector& multipliers = Vector(0)) {
  Ruler ruler;
  ruler.prepare(problem);
  Solution solution;
  solution.x = x;
  solution.multipliers = multipliers;
  Measures measures;
  measure(problem, ruler, solution, 1, measures);
  return measures;
}

TEST(Measures, LcpByHand) {
  Problem problem = {mat({{2, 1}, {1, 6}}), vec({-5, 5}), ProductSet::nonnegative(2)};
  problem.constant = 10.0;
  const Measures m = measures_of(problem, vec({1, -1}));           // w = (-4, 0)
  EXPECT_DOUBLE_EQ(m.scaled_natural_map, std::sqrt(52.0 / 50.0));  // d e = (-4, -6)
  EXPECT_DOUBLE_EQ(m.natural_map, std::sqrt(17.0));                // e = (-4, -1)
  EXPECT_DOUBLE_EQ(m.natural_map_relative, std::sqrt(17.0 / 50.0));
  EXPECT_DOUBLE_EQ(m.survey, 4.0 + 1.0 + 4.0);
  EXPECT_DOUBLE_EQ(m.mixed, std::sqrt(17.0) / (1.0 + std::sqrt(50.0)));
  EXPECT_DOUBLE_EQ(m.complementarity_gap, 4.0);
  EXPECT_DOUBLE_EQ(m.objective, 3.0 - 10.0 + 10.0);
  EXPECT_DOUBLE_EQ(m.energy_sum, 7.0);  // 1/2 2 (4/2)^2 + 1/2 6 1^2
  EXPECT_DOUBLE_EQ(m.energy_mean, 3.5);
  EXPECT_DOUBLE_EQ(m.energy_max, 4.0);
  EXPECT_DOUBLE_EQ(m.heyn, std::sqrt(32.0));  // mean diagonal 4: (-4, -4)
  EXPECT_DOUBLE_EQ(m.projected_gradient, std::sqrt(17.0));
  EXPECT_TRUE(std::isnan(m.linear_rows));
  EXPECT_TRUE(std::isnan(m.desaxce));
}

TEST(Measures, MixedByHand) {
  const ProductSet K = ProductSet::box(vec({-infinity, 0}), vec({infinity, infinity}));
  const DenseMatrix a = mat({{2, 1}, {1, 3}});
  Measures m = measures_of({a, vec({-1, -10}), K}, vec({1, 2}));  // w = (3, -3)
  EXPECT_DOUBLE_EQ(m.mixed, 3.0 / (1.0 + 1.0));
  EXPECT_DOUBLE_EQ(m.complementarity_gap, 3.0 + 6.0);
  EXPECT_DOUBLE_EQ(m.projected_gradient, std::sqrt(18.0));
  EXPECT_TRUE(std::isnan(m.survey));
  // The complementarity part is the largest, then the negative part of s alone.
  m = measures_of({a, vec({-4, -3}), K}, vec({1, 2}));  // w = (0, 4)
  EXPECT_DOUBLE_EQ(m.mixed, 2.0 / (1.0 + 3.0));
  m = measures_of({a, vec({-2, -9}), K}, vec({1, 0}));  // w = (0, -8)
  EXPECT_DOUBLE_EQ(m.mixed, 8.0 / (1.0 + 9.0));
}

TEST(Measures, BoxByHand) {
  // Two-sided, fixed, bounded from above; A = diag(2, 4, 8).
  const ProductSet K = ProductSet::box(vec({-1, 2, -infinity}), vec({3, 2, 5}));
  const Problem problem = {DenseMatrix(vec({2, 4, 8}).asDiagonal()), vec({-10, 1, -33}), K};
  const Measures m = measures_of(problem, vec({2, 2, 4}));  // w = (-6, 9, -1)
  // d e: (2 + 3 -> 3, so 2 (2 - 3) = -2), 0, -1.
  EXPECT_DOUBLE_EQ(m.scaled_natural_map, std::sqrt(5.0) / problem.b.norm());
  EXPECT_DOUBLE_EQ(m.natural_map, std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(m.complementarity_gap, 6.0 * 1.0 + 0.0 + 1.0 * 1.0);
  EXPECT_DOUBLE_EQ(m.energy_sum, 0.5 * 4.0 / 2.0 + 0.5 * 1.0 / 8.0);
  EXPECT_DOUBLE_EQ(m.energy_max, 1.0);
  EXPECT_DOUBLE_EQ(m.projected_gradient, std::sqrt(37.0));
  EXPECT_TRUE(std::isnan(m.survey));
  EXPECT_TRUE(std::isnan(m.mixed));
}

TEST(Measures, SolutionOfABoxHasNoGap) {
  // A rounding error of the wrong sign costs its product with x, not infinity.
  const Problem problem = {mat({{1}}), vec({-1}), ProductSet::nonnegative(1)};
  const double below_one = std::nextafter(1.0, 0.0);
  EXPECT_NEAR(measures_of(problem, vec({below_one})).complementarity_gap, 0.0, 1e-15);
  const ProductSet K = ProductSet::box(vec({-1, -1}), vec({1, 1}));
  const Measures m = measures_of({mat({{2, 0}, {0, 2}}), vec({9, -9}), K}, vec({-1, 1}));
  EXPECT_EQ(m.complementarity_gap, 0.0);
  EXPECT_EQ(m.projected_gradient, 0.0);
}

TEST(Measures, ConesDisksAndDiamondsByHand) {
  // mu = 3/4: x - w = (2, 3, 0) projects to (2.72, 2.04, 0); with d = 2, x - w/2 = (2, 1.5, 0) is inside.
  const DenseMatrix a = DenseMatrix(vec({1, 2, 3}).asDiagonal());
  const Vector x = vec({2, 0, 0});
  const Vector w = vec({0, -3, 0});
  Measures m = measures_of({a, w - a * x, ProductSet::cones(vec({0.75}), 3)}, x);
  EXPECT_DOUBLE_EQ(m.natural_map, std::sqrt(4.68));
  EXPECT_DOUBLE_EQ(m.scaled_natural_map, 3.0 / (w - a * x).norm());
  EXPECT_DOUBLE_EQ(m.heyn, 3.0);
  EXPECT_DOUBLE_EQ(m.complementarity_gap, 0.0);
  for (const double undefined : {m.energy_sum, m.energy_mean, m.energy_max, m.projected_gradient, m.survey})
    EXPECT_TRUE(std::isnan(undefined));

  // Gaps of two cones do not cancel: x'w = 2 and -2.
  m = measures_of(
      {DenseMatrix(DenseMatrix::Identity(4, 4)), vec({1, 0, -3, 0}), ProductSet::cones(vec({1, 1}), 2)},
      vec({1, 0, 1, 0}));
  EXPECT_DOUBLE_EQ(m.complementarity_gap, 4.0);

  // The best point of a disk is -radius w / ||w||, that of a diamond a vertex.
  ProductSet disk, diamond;
  disk.append_disk(2.0, 2);
  diamond.append_diamond(2.0, 2);
  const DenseMatrix identity = DenseMatrix::Identity(2, 2);
  m = measures_of({identity, vec({3, 4}), disk}, vec({0, 0}));
  EXPECT_DOUBLE_EQ(m.complementarity_gap, 10.0);
  m = measures_of({identity, vec({3, 4}) - vec({-1.2, -1.6}), disk}, vec({-1.2, -1.6}));
  EXPECT_NEAR(m.complementarity_gap, 0.0, 1e-15);
  m = measures_of({identity, vec({3, 4}), diamond}, vec({0, 0}));
  EXPECT_DOUBLE_EQ(m.complementarity_gap, 8.0);
}

TEST(Measures, LinearRowsByHand) {
  // minimize x1^2 + x2^2 over x1 + x2 = 2 and x1 <= 1/4: x = (1/4, 7/4), y = (7/2, -3).
  Problem problem = {mat({{2, 0}, {0, 2}}), vec({0, 0}), ProductSet::free(2)};
  problem.rows = LinearRows{std::make_shared<const CsrMatrix>(csr_from_dense(mat({{1, 1}, {1, 0}}))),
                            vec({2, -infinity}), vec({2, 0.25})};
  Measures m = measures_of(problem, vec({0.25, 1.75}), vec({3.5, -3}));
  EXPECT_EQ(m.scaled_natural_map, 0.0);
  EXPECT_EQ(m.natural_map, 0.0);
  EXPECT_EQ(m.linear_rows, 0.0);
  EXPECT_EQ(m.complementarity_gap, 0.0);
  EXPECT_DOUBLE_EQ(m.objective, 3.125);

  // x = (1, 1), y = (3, 0): w = (-1, -1); rows 0 and 3/4 off; row 2's multiplier is 0 and its step stays
  // outside.
  m = measures_of(problem, vec({1, 1}), vec({3, 0}));
  EXPECT_DOUBLE_EQ(m.linear_rows, 0.75);
  EXPECT_DOUBLE_EQ(m.natural_map, std::sqrt(2.0 + 0.75 * 0.75));
  EXPECT_DOUBLE_EQ(m.complementarity_gap, 1.0 + 1.0);
  EXPECT_EQ(m.natural_map_relative, infinity);  // b = 0
  // Weights: row 1 sqrt(2) / 1, row 2 1 / (1/2); the norm is that of the weighted values (2 sqrt(2), 0).
  EXPECT_DOUBLE_EQ(m.scaled_natural_map, std::sqrt((2.0 + 1.5 * 1.5) / 8.0));
  for (const double undefined : {m.energy_sum, m.heyn, m.projected_gradient, m.survey, m.mixed})
    EXPECT_TRUE(std::isnan(undefined));
}

TEST(Measures, ZeroOverZeroIsZero) {
  const Problem problem = {mat({{1}}), vec({0}), ProductSet::nonnegative(1)};
  const Measures m = measures_of(problem, vec({0}));
  EXPECT_EQ(m.scaled_natural_map, 0.0);
  EXPECT_EQ(m.natural_map_relative, 0.0);
  const Measures empty = measures_of({DenseMatrix(0, 0), Vector(0), ProductSet()}, Vector(0));
  for (const MeasureName& row : measure_names()) {
    const double value = empty.*row.value;
    EXPECT_TRUE(value == 0.0 || row.name == "linear_rows" || row.name == "desaxce") << row.name;
  }
}

TEST(Measures, ObjectiveNeedsSymmetry) {
  Problem problem = {mat({{1, 1}, {0, 1}}), vec({1, 1}), ProductSet::nonnegative(2)};
  problem.symmetric = false;
  EXPECT_TRUE(std::isnan(measures_of(problem, vec({1, 1})).objective));
}

TEST(Measures, JudgesAreZeroAtTheSolutionAndNotBesideIt) {
  const Problem problem = {mat({{2, 1}, {1, 2}}), vec({-4, 1}), ProductSet::nonnegative(2)};
  const Measures solved = measures_of(problem, vec({2, 0}));
  const Measures wrong = measures_of(problem, vec({1, 0}));
  int judges = 0;
  for (const MeasureName& row : measure_names()) {
    if (!row.judges || row.name == "desaxce") continue;
    ++judges;
    EXPECT_EQ(solved.*row.value, 0.0) << row.name;
    EXPECT_GT(wrong.*row.value, 0.1) << row.name;
  }
  EXPECT_GE(judges, 9);
}

TEST(Measures, HugeWrongImpulseIsNotSolved) {
  // x = t (1, 1) is in the null space, so w = b stays wrong however long x is.
  const Problem problem = {mat({{1, -1}, {-1, 1}}), vec({-3, 4}), ProductSet::nonnegative(2)};
  const Vector x = vec({1e12, 1e12});
  const Measures m = measures_of(problem, x);
  for (const MeasureName& row : measure_names()) {
    if (!row.judges || row.name == "desaxce") continue;
    EXPECT_GT(m.*row.value, 1e-8) << row.name;
  }
  EXPECT_LT(m.natural_map / x.norm(), 1e-8);  // what a measure that divides by ||x|| would say
}

TEST(Measures, NotANumberIsNeverSmall) {
  // The second column of A does not reach the first row, and a NaN must not vanish in a minimum.
  for (const double bad : {nan, infinity, -infinity}) {
    for (int i = 0; i < 2; ++i) {
      Vector x = vec({1, 0});
      x[i] = bad;
      for (const ProductSet& K :
           {ProductSet::nonnegative(2), ProductSet::free(2), ProductSet::box(vec({-1, -1}), vec({1, 1})),
            ProductSet::cones(vec({1}), 2)}) {
        const Measures m = measures_of({mat({{1, 0}, {0, 1}}), vec({-1, 0}), K}, x);
        for (const MeasureName& row : measure_names())
          EXPECT_FALSE(m.*row.value < infinity) << row.name << " " << i << " " << bad;
      }
    }
  }
}

TEST(Measures, NamesAreUniqueAndFound) {
  std::set<std::string_view> names;
  for (const MeasureName& row : measure_names()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(find_measure(row.name), &row);
    EXPECT_FALSE(row.summary.empty());
  }
  EXPECT_EQ(find_measure("no such measure"), nullptr);
  EXPECT_EQ(measure_names()[0].name, "scaled_natural_map");
  EXPECT_FALSE(find_measure("objective")->judges);
  EXPECT_FALSE(find_measure("linear_rows")->judges);
  EXPECT_FALSE(find_measure("complementarity_gap")->judges);
}

TEST(WorstRows, WorstFirstAndNoMoreThanThere) {
  // d e = (3, 0, -5, 3), ||b|| = 2.
  ProductSet K;
  K.append_free(4);
  Problem problem = {DenseMatrix(DenseMatrix::Identity(4, 4)), vec({2, 0, 0, 0}), K};
  Solution solution;
  solution.x = vec({1, 1, 1, 1});
  solution.w = vec({3, 0, -5, 3});
  std::vector<WorstRow> rows = worst_rows(problem, solution, 3);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].index, 2);
  EXPECT_DOUBLE_EQ(rows[0].error, 2.5);
  EXPECT_EQ(rows[1].index, 0);  // the lower index first among equals
  EXPECT_EQ(rows[2].index, 3);
  EXPECT_DOUBLE_EQ(rows[2].error, 1.5);
  EXPECT_EQ(worst_rows(problem, solution, 9).size(), 4u);
  EXPECT_TRUE(worst_rows(problem, solution, 0).empty());
  EXPECT_TRUE(worst_rows(problem, solution, -1).empty());
  // Their squares add up to the measure's.
  double squared = 0.0;
  for (const WorstRow& row : worst_rows(problem, solution, 4)) squared += row.error * row.error;
  Ruler ruler;
  ruler.prepare(problem);
  EXPECT_DOUBLE_EQ(std::sqrt(squared), ruler(solution.x, solution.w));
}

TEST(WorstRows, BlocksCountOnceAndNaNIsTheWorst) {
  ProductSet K;
  K.append_nonnegative(2);
  K.append_cone(0.5, 3);
  Problem problem = {DenseMatrix(DenseMatrix::Identity(5, 5)), vec({5, 0, 0, 0, 0}), K};
  Solution solution;
  solution.x = vec({1, 0, 9, 0, 0});
  solution.w = vec({2, 7, 2, 2, 1});
  std::vector<WorstRow> rows = worst_rows(problem, solution, 5);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].index, 2);
  EXPECT_DOUBLE_EQ(rows[0].error, 3.0 / 5.0);
  EXPECT_EQ(rows[1].index, 0);
  EXPECT_DOUBLE_EQ(rows[1].error, 1.0 / 5.0);
  EXPECT_EQ(rows[2].error, 0.0);
  solution.x[1] = nan;
  rows = worst_rows(problem, solution, 1);
  EXPECT_EQ(rows[0].index, 1);
  EXPECT_EQ(rows[0].error, infinity);
  solution.x[1] = 0.0;
  solution.w[4] = nan;
  rows = worst_rows(problem, solution, 1);
  EXPECT_EQ(rows[0].index, 2);
  EXPECT_EQ(rows[0].error, infinity);
}

}  // namespace slipstick::internal::measures_test
