// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/interior_point.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/solvers/cone_cases.hpp"

namespace slipstick::internal::interior_point_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Opens what the methods share to a test, which takes the place of the method.
class Probe : public InteriorPoint {
 public:
  using InteriorPoint::best_;
  using InteriorPoint::find_margin;
  using InteriorPoint::gradient_;
  using InteriorPoint::is_unbounded;
  using InteriorPoint::judge;
  using InteriorPoint::judge_start;
  using InteriorPoint::margin_;
  using InteriorPoint::w_;
  using InteriorPoint::x_;
  using Body = std::function<void(Probe&, const Run&)>;

  std::string explain_unsupported(const Problem&) const override { return {}; }
  static Result with(const Problem& problem, const Body& body, const WarmStart* start = nullptr) {
    Probe probe;
    probe.body_ = body;
    return solve_with(probe, problem, 1e-10, start);
  }
  // judge_start and find_margin of a fresh run.
  ConeUnknowns begin(const Run& run, Index degree, Vector& y) {
    Monitor monitor(run.settings, 10, nullptr);
    EXPECT_FALSE(judge_start(run, monitor));
    ConeUnknowns unknowns;
    unknowns.prepare(run.problem, run.ruler.scale());
    y = Vector::Constant(unknowns.size(), nan);
    find_margin(run, unknowns, degree, y);
    return unknowns;
  }

 protected:
  void run(const Run& run) override { body_(*this, run); }
  int default_max_iterations() const override { return 10; }
  void start(const Run&, bool) override {}
  void follow_path(const Run&, Monitor&) override {}

 private:
  Body body_;
};

Problem two_rows(const DenseMatrix& A, const Vector& b) {
  return {csr_from_dense(A), b, ProductSet::nonnegative(2)};
}

TEST(InteriorPoint, JudgesByTheRuler) {
  const Problem problem = two_rows(mat({{2, 1}, {1, 2}}), vec({-2, 2}));
  Probe::with(problem, [](Probe& probe, const auto& run) {
    probe.w_.resize(2);
    EXPECT_EQ(probe.judge(run, vec({1, 0})), 0.0);
    EXPECT_EQ(probe.w_, vec({0, 3}));
    // d e = w if w < 0, otherwise min(w, d x) = 0.
    EXPECT_NEAR(probe.judge(run, vec({0, 0})), 2.0 / std::sqrt(8.0), 1e-15);
    EXPECT_EQ(probe.w_, vec({-2, 2}));
    EXPECT_EQ(run.result.counts.products, 2);
  });
}

TEST(InteriorPoint, ASolutionIsTakenAsItIs) {
  const Problem problem = two_rows(mat({{2, 1}, {1, 2}}), vec({-2, 2}));
  const WarmStart start{vec({1, -4})};  // projected: (1, 0)
  const Result result = Probe::with(
      problem,
      [](Probe& probe, const auto& run) {
        Monitor monitor(run.settings, 10, nullptr);
        EXPECT_TRUE(probe.judge_start(run, monitor));
        EXPECT_EQ(monitor.status(), Status::solved);
        EXPECT_EQ(monitor.iterations(), 0);
        EXPECT_EQ(probe.best_.x(), vec({1, 0}));
        run.finish(monitor);
      },
      &start);
  EXPECT_TRUE(result.solved());
  EXPECT_EQ(result.x, vec({1, 0}));
}

TEST(InteriorPoint, AnyOtherStartIsOfferedAsAnAnswer) {
  const Problem problem = two_rows(mat({{2, 1}, {1, 2}}), vec({-2, 2}));
  Probe::with(problem, [](Probe& probe, const auto& run) {
    Monitor monitor(run.settings, 10, nullptr);
    EXPECT_FALSE(probe.judge_start(run, monitor));
    EXPECT_EQ(monitor.status(), Status::not_run);
    EXPECT_EQ(monitor.iterations(), 0);
    EXPECT_EQ(probe.best_.x(), vec({0, 0}));
    EXPECT_EQ(probe.x_, vec({0, 0}));
  });
}

// Rows 0 and 1 start at 2 and 3; d = (4, 9), so S = diag(1/2, 1/3).
TEST(InteriorPoint, MarginIsTheGradientPerBarrierFunction) {
  Problem problem = two_rows(mat({{4, 0}, {0, 9}}), vec({-2, -9}));
  problem.K = ProductSet::box(vec({1, 0}), vec({infinity, infinity}));
  const WarmStart start{vec({2, 3})};
  Probe::with(
      problem,
      [](Probe& probe, const auto& run) {
        Vector y;
        probe.begin(run, 4, y);
        // At the start w = (6, 18) and S w = (3, 6).
        EXPECT_NEAR(probe.margin_, std::sqrt(45.0 / 4.0), 1e-14);
        EXPECT_LT((y - vec({2, 9})).norm(), 1e-14);
        // At y = 0, x = (1, 0): w = (2, -9).
        EXPECT_EQ(probe.x_, vec({1, 0}));
        EXPECT_LT((probe.gradient_ - vec({1, -3})).norm(), 1e-14);
      },
      &start);
}

