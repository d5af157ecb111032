// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solve/solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::solver_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// A method that answers what it is told, and believes what it is told.
class Oracle : public Solver {
 public:
  std::string explain_unsupported(const Problem&) const override { return refusal; }

  std::string refusal;
  Vector answer;
  Status belief = Status::solved;
  std::string message;
  std::function<void(const Vector& start, const WarmStart* warm_start)> inspect;

 protected:
  void run(const Run& run) override {
    run.start();
    if (inspect) inspect(run.result.x, run.warm_start);
    run.result.x = answer;
    run.result.status = belief;
    run.result.message = message;
  }
};

// Solution (1, 0), w = (0, 3).
Problem small_problem() {
  return {mat({{2, 1}, {1, 2}}), vec({-2, 2}), ProductSet::nonnegative(2)};
}

Result run_oracle(Oracle& oracle, const Problem& problem, const Settings& settings = {}) {
  Result result;
  oracle.solve(problem, settings, result);
  return result;
}

TEST(Solver, SolvedIsWhatTheMeasureSays) {
  Oracle oracle;
  oracle.answer = vec({1, 0});
  // Whatever the method believes, a solution is one.
  for (const Status belief : {Status::not_run, Status::solved, Status::iteration_limit, Status::time_limit,
                              Status::stalled, Status::infeasible, Status::cancelled}) {
    oracle.belief = belief;
    const Result result = run_oracle(oracle, small_problem());
    EXPECT_EQ(result.status, Status::solved) << name(belief);
    EXPECT_TRUE(result.solved());
    EXPECT_EQ(result.w, vec({0, 3}));
    EXPECT_EQ(result.measures.scaled_natural_map, 0.0);
    EXPECT_EQ(result.counts.products, 1);
    EXPECT_GE(result.seconds, 0.0);
    EXPECT_EQ(result.message, "");
  }
}

TEST(Solver, WrongAnswersAreNotSolved) {
  Oracle oracle;
  oracle.answer = vec({0.5, 0});
  const std::pair<Status, Status> outcomes[] = {
      {Status::solved, Status::stalled},        {Status::not_run, Status::stalled},
      {Status::stalled, Status::stalled},       {Status::iteration_limit, Status::iteration_limit},
      {Status::time_limit, Status::time_limit}, {Status::infeasible, Status::infeasible},
      {Status::unbounded, Status::unbounded},   {Status::cancelled, Status::cancelled}};
  for (const auto& [belief, expected] : outcomes) {
    oracle.belief = belief;
    EXPECT_EQ(run_oracle(oracle, small_problem()).status, expected) << name(belief);
  }
}

TEST(Solver, TheToleranceDecides) {
  Oracle oracle;
  oracle.answer = vec({1.0 + 1e-6, 0});
  Settings settings{.tolerance = 1e-5};
  EXPECT_EQ(run_oracle(oracle, small_problem(), settings).status, Status::solved);
  settings.tolerance = 1e-7;
  EXPECT_EQ(run_oracle(oracle, small_problem(), settings).status, Status::stalled);
}

TEST(Solver, NotANumberIsANumericalError) {
  Oracle oracle;
  for (const double bad : {nan, std::numeric_limits<double>::infinity(), 1e300}) {
    for (const Status belief : {Status::solved, Status::iteration_limit}) {
      oracle.belief = belief;
      oracle.answer = vec({1, bad});
      EXPECT_EQ(run_oracle(oracle, small_problem()).status, Status::numerical_error) << bad;
    }
  }
}

TEST(Solver, NothingToDivideByIsNoNumericalError) {
  Oracle oracle;
  Problem problem = small_problem();
  problem.b.setZero();
  oracle.answer = vec({1, 0});
  oracle.belief = Status::iteration_limit;
  EXPECT_EQ(run_oracle(oracle, problem).status, Status::iteration_limit);
  oracle.answer = vec({0, 0});
  EXPECT_EQ(run_oracle(oracle, problem).status, Status::solved);
}

TEST(Solver, MessagesOfTheMethodStayWhereTheJudgeAgrees) {
  Oracle oracle;
  oracle.message = "three pivots";
  oracle.answer = vec({1, 0});
  EXPECT_EQ(run_oracle(oracle, small_problem()).message, "three pivots");
  oracle.answer = vec({0, 0});
  EXPECT_EQ(run_oracle(oracle, small_problem()).message, "");
}

TEST(Solver, UnsupportedProblemsAreNotTouched) {
  Oracle oracle;
  oracle.refusal = "no odd numbers";
  oracle.inspect = [](const Vector&, const WarmStart*) { ADD_FAILURE() << "the method was run"; };
  Result result;
  result.x = vec({nan, nan, nan});
  result.measures.scaled_natural_map = 0.0;
  result.counts.iterations = 7;
  oracle.solve(small_problem(), {}, result);
  EXPECT_EQ(result.status, Status::unsupported);
  EXPECT_EQ(result.message, "no odd numbers");
  EXPECT_EQ(result.x, vec({0, 0}));
  EXPECT_EQ(result.w, vec({0, 0}));
  EXPECT_TRUE(std::isnan(result.measures.scaled_natural_map));
  EXPECT_EQ(result.counts.iterations, 0);
}

