// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/worker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>

#include "bench/peers/run_contest.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick::internal::bench::worker_test {

// w = 2 z - 1
ContestProblem half() {
  return {"half", LcpProblem{DenseMatrix{{2.0}}, Vector{{-1.0}}}};
}

enum class Manner { answers, errs, crashes, hangs, fails_to_prepare, wears_out };

class Actor : public Attempt {
 public:
  explicit Actor(Manner manner) : manner_(manner), fresh_(manner != Manner::wears_out) {
    if (manner == Manner::fails_to_prepare) fail("out of sorts");
  }
  bool wears_out() const override { return manner_ == Manner::wears_out; }
  void renew() override { fresh_ = true; }
  void solve(double /*tolerance*/) override {
    if (manner_ == Manner::crashes || !fresh_) std::raise(SIGKILL);
    volatile bool forever = manner_ == Manner::hangs;
    while (forever) {
    }
    fresh_ = manner_ != Manner::wears_out;
    answer_ = Vector{{manner_ == Manner::errs ? 0.7 : 0.5}};
  }
  const Vector& answer() const override { return answer_; }

 private:
  Manner manner_;
  bool fresh_;
  Vector answer_;
};

Contestant contestant(const char* name, Manner manner, bool ours = false) {
  return {name, ours, false, [](const ContestProblem&) { return true; },
          [manner](const ContestProblem&) { return std::make_unique<Actor>(manner); }};
}

constexpr double enough = 10.0;  // s

TEST(Worker, TimesAndJudgesAnAnswer) {
  const ContestProblem problem = half();
  for (const Manner manner : {Manner::answers, Manner::wears_out}) {
    Worker worker(contestant("right", manner), problem, enough);
    for (const double batch : {0.0, 1e-4}) {
      const auto report = worker.run(1e-8, batch, enough);
      ASSERT_TRUE(report.has_value());
      EXPECT_EQ(worker.state(), Worker::State::ready);
      EXPECT_EQ(report->verdict.published, 0.0);
      EXPECT_EQ(report->verdict.natural_map, 0.0);
      EXPECT_GE(report->seconds, 0.0);
    }
  }
  Worker wrong(contestant("wrong", Manner::errs), problem, enough);
  const auto report = wrong.run(1e-8, 0.0, enough);
  ASSERT_TRUE(report.has_value());
  EXPECT_NEAR(report->verdict.natural_map, 0.4, 1e-12);  // w = 0.4, ||q|| = 1
  EXPECT_NEAR(report->verdict.published, 0.4, 1e-12);
}

TEST(Worker, ACrashEndsTheChildAlone) {
  const ContestProblem problem = half();
  Worker worker(contestant("crashes", Manner::crashes), problem, enough);
  EXPECT_EQ(worker.state(), Worker::State::ready);
  EXPECT_FALSE(worker.run(1e-8, 0.0, enough).has_value());
  EXPECT_EQ(worker.state(), Worker::State::ended);
  EXPECT_FALSE(worker.run(1e-8, 0.0, enough).has_value());

  Worker unprepared(contestant("unprepared", Manner::fails_to_prepare), problem, enough);
  EXPECT_EQ(unprepared.state(), Worker::State::ended);
}

TEST(Worker, AnEndlessLoopIsStopped) {
  const ContestProblem problem = half();
  Worker worker(contestant("hangs", Manner::hangs), problem, enough);
  EXPECT_FALSE(worker.run(1e-8, 0.0, 0.01).has_value());
  EXPECT_EQ(worker.state(), Worker::State::busy);
  EXPECT_FALSE(worker.go_on(0.02).has_value());
  EXPECT_EQ(worker.state(), Worker::State::busy);
}

TEST(RunContest, EveryContestantGetsARow) {
  const std::vector<Contestant> contestants = {contestant("ours", Manner::answers, true),
                                               contestant("right", Manner::answers),
                                               contestant("wrong", Manner::errs),
                                               contestant("crashes", Manner::crashes),
                                               contestant("unprepared", Manner::fails_to_prepare),
                                               contestant("hangs", Manner::hangs)};
  std::vector<ContestRow> rows;
  run_contest(half(), contestants, {.time_limit = 2.0, .shortest_limit = 0.01, .batch_seconds = 1e-4},
              [&](const ContestRow& row) { rows.push_back(row); });
  ASSERT_EQ(rows.size(), 2 * contestants.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const ContestRow& row = rows[k];
    EXPECT_EQ(row.tolerance, k < contestants.size() ? 1e-4 : 1e-8);
    const bool solved = row.solver == "ours" || row.solver == "right";
    EXPECT_EQ(row.status, solved                  ? "solved"
                          : row.solver == "wrong" ? "inaccurate"
                          : row.solver == "hangs" ? "time_limit"
                                                  : "crashed")
        << row.solver;
    EXPECT_EQ(std::isfinite(row.seconds), solved) << row.solver;
    EXPECT_EQ(row.ours, row.solver == "ours");
  }
}

// The others are stopped at three times our time, which is next to nothing here, or at the shortest limit.
TEST(RunContest, APeerMayBeGivenSoManyTimesOurTime) {
  const std::vector<Contestant> contestants = {contestant("ours", Manner::answers, true),
                                               contestant("hangs", Manner::hangs)};
  std::vector<ContestRow> rows;
  const ContestOptions options{.tolerances = {1e-4}, .time_limit = 1e6, .lead = 3.0, .shortest_limit = 0.01};
  run_contest(half(), contestants, options, [&](const ContestRow& row) { rows.push_back(row); });
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].status, "solved");
  EXPECT_EQ(rows[1].status, "time_limit");
}

