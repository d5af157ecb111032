// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/island_solver.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "slipstick/base/random.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/problems/convert.hpp"

namespace slipstick::internal::island_solver_test {

// Blocks of these sizes, rows of different blocks taking turns: M = B B' + I + skew, q of both signs.
LcpProblem shuffled_blocks(const std::vector<int>& sizes, double skew, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<int>> rows(sizes.size());
  int next = 0;
  for (bool more = true; more;) {
    more = false;
    for (std::size_t b = 0; b < sizes.size(); ++b) {
      if (static_cast<int>(rows[b].size()) == sizes[b]) continue;
      rows[b].push_back(next++);
      more = true;
    }
  }
  std::vector<Triplet> entries;
  for (const std::vector<int>& block : rows) {
    const auto n = static_cast<Index>(block.size());
    DenseMatrix root(n, n);
    for (Index k = 0; k < root.size(); ++k) root.data()[k] = random.normal();
    DenseMatrix m = root * root.transpose() + DenseMatrix::Identity(n, n);
    m += skew * (root - root.transpose());
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        entries.push_back({block[static_cast<std::size_t>(i)], block[static_cast<std::size_t>(j)], m(i, j)});
  }
  Vector q(next);
  for (Index i = 0; i < next; ++i) q[i] = random.normal();
  return {Operator(csr_from_triplets(next, next, entries)), q};
}

TEST(Islands, AreTheComponentsAndSmallOnesTogether) {
  const LcpProblem lcp = shuffled_blocks({30, 1, 40, 2, 3}, 0.0, 1);
  IslandList islands;
  islands.find(to_problem(lcp));
  const std::span<IslandProblem> parts = islands.list();
  std::vector<int> seen(76, 0);
  std::vector<std::size_t> sizes;
  for (const IslandProblem& part : parts) {
    sizes.push_back(part.rows.size());
    EXPECT_TRUE(std::is_sorted(part.rows.begin(), part.rows.end()));
    for (const int row : part.rows) ++seen[static_cast<std::size_t>(row)];
  }
  EXPECT_EQ(seen, std::vector<int>(76, 1));
  EXPECT_GE(parts.size(), 3u);
  // No entry leads from one part to another.
  double inside = 0.0;
  for (const IslandProblem& part : parts) inside += std::get<MixedLcp>(part.problem).M.nonzeros();
  EXPECT_EQ(inside, static_cast<double>(lcp.M.nonzeros()));
}

TEST(Islands, OneComponentIsNotSplit) {
  IslandList islands;
  islands.find(to_problem(shuffled_blocks({80}, 0.0, 1)));
  EXPECT_TRUE(islands.list().empty());
  islands.find(to_problem(shuffled_blocks({20, 20}, 0.0, 1)));
  EXPECT_TRUE(islands.list().empty()) << "small";
}

// Rows of a cone belong together though the matrix does not say so.
TEST(Islands, ConesStayWhole) {
  Problem problem{.A = Operator(csr_from_dense(DenseMatrix::Identity(60, 60))),
                  .b = Vector::Constant(60, -1.0),
                  .K = ProductSet::cones(Vector::Constant(20, 0.5), 3)};
  IslandList islands;
  islands.find(problem);
  for (const IslandProblem& part : islands.list()) EXPECT_EQ(part.rows.size() % 3, 0u);
}

TEST(IslandSolver, SameAnswersAsTheWhole) {
  for (const double skew : {0.0, 0.4}) {
    const LcpProblem lcp = shuffled_blocks({60, 12, 90, 3, 1, 25, 7}, skew, 3);
    const DriverResult result = solve(lcp);
    ASSERT_TRUE(result.solved()) << result.message;
    int parts = 0;
    for (const Attempt& attempt : result.attempts) parts += attempt.islands;
    EXPECT_GE(parts, 5);
    const DriverResult reference = solve(lcp, {.solver = "lemke"});
    ASSERT_TRUE(reference.solved());
    EXPECT_LT((result.x - reference.x).norm(), 1e-6 * (1.0 + reference.x.norm()));
    EXPECT_LE(result.measures.scaled_natural_map, 1e-8);
  }
}

TEST(IslandSolver, KeptDriverFollowsTheLoad) {
  LcpProblem lcp = shuffled_blocks({30, 40, 50}, 0.0, 4);
  Driver driver;
  DriverResult result;
  for (int step = 0; step < 3; ++step) {
    driver.solve(lcp, result);
    ASSERT_TRUE(result.solved());
    EXPECT_LT((result.x - solve(lcp).x).norm(), 1e-7);
    lcp.q = -0.5 * lcp.q;
  }
}

TEST(IslandSolver, ThreadsChangeNoBit) {
  const LcpProblem lcp = shuffled_blocks(std::vector<int>(150, 16), 0.2, 5);
  SolveRequest request;
  const Vector one = solve(lcp, request).x;
  request.settings.threads = 2;
  const DriverResult two = solve(lcp, request);
  ASSERT_TRUE(two.solved());
  EXPECT_EQ(two.x, one);
}

TEST(IslandSolver, ManyTinyPartsCanBeCancelledAndLimited) {
  const LcpProblem lcp = shuffled_blocks(std::vector<int>(400, 12), 0.2, 6);
  std::atomic<bool> raised{false};
  CancelFlag cancel(raised);
  const DriverResult solved = solve(lcp, {}, nullptr, &cancel);
  EXPECT_TRUE(solved.solved());
  EXPECT_GT(solved.attempts.front().islands, 100);
  raised = true;
  EXPECT_EQ(solve(lcp, {}, nullptr, &cancel).status, Status::cancelled);
  EXPECT_EQ(solve(lcp, {.settings = {.time_limit = 1e-9}}).status, Status::time_limit);
}

TEST(IslandSolver, WarmStartAtTheSolution) {
  const LcpProblem lcp = shuffled_blocks({30, 40, 50}, 0.0, 6);
  const DriverResult cold = solve(lcp);
  const WarmStart start{.x = cold.x};
  EXPECT_EQ(solve(lcp, {}, &start).counts.iterations, 0);
}

// A part without a solution: the whole says why.
TEST(IslandSolver, InfeasiblePart) {
  const LcpProblem good = shuffled_blocks({30, 40}, 0.0, 7);
  std::vector<Triplet> entries;
  const CsrMatrix& a = *good.M.assemble();
  for (int i = 0; i < a.rows(); ++i)
    for (CsrMatrix::InnerIterator it(a, i); it; ++it)
      entries.push_back({i, static_cast<int>(it.col()), it.value()});
  LcpProblem bad{Operator(csr_from_triplets(71, 71, entries)), Vector(71)};
  bad.q << good.q, -1.0;
  EXPECT_EQ(solve(bad).status, Status::infeasible);
  bad.q[70] = 1.0;
  EXPECT_TRUE(solve(bad).solved());
}

TEST(IslandSolver, Bounds) {
  const LcpProblem lcp = shuffled_blocks({30, 40, 20}, 0.0, 8);
  MixedLcp mixed{lcp.M, lcp.q, Vector::Constant(90, -0.1), Vector::Constant(90, 0.1)};
  for (Index i = 0; i < 90; i += 7) mixed.lower[i] = -infinity;
  const DriverResult result = solve(mixed);
  ASSERT_TRUE(result.solved()) << result.message;
  EXPECT_GE(result.x.minCoeff(), -infinity);
  EXPECT_LE(result.x.maxCoeff(), 0.1 + 1e-12);
  EXPECT_GT(result.attempts.front().islands, 0);
}

}  // namespace slipstick::internal::island_solver_test
