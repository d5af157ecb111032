// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/active_set/working_set.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/dense.hpp"

namespace slipstick::working_set_test {

// Two bounded unknowns, a fixed one; a row with two bounds and an equality.
class WorkingSets : public testing::Test {
 protected:
  WorkingSets() {
    problem_.A = csr_from_dense(mat({{4, 0, 0}, {0, 1, 0}, {0, 0, 2}}));
    problem_.b = vec({1, 1, 1});
    problem_.K = ProductSet::box(vec({0, -1, 3}), vec({infinity, 1, 3}));
    problem_.rows = LinearRows{std::make_shared<const CsrMatrix>(csr_from_dense(mat({{2, 0, 0}, {0, 1, 1}}))),
                               vec({-1, 2}), vec({1, 2})};
    ruler_.prepare(problem_);
    set_.prepare(problem_, ruler_);
  }
  std::vector<int> sides() const {
    std::vector<int> list;
    for (Index k = 0; k < set_.size(); ++k) list.push_back(set_.side(k));
    return list;
  }
  Problem problem_;
  Ruler ruler_;
  WorkingSet set_;
};

TEST_F(WorkingSets, NumberBoundsThenRowsInTheUnitsOfTheRuler) {
  EXPECT_EQ(set_.unknowns(), 3);
  EXPECT_EQ(set_.size(), 5);
  EXPECT_EQ(set_.value_scale(0), 4.0);
  EXPECT_EQ(set_.force_scale(0), 1.0);
  // 2 x_0 with d = 4: delta = 1, so both scales are the length of the row.
  EXPECT_EQ(set_.force_scale(3), 2.0);
  EXPECT_EQ(set_.value_scale(3), 2.0);
  EXPECT_TRUE(set_.is_equality(2));
  EXPECT_TRUE(set_.is_equality(4));
}

TEST_F(WorkingSets, HoldWhatTouches) {
  set_.hold_touching(vec({1e-9, 1.0, 3.0, 0.0, 7.0}), 1e-8);
  EXPECT_EQ(sides(), (std::vector<int>{-1, 1, -1, 0, -1}));
  EXPECT_EQ(set_.held(), 4);
  EXPECT_EQ(set_.bound(1), 1.0);
  set_.hold_touching(vec({1e-3, 0.0, 3.0, -1.0, 7.0}), 1e-8);
  EXPECT_EQ(sides(), (std::vector<int>{0, 0, -1, -1, -1}));
}

TEST_F(WorkingSets, HoldWhatAProjectedStepPutsOnABound) {
  // x_0 = 1 moves by 8 / 4 below 0; x_1 = 0 by 2 above 1; the row is where it is.
  set_.hold_predicted(vec({1, 0, 3, 0.5, 0}), vec({8, -2, 0, 0, 0}));
  EXPECT_EQ(sides(), (std::vector<int>{-1, 1, -1, 0, -1}));
  set_.hold_predicted(vec({1, 0, 3, 1.5, 0}), vec({0, 0, 0, 0, 0}));
  EXPECT_EQ(sides(), (std::vector<int>{0, 0, -1, 1, -1}));
}

TEST_F(WorkingSets, SignsSayWhatToHoldAndWhatToLetGo) {
  set_.hold_predicted(vec({1, 0, 3, 0, 0}), vec({8, -2, 0, 0, 0}));
  // Held with the right sign, held with the wrong one, fixed, violated, equality.
  const Vector values = vec({0, 1, 3, 1.5, 2});
  const Vector forces = vec({1, 1, -5, 0, -5});
  EXPECT_EQ(set_.wanted_side(0, 0.0, 1.0, 0.0), -1);
  EXPECT_EQ(set_.wanted_side(1, 1.0, 1.0, 0.0), 0);
  EXPECT_EQ(set_.wanted_side(2, 3.0, -5.0, 0.0), -1);
  EXPECT_EQ(set_.wanted_side(3, 1.5, 0.0, 0.0), 1);
  EXPECT_EQ(set_.revise(values, forces, 0.0, WorkingSet::Move::none), 2);
  WorkingSet copy = set_;
  EXPECT_EQ(copy.revise(values, forces, 0.0, WorkingSet::Move::first), 2);
  EXPECT_EQ(copy.side(1), 0);
  EXPECT_EQ(copy.side(3), 0);
  EXPECT_EQ(set_.revise(values, forces, 0.0, WorkingSet::Move::all), 2);
  EXPECT_EQ(sides(), (std::vector<int>{-1, 0, -1, 1, -1}));
  // What is below the band is rounding.
  EXPECT_EQ(set_.revise(vec({0, 0, 3, 1, 2}), vec({-1e-9, 0, 0, 1e-9, 0}), 1e-8, WorkingSet::Move::all), 0);
}

TEST_F(WorkingSets, FingerprintsTellSetsApart) {
  const std::uint64_t first = set_.fingerprint();
  set_.set_side(0, -1);
  const std::uint64_t second = set_.fingerprint();
  set_.set_side(0, 0);
  set_.set_side(1, -1);
  EXPECT_NE(first, second);
  EXPECT_NE(second, set_.fingerprint());
  set_.set_side(1, 1);
  EXPECT_NE(second, set_.fingerprint());
  set_.set_side(1, 0);
  EXPECT_EQ(first, set_.fingerprint());
}

}  // namespace slipstick::working_set_test
