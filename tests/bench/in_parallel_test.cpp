// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/in_parallel.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <set>

#include "bench/peers/published_optima.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/scenes/qp_families.hpp"

namespace slipstick::internal::bench::in_parallel_test {

ContestRow row(std::size_t task, int number) {
  ContestRow result;
  result.problem_class = "qp";
  result.problem = std::to_string(task);
  result.solver = "x";
  result.tolerance = 1e-4;
  result.status = "solved";
  result.seconds = number;
  return result;
}

TEST(InParallel, RowsComeInTheOrderOfTheTasks) {
  for (const int jobs : {1, 3, 20}) {
    std::size_t next = 0;
    run_in_parallel(
        7, jobs,
        [](std::size_t task, const auto& add) {
          usleep(static_cast<useconds_t>(2000 * (7 - task)));  // later tasks end sooner
          for (int k = 0; k < static_cast<int>(task); ++k) add(row(task, k));
        },
        [&](std::size_t task, const std::vector<ContestRow>& rows) {
          EXPECT_EQ(task, next++);
          ASSERT_EQ(rows.size(), task);
          for (std::size_t k = 0; k < rows.size(); ++k) {
            EXPECT_EQ(rows[k].problem, std::to_string(task));
            EXPECT_EQ(rows[k].seconds, static_cast<double>(k));
          }
        });
    EXPECT_EQ(next, 7U);
  }
}

TEST(InParallel, AFailedTaskIsAnError) {
  const auto report = [](std::size_t, const std::vector<ContestRow>&) {};
  EXPECT_THROW(run_in_parallel(
                   2, 2, [](std::size_t, const auto&) { fail("no"); }, report),
               Error);
  EXPECT_THROW(run_in_parallel(
                   1, 1, [](std::size_t, const auto&) { _exit(3); }, report),
               Error);
}

TEST(GeneratedQps, AreOfAllFamiliesAtThreeSizes) {
  std::set<std::string> names;
  for (const ContestProblem& problem : generated_qps()) {
    EXPECT_TRUE(names.insert(problem.name).second) << problem.name;
    EXPECT_TRUE(problem.is_smooth_qp()) << problem.name;
  }
  std::size_t wanted = 0;
  for (const QpFamily& family : qp_families()) wanted += family.seeded ? 6 : 3;
  EXPECT_EQ(names.size(), wanted);
}

TEST(PublishedOptima, AreTheErrorOfTheirFiles) {
  Problem problem{.A = DenseMatrix{{2.0}}, .b = Vector{{0.0}}, .K = ProductSet::free(1)};
  problem.rows = LinearRows{.G = std::make_shared<const CsrMatrix>(csr_from_dense(DenseMatrix{{1.0}})),
                            .lower = Vector{{1.0}},
                            .upper = Vector{{infinity}}};
  const ContestProblem other = contest_problems("qp/OTHER.QPS", problem).front();
  EXPECT_FALSE(other.optimum.has_value());
  const ContestProblem file = contest_problems("qp/HS35.QPS", problem).front();
  ASSERT_TRUE(file.optimum.has_value());
  EXPECT_NEAR(judge(file, Vector{{1.0}}, Vector{{2.0}}).published, 8.0, 1e-6);  // 1 in place of 1/9
}

}  // namespace slipstick::internal::bench::in_parallel_test
