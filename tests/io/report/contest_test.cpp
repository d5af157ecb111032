// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/report/contest.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace slipstick::internal::report::contest_test {

ContestRow row(const char* problem, const char* solver, double seconds, bool ours = false) {
  ContestRow result;
  result.problem_class = "lcp";
  result.problem = problem;
  result.solver = solver;
  result.ours = ours;
  result.tolerance = 1e-4;
  result.status = std::isfinite(seconds) ? "solved" : "time_limit";
  result.seconds = seconds;
  return result;
}

constexpr double never = std::numeric_limits<double>::infinity();

// Problem c is solved by nobody.
ContestGroup example() {
  return {"lcp",
          1e-4,
          {row("a", "quick", 1.0), row("a", "steady", 2.0), row("a", "mine", 4.0, true),
           row("b", "quick", never), row("b", "steady", 3.0), row("b", "mine", 1.0, true),
           row("c", "quick", never), row("c", "steady", never), row("c", "mine", never, true)}};
}

TEST(Contest, GroupsByClassAndToleranceInOrder) {
  std::vector<ContestRow> rows = {row("a", "x", 1.0), row("a", "x", 2.0), row("b", "x", 3.0)};
  rows[1].tolerance = 1e-8;
  const auto groups = groups_of(rows);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].tolerance, 1e-4);
  EXPECT_EQ(groups[0].rows.size(), 2U);
  EXPECT_EQ(groups[1].rows.size(), 1U);
}

TEST(Contest, StandingsCountSolvedNearBestAndBest) {
  const auto list = standings(example());
  ASSERT_EQ(list.size(), 3U);
  // Two solved each, and one of these within twice the best time: the order of the rows decides.
  EXPECT_EQ(list[0].solver, "steady");
  EXPECT_EQ(list[0].problems, 3);
  EXPECT_EQ(list[0].solved, 2);
  EXPECT_EQ(list[0].within_twice, 1);
  EXPECT_EQ(list[0].best, 0);
  EXPECT_EQ(list[1].solver, "mine");
  EXPECT_EQ(list[1].within_twice, 1);
  EXPECT_EQ(list[1].best, 1);
  EXPECT_EQ(list[2].solver, "quick");
  EXPECT_EQ(list[2].solved, 1);
  EXPECT_EQ(list[2].best, 1);
}

TEST(Contest, ProfilesAreSharesOfAllProblems) {
  const auto list = profiles(example(), 100.0);
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0].solver, "quick");
  EXPECT_EQ(list[0].factor, (std::vector{1.0, 1.0, 100.0}));
  EXPECT_EQ(list[0].share, (std::vector{1.0 / 3, 1.0 / 3, 1.0 / 3}));
  EXPECT_EQ(list[1].factor, (std::vector{1.0, 2.0, 3.0, 100.0}));
  EXPECT_EQ(list[1].share, (std::vector{0.0, 1.0 / 3, 2.0 / 3, 2.0 / 3}));
}

TEST(Contest, ProfilesEndAtTheLargestFactor) {
  const auto list = profiles(example(), 2.5);
  EXPECT_EQ(list[1].factor, (std::vector{1.0, 2.0, 2.5}));
  EXPECT_EQ(list[1].share, (std::vector{0.0, 1.0 / 3, 1.0 / 3}));
}

TEST(Contest, DuelsNameTheBestPeer) {
  const auto list = duels(example());
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0].peer_solver, "quick");
  EXPECT_EQ(list[0].ratio(), 4.0);
  EXPECT_EQ(list[1].peer_solver, "steady");
  EXPECT_EQ(list[1].ratio(), 1.0 / 3);
  EXPECT_TRUE(list[2].peer_solver.empty());
  EXPECT_EQ(list[2].ours, never);
}

TEST(Contest, PairingsAreOverProblemsThatBothSolve) {
  ContestGroup group = example();
  // The better of a peer's two ways counts.
  group.rows.push_back(row("a", "steady:other", 12.0));
  group.rows.push_back(row("b", "steady:other", 2.0));
  const auto list = pairings(group);
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].ours, "mine");
  EXPECT_EQ(list[0].peer, "quick");
  EXPECT_EQ(list[0].problems, 1);
  EXPECT_EQ(list[0].won, 0);
  EXPECT_EQ(list[0].median_speedup, 0.25);
  EXPECT_EQ(list[1].peer, "steady");
  EXPECT_EQ(list[1].problems, 2);
  EXPECT_EQ(list[1].won, 1);
  EXPECT_EQ(list[1].median_speedup, 0.5 * (0.5 + 2.0));
}

TEST(Contest, OptimaCountSolvedFiles) {
  ContestGroup group{
      "qp", 1e-6, {row("qp/A.QPS", "x", 1.0), row("qp/B.QPS", "x", never), row("qp/c", "x", 1.0)}};
  for (ContestRow& r : group.rows) r.published = 1e-7;
  group.rows.push_back(row("qp/C.QPS", "x", 1.0));
  group.rows.back().published = 1e-5;
  const auto list = optima(group);
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].files, 3);
  EXPECT_EQ(list[0].within, 1);
}

TEST(Contest, ScoreIsOverProblemsThatPeersSolve) {
  std::vector<Duel> list = duels(example());
  const Score all = score(list);
  EXPECT_EQ(all.problems, 2);
  EXPECT_EQ(all.won, 1);
  EXPECT_EQ(all.worst, 4.0);
  EXPECT_DOUBLE_EQ(all.median_speedup, 0.5 * (3.0 + 0.25));
  list[1].contacts = 11;
  EXPECT_EQ(score(list, 10).problems, 1);
  EXPECT_DOUBLE_EQ(score(list, 10).median_speedup, 3.0);
  list[1].ours = never;
  EXPECT_EQ(score(list, 10).won, 0);
  EXPECT_EQ(score(list, 10).worst, never);
  EXPECT_TRUE(std::isnan(score(list, 100).median_speedup));
}

}  // namespace slipstick::internal::report::contest_test
