// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/sweeps/sweep_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include "tests/solvers/box_cases.hpp"

namespace slipstick::internal::sweep_solver_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Opens the rows and the stop rule to a test, which takes the place of the sweeps.
class Probe : public SweepSolver {
 public:
  using SweepSolver::begin;
  using SweepSolver::calibration;
  using SweepSolver::conclude;
  using SweepSolver::due;
  using SweepSolver::finished;
  using SweepSolver::relax;
  using SweepSolver::rows_;
  using SweepSolver::w_;
  using Body = std::function<void(Probe&, const Run&, Monitor&)>;

  explicit Probe(const Needs& needs = {.sets = Needs::bounds}) : SweepSolver("probe", needs) {}
  static Result with(const Problem& problem, const Body& body, const WarmStart* start = nullptr) {
    Probe probe;
    probe.body_ = body;
    return solve_with(probe, problem, 1e-6, start);
  }

 protected:
  void run(const Run& run) override {
    Monitor monitor(run.settings, default_max_sweeps, run.observer);
    begin(run, monitor);
    body_(*this, run, monitor);
    conclude(run, monitor);
  }

 private:
  Body body_;
};

// Solution (1, 0), w = (0, 3).
Problem small() {
  return box_cases::lcp(mat({{2, 1}, {1, 2}}), vec({-2, 2}));
}

TEST(SweepSolver, NeedsWhatItsMethodNeeds) {
  Problem problem = small();
  const Probe plain, symmetric({.symmetry = true}), any({.sets = Needs::any});
  for (const Probe* probe : {&plain, &symmetric, &any}) EXPECT_EQ(probe->explain_unsupported(problem), "");
  problem.symmetric = false;
  EXPECT_EQ(plain.explain_unsupported(problem), "");
  EXPECT_NE(symmetric.explain_unsupported(problem).find("symmetric"), std::string::npos);
  problem.symmetric = true;
  problem.K = ProductSet::cones(vec({0.5}), 2);
  EXPECT_NE(plain.explain_unsupported(problem).find("cone"), std::string::npos);
  EXPECT_EQ(any.explain_unsupported(problem), "");
  problem.rows = LinearRows{std::make_shared<CsrMatrix>(1, 2), vec({0}), vec({0})};
  EXPECT_NE(any.explain_unsupported(problem).find("probe takes no linear rows, and the problem has 1"),
            std::string::npos);
}

TEST(SweepSolver, FreeRowsNeedADiagonalOrNothingAtAll) {
  const Probe probe;
  const auto reason = [&](const DenseMatrix& A, double lower, double upper) {
    return probe.explain_unsupported(box_cases::make(A, vec({1, 1}), lower, upper));
  };
  const DenseMatrix swap = mat({{0, 1}, {1, 0}});
  EXPECT_NE(reason(swap, -infinity, infinity).find("row 0, which is free, is 0"), std::string::npos);
  EXPECT_NE(reason(mat({{1, 0}, {0, -3}}), -infinity, infinity).find("row 1, which is free, is -3"),
            std::string::npos);
  EXPECT_EQ(reason(swap, 0.0, infinity), "");
  EXPECT_EQ(reason(swap, -infinity, 0.0), "");
  EXPECT_EQ(reason(mat({{1, 0}, {0, 0}}), -infinity, infinity), "");
}

TEST(SweepSolver, RowsByHand) {
  // Row 2 has no diagonal, row 3 a negative one, row 4 is empty and goes to its upper bound.
  DenseMatrix A = DenseMatrix::Zero(5, 5);
  A.diagonal() = vec({2, 4, 0, -1, 0});
  A(2, 0) = A(0, 2) = 1.0;
  const Problem problem =
      box_cases::make(A, vec({3, 0, 0, 0, -4}), vec({0, 0, 0, 0, 0}), vec({infinity, 9, 9, 9, 7}));
  const WarmStart start{vec({5, 20, 1, 1, 1})};
  Probe::with(
      problem,
      [&](Probe& probe, const auto& run, Monitor& monitor) {
        EXPECT_EQ(monitor.status(), Status::not_run);
        EXPECT_EQ(run.result.x, vec({5, 9, 1, 1, 7}));
        EXPECT_EQ(probe.rows_.step, vec({0.5, 0.25, 0, 0, 0}));
        // d / ||b||, with 1 for the d that are not positive.
        EXPECT_LT((probe.rows_.weight - vec({0.4, 0.8, 0.2, 0.2, 0.2})).norm(), 1e-15);
        EXPECT_EQ(probe.rows_.b, run.problem.b.data());
        EXPECT_EQ(probe.rows_.upper[4], 7.0);
        EXPECT_EQ(probe.rows_.lower[4], 0.0);
        probe.relax(0.5);
        EXPECT_EQ(probe.rows_.step, vec({0.25, 0.125, 0, 0, 0}));
        EXPECT_LT((probe.rows_.weight - vec({0.8, 1.6, 0.4, 0.4, 0.4})).norm(), 1e-15);
      },
      &start);
}

