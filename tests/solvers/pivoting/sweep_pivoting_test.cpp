// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/sweep_pivoting.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/solvers/packed_pivoting.hpp"
#include "tests/support/allocation_counter.hpp"

namespace slipstick::sweep_pivoting_test {

using namespace box_cases;
using testing::CountingWatch;
using testing::expect_answer;
using testing::expect_closed_forms;
using testing::expect_no_answer_from_nan;
using testing::PackedPivoting;

class Sweeps : public PackedPivoting<SweepPivoting> {
 public:
  using PackedPivoting::PackedPivoting;
  PivotEnd solve(const Vector& b, const Vector* start = nullptr, PivotWatch* watch = nullptr) {
    return PackedPivoting::solve(b, 1e-13 * b.norm(), start, watch);
  }
};

TEST(SweepPivoting, ClosedForms) {
  expect_closed_forms<Sweeps>();
}

TEST(SweepPivoting, TwoBoundsFromBothSides) {
  Sweeps sweeps(make(mat({{1, 0.5}, {0.5, 1}}), vec({0, 0}), vec({-1, -1}), vec({1, 1})));
  const struct {
    Vector b, x;
  } cases[] = {{vec({5, 5}), vec({-1, -1})},   {vec({-5, -5}), vec({1, 1})},
               {vec({5, -5}), vec({-1, 1})},   {vec({-5, 5}), vec({1, -1})},
               {vec({-1, -0.5}), vec({1, 0})}, {vec({0, -0.75}), vec({-0.5, 1})}};
  for (const auto& [b, x] : cases) {
    EXPECT_EQ(sweeps.solve(b), PivotEnd::found) << b.transpose();
    EXPECT_LE((sweeps.x() - x).norm(), 1e-14) << b.transpose() << ": " << sweeps.x().transpose();
  }
}

// A chain of springs from the wall, pulled at its end: x_i = i + 1.
TEST(SweepPivoting, Chain) {
  for (const Index n : {1, 4, 5, 17, 26, 32}) {
    Problem problem = chain(n);
    problem.b.setZero();
    problem.b[n - 1] = -static_cast<double>(n + 1);
    Sweeps sweeps(problem);
    expect_answer(sweeps, problem, Vector::LinSpaced(n, 1.0, static_cast<double>(n)), 1e-12);
    problem.b *= -1.0;
    expect_answer(sweeps, problem, Vector::Zero(n), 0.0);
  }
}

TEST(SweepPivoting, SingularSetsLeadNowhere) {
  for (const Problem& problem :
       {lcp(DenseMatrix::Ones(20, 20), Vector::Constant(20, -1.0)), lcp(mat({{-1}}), vec({-1})),
        lcp(DenseMatrix::Zero(18, 18), Vector::Constant(18, -1.0)),
        make(DenseMatrix::Ones(2, 2), vec({1, 2}), -infinity, infinity)}) {
    Sweeps sweeps(problem);
    EXPECT_EQ(sweeps.solve(problem.b), PivotEnd::nowhere);
    EXPECT_TRUE(sweeps.x().allFinite());
  }
  Sweeps nothing_to_do(lcp(DenseMatrix::Zero(18, 18), Vector::Ones(18)));
  EXPECT_EQ(nothing_to_do.solve(Vector::Ones(18)), PivotEnd::found);
  EXPECT_EQ(nothing_to_do.x(), Vector::Zero(18));
}

TEST(SweepPivoting, NotANumberIsNoAnswer) {
  expect_no_answer_from_nan<Sweeps>();
}

TEST(SweepPivoting, KnownSolutionsOfEverySize) {
  for (Index rows = 1; rows <= SweepPivoting::most_rows; ++rows) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      RandomBoxOptions options;
      options.rows = rows;
      options.seed = seed;
      options.condition = seed % 2 == 0 ? 10.0 : 1e4;
      options.free = seed % 3 == 0 ? 0.3 : 0.0;
      options.two_sided = seed % 4 == 0 ? 0.5 : 0.0;
      options.fixed = seed % 5 == 0 ? 0.2 : 0.0;
      options.degenerate = seed % 7 == 0 ? 0.5 : 0.0;
      const KnownProblem known = seed % 6 == 1 ? random_lcp(options) : random_box(options);
      Sweeps sweeps(known.problem);
      expect_answer(sweeps, known.problem, known.x, 1e-8);
    }
  }
}

