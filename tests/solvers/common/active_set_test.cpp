// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/common/active_set.hpp"

#include <gtest/gtest.h>

#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/solvers/box_cases.hpp"

namespace slipstick::internal::active_set_test {

using namespace box_cases;

constexpr Place low = Place::at_lower, between = Place::between, high = Place::at_upper;

std::vector<Place> places(const ActiveSet& set) {
  std::vector<Place> list;
  for (Index k = 0; k < set.size(); ++k) list.push_back(set.place(k));
  return list;
}

// Rows: free, fixed, x >= 0, -1 <= x <= 1, empty.
struct FiveRows {
  FiveRows() {
    DenseMatrix A = 2.0 * DenseMatrix::Identity(5, 5);
    A(4, 4) = 0.0;
    problem = make(A, Vector::Ones(5), vec({-infinity, 3, 0, -1, 0}), vec({infinity, 3, infinity, 1, 9}));
    ruler.prepare(problem);
    set.reset(problem, ruler);
  }
  Problem problem;
  Ruler ruler;
  ActiveSet set;
};

TEST(ActiveSet, TakesTheSetOfX) {
  FiveRows rows;
  EXPECT_EQ(places(rows.set), (std::vector<Place>{between, low, low, low, low}));
  EXPECT_EQ(rows.set.active(), 4);
  rows.set.take(vec({0, 3, 0.5, 1, 5}));
  EXPECT_EQ(places(rows.set), (std::vector<Place>{between, low, between, high, low}));
  EXPECT_EQ(std::vector<char>(rows.set.free().begin(), rows.set.free().end()),
            (std::vector<char>{1, 0, 1, 0, 0}));
  EXPECT_EQ(rows.set.active(), 3);
  EXPECT_EQ(rows.set.bound(3), 1.0);
  Vector x = vec({7, 7, 7, 7, 7});
  rows.set.put_on_bounds(x);
  EXPECT_EQ(x, vec({7, 7, 7, 1, 7}));  // the empty row and the fixed one stay where they are
}

TEST(ActiveSet, EmptyRowsMayMove) {
  FiveRows rows;
  rows.set.reset(rows.problem, rows.ruler, ActiveSet::EmptyRows::move);
  rows.set.take(vec({0, 3, 0.5, 1, 5}));
  EXPECT_EQ(places(rows.set), (std::vector<Place>{between, low, between, high, between}));
}

TEST(ActiveSet, GuessesByTheNaturalMap) {
  FiveRows rows;
  rows.set.guess(vec({0, 3, 0, 0, 0}), vec({5, 5, -2, 4, -3}));
  EXPECT_EQ(places(rows.set), (std::vector<Place>{between, low, between, low, low}));
  rows.set.guess(vec({0, 3, 0, 0, 0}), vec({5, 5, 2, -4, -3}));
  EXPECT_EQ(places(rows.set), (std::vector<Place>{between, low, low, high, low}));
}

TEST(ActiveSet, PivotsWhatIsWrongAndTakesItBack) {
  FiveRows rows;
  rows.set.take(vec({0, 3, 0, 0.5, 0}));
  const std::uint64_t before = rows.set.hash();
  // Row 2 is active with a negative w, row 3 beyond its upper bound; the others cannot pivot.
  EXPECT_EQ(rows.set.find_violations(vec({9, 3, 0, 2, 0}), vec({-1, -1, -1, 0, -1})), 2);
  rows.set.pivot_all();
  EXPECT_EQ(rows.set.place(2), between);
  EXPECT_EQ(rows.set.place(3), high);
  EXPECT_EQ(rows.set.last_moves().size(), 2U);
  EXPECT_NE(rows.set.hash(), before);
  rows.set.undo();
  EXPECT_EQ(rows.set.hash(), before);
  EXPECT_EQ(rows.set.place(2), low);
  rows.set.pivot_first();
  EXPECT_EQ(rows.set.place(2), between);
  EXPECT_EQ(rows.set.place(3), between);
  // At the upper bound a positive w is wrong.
  rows.set.take(vec({0, 3, 1, 1, 0}));
  EXPECT_EQ(rows.set.find_violations(vec({0, 3, 1, 1, 0}), vec({0, 0, 0, -1, 0})), 0);
  EXPECT_EQ(rows.set.find_violations(vec({0, 3, 1, 1, 0}), vec({0, 0, 0, 1, 0})), 1);
  // Below the lower bound, but by less than what is allowed for.
  rows.set.take(vec({0, 3, 1, 0, 0}));
  EXPECT_EQ(rows.set.find_violations(vec({0, 3, -1e-3, 0, 0}), Vector::Zero(5)), 1);
  EXPECT_EQ(rows.set.find_violations(vec({0, 3, -1e-3, 0, 0}), Vector::Zero(5), 1e-2), 0);
  EXPECT_EQ(rows.set.find_violations(vec({0, 3, -1e-16, 0, 0}), Vector::Zero(5)), 0);
}

TEST(ActiveSet, RoundingFollowsTheScaleOfRows) {
  const Problem unit = make(DenseMatrix::Identity(2, 2), vec({1, 1}), 0, infinity);
  const Problem scaled = make(vec({1e6, 1e-6}).asDiagonal().toDenseMatrix(), vec({1e3, 1e-3}), 0, infinity);
  Ruler unit_ruler, scaled_ruler;
  unit_ruler.prepare(unit);
  scaled_ruler.prepare(scaled);
  ActiveSet unit_set, scaled_set;
  unit_set.reset(unit, unit_ruler);
  scaled_set.reset(scaled, scaled_ruler);
  unit_set.measure_rounding(vec({2, 3}));
  scaled_set.measure_rounding(vec({2e-3, 3e3}));
  EXPECT_NEAR(scaled_set.rounding(0), 1e3 * unit_set.rounding(0), 1e-25);
  EXPECT_NEAR(scaled_set.rounding(1), 1e-3 * unit_set.rounding(1), 1e-25);
}

// Two bounded unknowns, a fixed one; a row with two bounds and an equality.
struct LinearConstraints {
  LinearConstraints() {
    problem = make((DenseMatrix(3, 3) << 4, 0, 0, 0, 1, 0, 0, 0, 2).finished(), vec({1, 1, 1}),
                   vec({0, -1, 3}), vec({infinity, 1, 3}));
    const DenseMatrix G = (DenseMatrix(2, 3) << 2, 0, 0, 0, 1, 1).finished();
    problem.rows =
        LinearRows{std::make_shared<const CsrMatrix>(csr_from_dense(G)), vec({-1, 2}), vec({1, 2})};
    ruler.prepare(problem);
    set.reset(problem, ruler, ActiveSet::EmptyRows::move);
  }
  Problem problem;
  Ruler ruler;
  ActiveSet set;
};

TEST(ActiveSet, NumbersBoundsThenRowsInTheUnitsOfTheRuler) {
  const LinearConstraints c;
  EXPECT_EQ(c.set.unknowns(), 3);
  EXPECT_EQ(c.set.size(), 5);
  EXPECT_EQ(c.set.value_scale(0), 4.0);
  EXPECT_EQ(c.set.force_scale(0), 1.0);
  // 2 x_0 with d = 4: delta = 1, so both scales are the length of the row.
  EXPECT_EQ(c.set.force_scale(3), 2.0);
  EXPECT_EQ(c.set.value_scale(3), 2.0);
  EXPECT_TRUE(c.set.is_equality(2));
  EXPECT_TRUE(c.set.is_equality(4));
}

TEST(ActiveSet, TakesLinearRowsWithinABand) {
  LinearConstraints c;
  c.set.take(vec({1e-9, 1.0, 3.0, 0.0, 7.0}), 1e-8);
  EXPECT_EQ(places(c.set), (std::vector<Place>{low, high, low, between, low}));
  EXPECT_EQ(c.set.active(), 4);
  c.set.take(vec({1e-3, 0.0, 3.0, -1.0, 7.0}), 1e-8);
  EXPECT_EQ(places(c.set), (std::vector<Place>{between, between, low, low, low}));
}

TEST(ActiveSet, GuessesLinearRows) {
  LinearConstraints c;
  // x_0 = 1 moves by 8 / 4 below 0; x_1 = 0 by 2 above 1; the row is where it is.
  c.set.guess(vec({1, 0, 3, 0.5, 0}), vec({8, -2, 0, 0, 0}));
  EXPECT_EQ(places(c.set), (std::vector<Place>{low, high, low, between, low}));
  c.set.guess(vec({1, 0, 3, 1.5, 0}), vec({0, 0, 0, 0, 0}));
  EXPECT_EQ(places(c.set), (std::vector<Place>{between, between, low, high, low}));
}

TEST(ActiveSet, PivotsLinearRows) {
  LinearConstraints c;
  c.set.guess(vec({1, 0, 3, 0, 0}), vec({8, -2, 0, 0, 0}));
  // Active with the right sign, active with the wrong one, fixed, violated, equality.
  const Vector values = vec({0, 1, 3, 1.5, 2});
  const Vector forces = vec({1, 1, -5, 0, -5});
  EXPECT_EQ(c.set.find_violations(values, forces), 2);
  ActiveSet copy = c.set;
  copy.pivot_first();
  EXPECT_EQ(places(copy), (std::vector<Place>{low, between, low, between, low}));
  c.set.pivot_all();
  EXPECT_EQ(places(c.set), (std::vector<Place>{low, between, low, high, low}));
  // What is below the allowance is rounding.
  EXPECT_EQ(c.set.find_violations(vec({0, 0, 3, 1, 2}), vec({-1e-9, 0, 0, 1e-9, 0}), 1e-8), 0);
}

TEST(ActiveSet, HashesTellSetsApart) {
  LinearConstraints c;
  const std::uint64_t first = c.set.hash();
  c.set.put(0, between);
  const std::uint64_t second = c.set.hash();
  c.set.put(0, low);
  c.set.put(1, between);
  EXPECT_NE(first, second);
  EXPECT_NE(second, c.set.hash());
  c.set.put(1, high);
  EXPECT_NE(second, c.set.hash());
  c.set.put(1, low);
  EXPECT_EQ(first, c.set.hash());
}

TEST(VisitedSets, KnowsWhatItHasSeen) {
  VisitedSets visited;
  visited.clear();
  for (std::uint64_t k = 0; k < 300; ++k) EXPECT_TRUE(visited.insert(8192 * k));  // all in one slot
  EXPECT_FALSE(visited.insert(0));
  EXPECT_FALSE(visited.insert(8192 * 299));
  visited.clear();
  EXPECT_TRUE(visited.insert(8192));
  // More than it can keep.
  for (std::uint64_t k = 0; k < 5000; ++k) visited.insert(k);
  EXPECT_FALSE(visited.insert(8192));
}

}  // namespace slipstick::internal::active_set_test