TEST(Solver, WarmStartsThatFitAreProjectedAndUsed) {
  Oracle oracle;
  oracle.answer = vec({1, 0});
  Result result;
  WarmStart warm;
  int runs = 0;
  const auto solve = [&](const Vector& start, const Vector& expected, bool used) {
    oracle.inspect = [&](const Vector& x, const WarmStart* given) {
      ++runs;
      EXPECT_EQ(x, expected);
      EXPECT_EQ(given != nullptr, used);
    };
    warm.x = start;
    oracle.solve(small_problem(), {}, result, &warm);
  };
  solve(vec({3, -1}), vec({3, 0}), true);
  solve(vec({3, 1, 2}), vec({0, 0}), false);
  solve(Vector(0), vec({0, 0}), false);
  solve(vec({3, nan}), vec({0, 0}), false);
  EXPECT_EQ(runs, 4);
}

TEST(Solver, ColdStartIsTheNearestPointToTheOrigin) {
  Oracle oracle;
  oracle.answer = vec({1, 2});
  oracle.inspect = [](const Vector& x, const WarmStart*) { EXPECT_EQ(x, vec({1, -2})); };
  Problem problem = small_problem();
  problem.K = ProductSet::box(vec({1, -3}), vec({2, -2}));
  run_oracle(oracle, problem);
}

TEST(Solver, LinearRowsHaveMultipliers) {
  Oracle oracle;
  Problem problem = small_problem();
  problem.rows =
      LinearRows{std::make_shared<const CsrMatrix>(csr_from_dense(mat({{1, 1}}))), vec({-1}), vec({5})};
  oracle.answer = vec({1, 0});
  Result result;
  result.multipliers = vec({9, 9, 9});  // of an earlier problem
  oracle.solve(problem, {}, result);
  EXPECT_EQ(result.multipliers, vec({0}));
  EXPECT_EQ(result.status, Status::solved);
  oracle.solve(small_problem(), {}, result);
  EXPECT_EQ(result.multipliers.size(), 0);
}

TEST(Solver, BadSettingsThrow) {
  Oracle oracle;
  oracle.answer = vec({1, 0});
  EXPECT_THROW(run_oracle(oracle, small_problem(), Settings{.threads = 0}), Error);
}

// A method with a proper loop: one half step towards the solution of small_problem per iteration.
class Halving : public Solver {
 public:
  std::string explain_unsupported(const Problem&) const override { return {}; }

 protected:
  void run(const Run& run) override {
    run.start();
    Vector& x = run.result.x;
    Vector& w = run.result.w;
    Monitor monitor(run.settings, 100, run.observer);
    for (;;) {
      run.gradient(x, w);
      if (monitor.finished(run.ruler(x, w), x)) break;
      x[0] = 0.5 * (x[0] + 1.0);
      x[1] = 0.5 * x[1];
    }
    run.finish(monitor);
  }
};

TEST(Solver, ALoopEndsWithItsMonitor) {
  Halving solver;
  Result result;
  solver.solve(small_problem(), {}, result);
  EXPECT_EQ(result.status, Status::solved);
  EXPECT_EQ(result.counts.products, result.counts.iterations + 2);
  EXPECT_GT(result.counts.iterations, 20);
  History history;
  solver.solve(small_problem(), {.max_iterations = 5}, result, nullptr, &history);
  EXPECT_EQ(result.status, Status::iteration_limit);
  EXPECT_EQ(result.counts.iterations, 5);
  EXPECT_EQ(history.entries.size(), 6u);
  EXPECT_EQ(history.entries.back().error, result.measures.scaled_natural_map);
}

TEST(Solver, ASecondSolveAllocatesNothing) {
  Halving solver;
  Result result;
  const Problem problem = small_problem();
  solver.solve(problem, {.max_iterations = 1}, result);
  const std::size_t before = allocations();
  solver.solve(problem, {}, result);
  EXPECT_EQ(allocations() - before, 0u);
}

TEST(Solver, ExplainsNeeds) {
  Problem problem = small_problem();
  const Needs all{.sets = Needs::bounds, .symmetry = true};
  EXPECT_EQ(explain_needs(problem, "pgs", all), "");
  problem.A = mat({{2, 1}, {0, 2}});
  problem.symmetric = false;
  EXPECT_EQ(explain_needs(problem, "pgs", all),
            "pgs needs a symmetric matrix, and its asymmetry is 5.00e-01 of the largest entry");
  problem.K = ProductSet::cones(vec({0.5}), 2);
  EXPECT_EQ(explain_needs(problem, "pgs", all), "pgs takes bounds only, and the rows from 0 on form a cone");
  EXPECT_EQ(explain_needs(problem, "kucera", {.sets = Needs::bounds_or_cones}), "");
  problem.K.append_disk(1.0, 2);
  EXPECT_EQ(explain_needs(problem, "kucera", {.sets = Needs::bounds_or_cones}),
            "kucera takes bounds and friction cones only, and the rows from 2 on form a disk");
  problem.rows =
      LinearRows{std::make_shared<const CsrMatrix>(CsrMatrix(3, 2)), Vector::Zero(3), Vector::Zero(3)};
  EXPECT_EQ(explain_needs(problem, "pgs", all), "pgs takes no linear rows, and the problem has 3");
  EXPECT_EQ(explain_needs(problem, "pgs", {.no_linear_rows = false}), "");
}

TEST(Status, Names) {
  EXPECT_EQ(name(Status::not_run), "not_run");
  EXPECT_EQ(name(Status::solved), "solved");
  EXPECT_EQ(name(Status::unsupported), "unsupported");
  EXPECT_EQ(name(Status::numerical_error), "numerical_error");
}

}  // namespace slipstick::internal::solver_test