TEST(SweepSolver, WithoutALoadTheStartIsTheNearestPoint) {
  Problem problem = small();
  problem.b.setZero();
  const WarmStart start{vec({5, 5})};
  const Result result = Probe::with(
      problem,
      [&](Probe& probe, const auto& run, Monitor& monitor) {
        EXPECT_EQ(run.result.x, vec({0, 0}));
        EXPECT_EQ(probe.rows_.weight, vec({2, 2}));
        EXPECT_TRUE(probe.finished(run, monitor));
      },
      &start);
  EXPECT_TRUE(result.solved());
}

TEST(SweepSolver, AnEmptyRowWithoutItsBoundEndsAtOnce) {
  Problem problem = box_cases::lcp(mat({{1, 0}, {0, 0}}), vec({-1, -1}));
  const auto at_once = [&](Probe& probe, const auto& run, Monitor& monitor) {
    EXPECT_TRUE(probe.finished(run, monitor));
  };
  Result result = Probe::with(problem, at_once);
  EXPECT_EQ(result.status, Status::unbounded);
  EXPECT_NE(result.message.find("row 1"), std::string::npos) << result.message;
  problem.symmetric = false;
  EXPECT_EQ(Probe::with(problem, at_once).status, Status::infeasible);
}

TEST(SweepSolver, ChecksAskTheRuler) {
  Probe::with(small(), [](Probe& probe, const auto& run, Monitor& monitor) {
    EXPECT_FALSE(probe.finished(run, monitor));
    EXPECT_EQ(probe.w_, vec({-2, 2}));
    EXPECT_EQ(run.result.counts.products, 1);
    EXPECT_EQ(monitor.iterations(), 1);
    run.result.x = vec({1, 0});
    EXPECT_TRUE(probe.finished(run, monitor));
    EXPECT_EQ(monitor.status(), Status::solved);
    EXPECT_EQ(probe.w_, vec({0, 3}));
  });
}

TEST(SweepSolver, TheBestIterateIsTheAnswer) {
  const Result result = Probe::with(small(), [](Probe& probe, const auto& run, Monitor& monitor) {
    for (const double x : {0.5, 0.9, 3.0}) {
      run.result.x = vec({x, 0});
      probe.finished(run, monitor);
    }
  });
  EXPECT_EQ(result.x, vec({0.9, 0}));
  EXPECT_EQ(result.status, Status::stalled);  // a method that says nothing
}

TEST(SweepSolver, ChecksAreDueEveryFiftySweeps) {
  Probe::with(small(), [](Probe& probe, const auto& run, Monitor& monitor) {
    for (int round = 0; round < 2; ++round) {
      EXPECT_FALSE(probe.finished(run, monitor));
      for (int sweep = 1; sweep < 50; ++sweep) ASSERT_FALSE(probe.due(0.5, run, monitor)) << sweep;
      EXPECT_TRUE(probe.due(0.5, run, monitor));
    }
    EXPECT_EQ(monitor.iterations(), 100);
  });
}

TEST(SweepSolver, AndWhereTheEstimatePromisesTheTolerance) {
  Probe::with(small(), [](Probe& probe, const auto& run, Monitor& monitor) {
    EXPECT_FALSE(probe.finished(run, monitor));
    EXPECT_EQ(probe.calibration(), 1.0);
    EXPECT_FALSE(probe.due(1.1e-6, run, monitor));
    EXPECT_TRUE(probe.due(0.9e-6, run, monitor));
    // The true error is 1 / sqrt 2, so the next estimate must be that much smaller.
    EXPECT_FALSE(probe.finished(run, monitor));
    const double ratio = 1.0 / std::sqrt(2.0) / 0.9e-6;
    EXPECT_NEAR(probe.calibration(), ratio, 1e-9 * ratio);
    EXPECT_FALSE(probe.due(0.9e-6, run, monitor));
    EXPECT_TRUE(probe.due(0.9e-6 / ratio, run, monitor));
  });
}

