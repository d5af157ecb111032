// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/pivot_set.hpp"

#include <gtest/gtest.h>

#include "tests/solvers/box_cases.hpp"

namespace slipstick::pivot_set_test {

using namespace box_cases;

// Rows: free, fixed, x >= 0, -1 <= x <= 1, empty.
struct FiveRows {
  FiveRows() {
    DenseMatrix A = 2.0 * DenseMatrix::Identity(5, 5);
    A(4, 4) = 0.0;
    problem = make(A, Vector::Ones(5), vec({-infinity, 3, 0, -1, 0}), vec({infinity, 3, infinity, 1, 9}));
    ruler.prepare(problem);
    set.reset(problem, ruler);
  }
  std::vector<char> free() const { return {set.free().begin(), set.free().end()}; }
  Problem problem;
  Ruler ruler;
  PivotSet set;
};

TEST(PivotSet, TakesTheActiveSetOfX) {
  FiveRows rows;
  EXPECT_EQ(rows.free(), (std::vector<char>{1, 0, 0, 0, 0}));
  EXPECT_EQ(rows.set.tight(), 4);
  rows.set.take(vec({0, 3, 0.5, 1, 5}));
  EXPECT_EQ(rows.free(), (std::vector<char>{1, 0, 1, 0, 0}));
  EXPECT_EQ(rows.set.place(3), Place::at_upper);
  EXPECT_EQ(rows.set.tight(), 3);
  Vector x = vec({7, 7, 7, 7, 7});
  rows.set.put_on_bounds(x);
  EXPECT_EQ(x, vec({7, 7, 7, 1, 7}));  // the empty row and the fixed one stay where they are
}

TEST(PivotSet, GuessesByTheNaturalMap) {
  FiveRows rows;
  rows.set.guess(vec({0, 3, 0, 0, 0}), vec({5, 5, -2, 4, -3}));
  EXPECT_EQ(rows.free(), (std::vector<char>{1, 0, 1, 0, 0}));
  EXPECT_EQ(rows.set.place(3), Place::at_lower);
  rows.set.guess(vec({0, 3, 0, 0, 0}), vec({5, 5, 2, -4, -3}));
  EXPECT_EQ(rows.free(), (std::vector<char>{1, 0, 0, 0, 0}));
  EXPECT_EQ(rows.set.place(3), Place::at_upper);
}

TEST(PivotSet, PivotsWhatIsWrongAndTakesItBack) {
  FiveRows rows;
  rows.set.take(vec({0, 3, 0, 0.5, 0}));
  const std::uint64_t before = rows.set.hash();
  // Row 2 is tight with a negative w, row 3 beyond its upper bound; the others cannot pivot.
  EXPECT_EQ(rows.set.find_violations(vec({9, 3, 0, 2, 0}), vec({-1, -1, -1, 0, -1})), 2);
  rows.set.pivot_all();
  EXPECT_EQ(rows.set.place(2), Place::between);
  EXPECT_EQ(rows.set.place(3), Place::at_upper);
  EXPECT_EQ(rows.set.last_moves().size(), 2U);
  EXPECT_NE(rows.set.hash(), before);
  rows.set.undo();
  EXPECT_EQ(rows.set.hash(), before);
  EXPECT_EQ(rows.set.place(2), Place::at_lower);
  rows.set.pivot_first();
  EXPECT_EQ(rows.set.place(2), Place::between);
  EXPECT_EQ(rows.set.place(3), Place::between);
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

TEST(PivotSet, RoundingFollowsTheScaleOfRows) {
  const Problem unit = make(DenseMatrix::Identity(2, 2), vec({1, 1}), 0, infinity);
  const Problem scaled = make(vec({1e6, 1e-6}).asDiagonal().toDenseMatrix(), vec({1e3, 1e-3}), 0, infinity);
  Ruler unit_ruler, scaled_ruler;
  unit_ruler.prepare(unit);
  scaled_ruler.prepare(scaled);
  PivotSet unit_set, scaled_set;
  unit_set.reset(unit, unit_ruler);
  scaled_set.reset(scaled, scaled_ruler);
  unit_set.measure_rounding(vec({2, 3}));
  scaled_set.measure_rounding(vec({2e-3, 3e3}));
  EXPECT_NEAR(scaled_set.rounding(0), 1e3 * unit_set.rounding(0), 1e-25);
  EXPECT_NEAR(scaled_set.rounding(1), 1e-3 * unit_set.rounding(1), 1e-25);
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

}  // namespace slipstick::pivot_set_test
