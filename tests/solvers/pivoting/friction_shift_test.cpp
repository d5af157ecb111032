// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/friction_shift.hpp"

#include <gtest/gtest.h>

#include "tests/support/dense.hpp"

namespace slipstick::internal::friction_shift_test {

// A normal row and a friction row, a_ii = 2 and 4, that can be moved at will.
struct TwoRows {
  explicit TwoRows(const FrictionShiftSettings& settings) {
    problem.A = Operator(mat({{2, 0}, {0, 4}}));
    problem.b = vec({-1, -1});
    problem.K.append_nonnegative(1, Role::normal);
    problem.K.append_interval(-1, 1, Role::friction);
    ruler.prepare(problem);
    set.reset(problem, ruler);
    shift.reset(problem, settings);
  }
  // In and out of the free set; returns what was added to each row.
  Vector pivot(int row, int times) {
    Vector added = Vector::Zero(2);
    for (int k = 0; k < times; ++k) {
      set.put(row, set.place(row) == Place::between ? Place::at_lower : Place::between);
      shift.count(set, ruler.scale(), [&](Index which, double amount) { added[which] += amount; });
    }
    return added;
  }
  Problem problem;
  Ruler ruler;
  ActiveSet set;
  FrictionShift shift;
};

TEST(FrictionShift, ShiftsFrictionRowsThatPivotTooOften) {
  TwoRows rows({.regularization = 1e-2, .pivot_limit = 3});
  EXPECT_EQ(rows.pivot(1, 3), vec({0, 0}));
  EXPECT_FALSE(rows.shift.active());
  // The fourth takes it out of the free set, the fifth brings it back: too often, and the limit doubles.
  EXPECT_EQ(rows.pivot(1, 1), vec({0, 0}));
  EXPECT_NEAR(rows.pivot(1, 1)[1], 4e-2, 1e-16);
  EXPECT_TRUE(rows.shift.active());
  EXPECT_EQ(rows.pivot(1, 1), vec({0, 0}));
  EXPECT_NEAR(rows.pivot(1, 1)[1], 4e-2, 1e-16);
  EXPECT_EQ(rows.pivot(1, 5), vec({0, 0}));
  EXPECT_NEAR(rows.shift.amounts()[1], 8e-2, 1e-16);
  EXPECT_EQ(rows.shift.rows(), 1);

  Result result;
  rows.shift.describe(result);
  EXPECT_EQ(result.message, "1 friction rows were shifted by up to 2.0e-02 of their diagonal, to the end");
  rows.shift.drop();
  EXPECT_FALSE(rows.shift.active());
  EXPECT_EQ(rows.shift.amounts(), vec({0, 0}));
  EXPECT_EQ(rows.pivot(1, 100), vec({0, 0}));
  result.message.clear();
  rows.shift.describe(result);
  EXPECT_NE(result.message.find("not at the end"), std::string::npos);
}

TEST(FrictionShift, LeavesOtherRowsAlone) {
  TwoRows rows({.regularization = 1e-2, .pivot_limit = 1});
  EXPECT_EQ(rows.pivot(0, 50), vec({0, 0}));
  EXPECT_EQ(rows.shift.rows(), 0);
  TwoRows off({.regularization = 0.0, .pivot_limit = 1});
  EXPECT_EQ(off.pivot(1, 50), vec({0, 0}));
}

}  // namespace slipstick::internal::friction_shift_test