TEST(InteriorPoint, MarginWithoutGradientOrBarrier) {
  Problem problem = two_rows(mat({{4, 0}, {0, 9}}), vec({-2, -9}));
  problem.K = ProductSet::free(2);
  Probe::with(problem, [](Probe& probe, const auto& run) {
    Vector y;
    probe.begin(run, 0, y);
    EXPECT_NEAR(probe.margin_, std::sqrt(10.0), 1e-14);
  });
  // The load acts on a fixed row alone.
  problem.b = vec({0, -9});
  problem.K = ProductSet::box(vec({1, 2}), vec({infinity, 2}));
  problem.A = csr_from_dense(mat({{0, 0}, {0, 9}}));
  Probe::with(problem, [](Probe& probe, const auto& run) {
    ConeUnknowns unknowns;
    unknowns.prepare(run.problem, run.ruler.scale());
    Vector y(1);
    Monitor monitor(run.settings, 10, nullptr);
    probe.judge_start(run, monitor);
    probe.find_margin(run, unknowns, 1, y);
    EXPECT_EQ(probe.margin_, 1.0);
  });
}

// Whether y proves that there is no solution.
bool proves(const Problem& problem, const Vector& y) {
  bool answer = false;
  Probe::with(problem, [&](Probe& probe, const auto& run) {
    Vector ignored;
    const ConeUnknowns unknowns = probe.begin(run, 1, ignored);
    answer = probe.is_unbounded(run, unknowns, y);
  });
  return answer;
}

TEST(InteriorPoint, ProvesThatThereIsNoSolution) {
  const DenseMatrix walls = mat({{1, -1}, {-1, 1}});
  const Vector far = vec({1e10, 1e10});
  EXPECT_TRUE(proves(two_rows(walls, vec({-1, -1})), far));
  EXPECT_TRUE(proves(two_rows(walls, vec({-1, 0.5})), far));
  // Not far enough; along a direction that the load does not push; one that A resists.
  EXPECT_FALSE(proves(two_rows(walls, vec({-1, -1})), 1e-2 * far));
  EXPECT_FALSE(proves(two_rows(walls, vec({-1, 2})), far));
  EXPECT_FALSE(proves(two_rows(mat({{1, 0}, {0, 1}}), vec({-1, -1})), far));
  EXPECT_FALSE(proves(two_rows(walls, vec({-1, -1})), vec({1e10, 1.1e10})));
}

// Growth along a row with two bounds is no direction of K.
TEST(InteriorPoint, RowsWithTwoBoundsProveNothing) {
  Problem problem = two_rows(mat({{0, 0}, {0, 0}}), vec({-1, -1}));
  problem.K = ProductSet::box(vec({0, 0}), vec({2, infinity}));
  EXPECT_TRUE(proves(problem, vec({1, 1e10})));
  problem.b = vec({-1, 1});
  EXPECT_FALSE(proves(problem, vec({1e12, 1e10})));
  // Nor does it disturb the direction of the others.
  problem.A = csr_from_dense(mat({{1, 0}, {0, 0}}));
  problem.b = vec({-1, -1});
  EXPECT_TRUE(proves(problem, vec({10, 1e10})));
}

// d = (1, 1e4) makes the second row of S A d 1/2. In A d it is 50.
TEST(InteriorPoint, ResistanceIsMeasuredInTheUnitsOfTheUnknowns) {
  EXPECT_TRUE(proves(two_rows(mat({{0, 0}, {0, 1e4}}), vec({-1, 0})), vec({1e10, 0.5})));
  EXPECT_FALSE(proves(two_rows(mat({{0, 0}, {0, 1e4}}), vec({-1, 0})), vec({1e10, 50})));
}

// A row that is bounded from above falls without end if its load is positive.
TEST(InteriorPoint, ReflectedRowsProveInTheirDirection) {
  Problem problem = two_rows(mat({{0, 0}, {0, 1}}), vec({1, 0}));
  problem.K = ProductSet::box(vec({-infinity, 0}), vec({0, infinity}));
  EXPECT_TRUE(proves(problem, vec({1e10, 0})));
  problem.K = ProductSet::box(vec({-infinity, -infinity}), vec({infinity, infinity}));
  EXPECT_TRUE(proves(problem, vec({-1e10, 0})));
  EXPECT_FALSE(proves(problem, vec({1e10, 0})));
}

}  // namespace slipstick::internal::interior_point_test