TEST(SweepSolver, GrowthOfTheEstimateIsDivergence) {
  for (const double estimate : {1.01e8, infinity, nan}) {
    const Result result = Probe::with(small(), [&](Probe& probe, const auto& run, Monitor& monitor) {
      EXPECT_FALSE(probe.finished(run, monitor));
      EXPECT_FALSE(probe.due(0.99e8, run, monitor));
      EXPECT_TRUE(probe.due(estimate, run, monitor));
      EXPECT_TRUE(probe.finished(run, monitor));
    });
    EXPECT_EQ(result.status, Status::stalled);
    EXPECT_NE(result.message.find("diverged after 2 sweeps"), std::string::npos) << result.message;
    EXPECT_EQ(result.x, vec({0, 0}));
  }
}

// From a start with an error of 1e4, growth counts from there.
TEST(SweepSolver, DivergenceIsRelativeToTheStart) {
  const WarmStart start{vec({1e4, 1e4})};
  Probe::with(
      small(),
      [](Probe& probe, const auto& run, Monitor& monitor) {
        EXPECT_FALSE(probe.finished(run, monitor));
        EXPECT_FALSE(probe.due(1e11, run, monitor));
        EXPECT_TRUE(probe.due(1e14, run, monitor));
      },
      &start);
}

TEST(SweepSolver, NothingMovesAnyMore) {
  const Result result = Probe::with(small(), [](Probe& probe, const auto& run, Monitor& monitor) {
    EXPECT_FALSE(probe.finished(run, monitor));
    EXPECT_TRUE(probe.due(0.0, run, monitor));
    EXPECT_TRUE(probe.finished(run, monitor));
  });
  EXPECT_EQ(result.status, Status::stalled);
}

TEST(SweepSolver, ACycleEndsAfterTwoThousandChecks) {
  int checks = 0;
  const Result result = Probe::with(small(), [&](Probe& probe, const auto& run, Monitor& monitor) {
    while (!probe.finished(run, monitor)) {
      ++checks;
      run.result.x[1] = checks % 2;
      probe.due(0.5, run, monitor);
    }
  });
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_EQ(checks, 2000);
  EXPECT_EQ(result.x, vec({0, 0}));
}

// A = [1, -1; -1, 1] with both walls closing: x grows along (1, 1).
TEST(SweepSolver, ASteadyDriftIsAProof) {
  const auto drift = [](const Problem& problem, const Vector& direction) {
    return Probe::with(problem,
                       [&](Probe& probe, const auto& run, Monitor& monitor) {
                         EXPECT_FALSE(probe.finished(run, monitor));
                         run.result.x += direction;
                         probe.due(0.5, run, monitor);
                         probe.finished(run, monitor);
                       })
        .status;
  };
  const DenseMatrix walls = mat({{1, -1}, {-1, 1}});
  Problem closing = box_cases::lcp(walls, vec({-1, -1}));
  EXPECT_EQ(drift(closing, vec({3, 3})), Status::unbounded);
  // Along a direction that A resists, that the load does not push, or that ends at a bound.
  EXPECT_EQ(drift(closing, vec({3, 4})), Status::stalled);
  EXPECT_EQ(drift(box_cases::lcp(walls, vec({-1, 2})), vec({3, 3})), Status::stalled);
  EXPECT_EQ(drift(box_cases::make(walls, vec({-1, -1}), 0, 5), vec({3, 3})), Status::stalled);
  // Downwards if there is no lower bound.
  EXPECT_EQ(drift(box_cases::make(walls, vec({1, 1}), -infinity, 0), vec({-3, -3})), Status::unbounded);
  // Not without symmetry.
  closing.symmetric = false;
  EXPECT_EQ(drift(closing, vec({3, 3})), Status::stalled);
}

}  // namespace slipstick::internal::sweep_solver_test