// z = 0.7 gives w = 1e4 z - 6990 = 10, so |z - max(0, z - w)| / |q| = 1e-4. The scaled natural map is
// 10 / 6990. A scaled natural map above 1e-2 is never solved: with q = -3500 it is 1.
TEST(RunContest, JudgesByTheMeasureAskedFor) {
  ContestProblem problem{"stiff", LcpProblem{DenseMatrix{{1e4}}, Vector{{-6990.0}}}};
  const std::vector<Contestant> contestants = {contestant("coarse", Manner::errs)};
  ContestOptions options{.tolerances = {1e-3}, .repetitions = 1, .batch_seconds = 0.0};
  const auto status = [&](ContestMeasure measure) {
    options.measure = measure;
    std::string text;
    run_contest(problem, contestants, options, [&](const ContestRow& row) { text = row.status; });
    return text;
  };
  EXPECT_EQ(status(ContestMeasure::published), "solved");
  EXPECT_EQ(status(ContestMeasure::natural_map), "inaccurate");
  EXPECT_EQ(status(ContestMeasure::both), "inaccurate");
  problem.problem = LcpProblem{DenseMatrix{{1e4}}, Vector{{-3500.0}}};
  EXPECT_EQ(status(ContestMeasure::published), "inaccurate");
}

// minimize 1/2 x^2 with x >= 1: x = 1, y = 1.
ContestProblem above_one() {
  Problem problem{.A = DenseMatrix{{1.0}}, .b = Vector{{0.0}}, .K = ProductSet::free(1)};
  problem.rows = LinearRows{.G = std::make_shared<const CsrMatrix>(csr_from_dense(DenseMatrix{{1.0}})),
                            .lower = Vector{{1.0}},
                            .upper = Vector{{infinity}}};
  return {"above one", problem};
}

TEST(Judge, QpsWithTheirMultipliers) {
  const ContestProblem problem = above_one();
  EXPECT_EQ(judge(problem, Vector{{1.0}}, Vector{{1.0}}).natural_map, 0.0);
  EXPECT_EQ(judge(problem, Vector{{1.0}}, Vector{{1.0}}).published, 0.0);
  EXPECT_GT(judge(problem, Vector{{1.0}}, Vector{{0.5}}).natural_map, 0.1);
  // x = 2 with y = 2: the gap y (x - 1) is 2, and so is the objective.
  EXPECT_EQ(judge(problem, Vector{{2.0}}, Vector{{2.0}}).published, 1.0);
  EXPECT_TRUE(std::isnan(judge(problem, Vector{{1.0}}).natural_map)) << "no multipliers";
  EXPECT_TRUE(std::isnan(judge(problem, Vector(0), Vector{{1.0}}).natural_map)) << "no answer";
}

// Answers x = 1.1, whatever is asked.
class Pretender : public Attempt {
 public:
  explicit Pretender(bool honest) : honest_(honest) {}
  void solve(double /*tolerance*/) override {}
  const Vector& answer() const override { return x_; }
  const Vector& multipliers() const override { return y_; }
  bool calls_solved() const override { return !honest_; }

 private:
  bool honest_;
  Vector x_ = Vector{{1.1}};
  Vector y_ = Vector{{1.0}};
};

TEST(RunContest, AWrongAnswerThatIsCalledSolvedIsRefuted) {
  const auto pretender = [](const char* name, bool ours, bool honest) {
    return Contestant{name, ours, false, [](const ContestProblem&) { return true; },
                      [honest](const ContestProblem&) { return std::make_unique<Pretender>(honest); }};
  };
  std::vector<std::string> status;
  run_contest(above_one(),
              {pretender("ours", true, false), pretender("ours, honest", true, true),
               pretender("peer", false, false), pretender("peer, honest", false, true)},
              {.tolerances = {1e-6}, .measure = ContestMeasure::natural_map, .repetitions = 1},
              [&](const ContestRow& row) { status.push_back(row.status); });
  EXPECT_EQ(status, (std::vector<std::string>{"refuted", "inaccurate", "refuted", "inaccurate"}));
}

// Shows the matrix and the right-hand side that it was given.
class Mirror : public Attempt {
 public:
  explicit Mirror(const ContestProblem& problem) {
    const auto& lcp = std::get<LcpProblem>(problem.problem);
    shown_ = Vector{{lcp.M.entry(0, 0), lcp.q[0]}};
  }
  void solve(double /*tolerance*/) override {}
  const Vector& answer() const override { return shown_; }

 private:
  Vector shown_;
};

TEST(NewMatrices, EverySolveHasAnotherMatrixAndLoad) {
  const Contestant mirror{"mirror", false, false, [](const ContestProblem&) { return true; },
                          [](const ContestProblem& problem) { return std::make_unique<Mirror>(problem); }};
  const auto attempt = with_new_matrices(mirror).prepare(half());
  Vector before = Vector::Zero(2);
  for (int k = 0; k < 4; ++k) {
    attempt->solve(1e-8);
    EXPECT_NE(attempt->answer()[0], before[0]);
    EXPECT_NE(attempt->answer()[1], before[1]);
    EXPECT_LE((attempt->answer() - Vector{{2.0, -1.0}}).norm(), 1e-11);
    before = attempt->answer();
  }
}

}  // namespace slipstick::internal::bench::worker_test
