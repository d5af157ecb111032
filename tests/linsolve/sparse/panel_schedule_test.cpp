// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/sparse/panel_schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "slipstick/linsolve/sparse/left_looking.hpp"

namespace slipstick::internal::panel_schedule_test {

// The panels of a square grid, and one more row that is coupled with none.
PanelAnalysis grid(int side) {
  std::vector<Eigen::Triplet<double>> entries;
  const int n = side * side + 1;
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 1.0);
  for (int i = 0; i + 1 < n; ++i) {
    if (i % side > 0) entries.emplace_back(i, i - 1, 1.0);
    if (i >= side) entries.emplace_back(i, i - side, 1.0);
  }
  CsrMatrix a(n, n);
  a.setFromTriplets(entries.begin(), entries.end());
  PanelAnalysis symbolic;
  symbolic.analyze(a, Ordering::amd, {.pays = [](int, double zeros, double) { return zeros == 0.0; }});
  return symbolic;
}

TEST(PanelSchedule, DividesPanelsIntoSubtreesThatAreIndependent) {
  const PanelAnalysis symbolic = grid(40);
  const int count = static_cast<int>(symbolic.panels.size());
  const std::vector<double> work(symbolic.panels.size(), 1.0);
  PanelSchedule schedule;
  schedule.prepare(symbolic, work, 0.0);
  std::vector<int> owner(symbolic.panels.size(), -2);  // the subtree of a panel, -1: above
  for (const int s : schedule.top()) owner[static_cast<std::size_t>(s)] = -1;
  for (int t = 0; t < static_cast<int>(schedule.subtrees().size()); ++t) {
    const PanelSchedule::Subtree& subtree = schedule.subtrees()[static_cast<std::size_t>(t)];
    EXPECT_EQ(subtree.work, subtree.last - subtree.first);
    EXPECT_LE(subtree.work, count / 32.0);
    for (int s = subtree.first; s < subtree.last; ++s) {
      EXPECT_EQ(owner[static_cast<std::size_t>(s)], -2) << "in one part only";
      owner[static_cast<std::size_t>(s)] = t;
    }
  }
  EXPECT_EQ(std::count(owner.begin(), owner.end(), -2), 0) << "every panel is somewhere";
  EXPECT_GT(schedule.top().size(), 0u);
  EXPECT_TRUE(std::is_sorted(schedule.top().begin(), schedule.top().end()));
  LeftLooking left_looking;
  left_looking.prepare(symbolic);
  for (int s = 0; s < count; ++s) {
    for (const LeftLooking::Update& update : left_looking.updates(s)) {
      EXPECT_LT(update.descendant, s);
      const int own = owner[static_cast<std::size_t>(s)];
      EXPECT_TRUE(own == -1 || owner[static_cast<std::size_t>(update.descendant)] == own);
    }
  }
}

TEST(PanelSchedule, LeavesSmallFactorsWhole) {
  const PanelAnalysis symbolic = grid(10);
  const std::vector<double> work(symbolic.panels.size(), 1.0);
  PanelSchedule schedule;
  schedule.prepare(symbolic, work, 1e6);
  ASSERT_EQ(schedule.subtrees().size(), 1u);
  EXPECT_EQ(schedule.subtrees()[0].first, 0);
  EXPECT_EQ(schedule.subtrees()[0].last, static_cast<int>(symbolic.panels.size()));
  EXPECT_TRUE(schedule.top().empty());
}

}  // namespace slipstick::internal::panel_schedule_test