// One entry that differs by rounding makes it keep the whole of T.
TEST(SweepPivoting, HalfOfASymmetricTableauIsEnough) {
  for (const Index rows : {3, 9, 17, 26, 32}) {
    RandomBoxOptions options;
    options.rows = rows;
    options.two_sided = 0.4;
    options.free = 0.2;
    const Problem problem = random_box(options).problem;
    DenseMatrix nudged(*problem.A.assemble());
    ASSERT_EQ((nudged - nudged.transpose()).norm(), 0.0);
    nudged(0, rows - 1) = std::nextafter(nudged(rows - 1, 0), 1e300);
    const Problem whole = make(nudged, problem.b, problem.K.lower(), problem.K.upper());
    Sweeps by_half(problem), by_all(whole);
    ASSERT_EQ(by_half.solve(problem.b), PivotEnd::found);
    ASSERT_EQ(by_all.solve(problem.b), PivotEnd::found);
    EXPECT_EQ(by_half.sets(), by_all.sets());
    EXPECT_LE((by_half.x() - by_all.x()).norm(), 1e-12 * by_all.x().norm());
  }
}

// M is the identity and a skew part: w = M z + q has the solution that q is made from.
TEST(SweepPivoting, NotSymmetric) {
  for (const Index rows : {5, 18, 32}) {
    DenseMatrix m = random_matrix(rows, rows, 3);
    m = DenseMatrix::Identity(rows, rows) + 0.1 * (m - m.transpose().eval());
    Vector z = Vector::LinSpaced(rows, 1.0, 2.0), w = Vector::Zero(rows);
    for (Index i = 0; i < rows; i += 3) std::swap(z[i], w[i]);
    const Problem problem = lcp(m, w - m * z);
    Sweeps sweeps(problem);
    expect_answer(sweeps, problem, z, 1e-12);
  }
}

TEST(SweepPivoting, StartsWithTheSetGiven) {
  RandomBoxOptions options;
  options.rows = 25;
  options.two_sided = 0.4;
  options.free = 0.2;
  const KnownProblem known = random_box(options);
  Sweeps sweeps(known.problem);
  EXPECT_EQ(sweeps.solve(known.problem.b), PivotEnd::found);
  EXPECT_GT(sweeps.sets(), 1);
  const Vector x = sweeps.x();
  EXPECT_EQ(sweeps.solve(known.problem.b, &x), PivotEnd::found);
  EXPECT_EQ(sweeps.sets(), 1);
  EXPECT_LE((sweeps.x() - x).norm(), 1e-12 * x.norm());
}

// Every solve starts with A itself: the bits of an object of its own, and no allocations for the same size.
TEST(SweepPivoting, KeptObjectRepeatsBits) {
  for (const Index rows : {6, 17, 26, 32}) {
    RandomBoxOptions options;
    options.rows = rows;
    options.two_sided = 0.3;
    Problem problem = random_box(options).problem;
    options.seed = 2;
    const Problem other = random_box(options).problem;
    Sweeps kept(problem);
    for (int turn = 0; turn < 4; ++turn) {
      if (turn == 2) problem.K = ProductSet::nonnegative(rows);
      if (turn == 3) problem = other;
      problem.b *= turn == 1 ? -1.0 : 0.7;
      Sweeps fresh(problem);
      ASSERT_EQ(fresh.solve(problem.b), PivotEnd::found) << rows;
      const std::size_t before = allocations();
      kept.load(problem);
      ASSERT_EQ(kept.solve(problem.b), PivotEnd::found) << rows;
      EXPECT_EQ(allocations() - before, 0u) << rows << " " << turn;
      EXPECT_EQ(kept.x(), fresh.x()) << rows << " " << turn;
    }
  }
}

TEST(SweepPivoting, IsWatched) {
  const Problem problem = chain(20);
  Sweeps sweeps(problem);
  ASSERT_EQ(sweeps.solve(problem.b), PivotEnd::found);
  for (int calls = 0; calls < sweeps.sets(); ++calls) {
    CountingWatch count(calls);
    EXPECT_EQ(sweeps.solve(problem.b, nullptr, &count), PivotEnd::interrupted) << calls;
    EXPECT_GE(sweeps.x().minCoeff(), 0.0);
    ASSERT_EQ(sweeps.solve(problem.b), PivotEnd::found);
  }
}

}  // namespace slipstick::sweep_pivoting_test
