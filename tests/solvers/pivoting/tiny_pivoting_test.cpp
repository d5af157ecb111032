// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/tiny_pivoting.hpp"

#include <gtest/gtest.h>

#include "tests/solvers/packed_pivoting.hpp"
#include "tests/support/allocation_counter.hpp"

namespace slipstick::tiny_pivoting_test {

using namespace box_cases;
using testing::CountingWatch;
using testing::expect_answer;
using testing::expect_closed_forms;
using testing::expect_no_answer_from_nan;
using testing::PackedPivoting;
using End = PivotEnd;

class Tiny : public PackedPivoting<TinyPivoting> {
 public:
  using PackedPivoting::PackedPivoting;
  PivotEnd solve(const Vector& b, const Vector* start = nullptr, PivotWatch* watch = nullptr) {
    return PackedPivoting::solve(b, b.norm(), start, watch);
  }
};

TEST(TinyPivoting, ClosedForms) {
  expect_closed_forms<Tiny>();
}

TEST(TinyPivoting, TwoBoundsFromBothSides) {
  const Problem problem =
      make((DenseMatrix(2, 2) << 1, 0.5, -0.5, 1).finished(), vec({0, 0}), vec({-1, -1}), vec({1, 1}));
  Tiny tiny(problem);
  const struct {
    Vector b, x;
  } cases[] = {{vec({5, 5}), vec({-1, -1})},  {vec({-5, -5}), vec({1, 1})},  {vec({5, -5}), vec({-1, 1})},
               {vec({-5, 5}), vec({1, -1})},  {vec({-1, 0.5}), vec({1, 0})}, {vec({0, 1}), vec({0.4, -0.8})},
               {vec({-0.5, -5}), vec({0, 1})}};
  for (const auto& [b, x] : cases) {
    EXPECT_EQ(tiny.solve(b), End::found) << b.transpose();
    EXPECT_LE((tiny.x() - x).norm(), 1e-14) << b.transpose() << ": " << tiny.x().transpose();
  }
}

TEST(TinyPivoting, RowsThatCannotMove) {
  // Fixed rows may have any w.
  for (const double w : {-7.0, 7.0}) {
    Tiny tiny(one_row(2, w, 3, 3));
    EXPECT_EQ(tiny.solve(vec({w})), End::found);
    EXPECT_EQ(tiny.x(), vec({3}));
    EXPECT_EQ(tiny.sets(), 1);
  }
  // Without bounds it is a linear system, here one with a zero diagonal.
  Tiny tiny(make(mat({{0, 2}, {4, 0}}), vec({2, 4}), -infinity, infinity));
  EXPECT_EQ(tiny.solve(vec({2, 4})), End::found);
  EXPECT_EQ(tiny.x(), vec({-1, -1}));
}

TEST(TinyPivoting, EmptyRows) {
  Tiny tiny(lcp(DenseMatrix::Zero(3, 3), vec({1, 0, 2})));
  EXPECT_EQ(tiny.solve(vec({1, 0, 2})), End::found);
  EXPECT_EQ(tiny.x(), Vector::Zero(3));
  EXPECT_EQ(tiny.solve(vec({1, 0, -2})), End::nowhere);
  EXPECT_TRUE(tiny.x().allFinite());
}

// x1 + x2 = 1, in whatever shares.
TEST(TinyPivoting, SingularMatrix) {
  Tiny tiny(lcp(DenseMatrix::Ones(2, 2), vec({-1, -1})));
  EXPECT_EQ(tiny.solve(vec({-1, -1})), End::found);
  EXPECT_DOUBLE_EQ(tiny.x().sum(), 1.0);
  EXPECT_GE(tiny.x().minCoeff(), 0.0);
}

TEST(TinyPivoting, WithoutASolution) {
  for (const Problem& problem : {lcp(mat({{0, -1}, {1, 0}}), vec({-1, 1})), lcp(mat({{-1}}), vec({-1})),
                                 make(DenseMatrix::Ones(2, 2), vec({1, 2}), -infinity, infinity),
                                 lcp(DenseMatrix::Zero(9, 9), Vector::Constant(9, -1.0))}) {
    Tiny tiny(problem);
    EXPECT_EQ(tiny.solve(problem.b), End::nowhere);
    EXPECT_TRUE(tiny.x().allFinite());
    EXPECT_GT(tiny.sets(), 0);
  }
}

TEST(TinyPivoting, NotANumberIsNoAnswer) {
  expect_no_answer_from_nan<Tiny>();
}

// Blocks of rows go round in circles on these, single ones do not; on the last neither leads anywhere, and
// all sets are tried.
TEST(TinyPivoting, Circles) {
  for (const Index n : {1, 2, 5, 6, 11, 16}) {
    const Case murty = murtys_example(n);
    Tiny tiny(murty.problem);
    expect_answer(tiny, murty.problem, murty.x, 0.0);
  }
  const Case kostreva = kostrevas_example();
  Tiny tiny(kostreva.problem);
  expect_answer(tiny, kostreva.problem, kostreva.x, 1e-15);
  const Problem game = bimatrix_game();
  tiny.load(game);
  EXPECT_EQ(tiny.solve(game.b), End::found);
  EXPECT_LE(error_of(game, tiny.x()), 1e-14);
}

// All ways to put rows at bounds, one after another.
std::vector<Vector> all_solutions(const Problem& problem) {
  const Index n = problem.b.size();
  const DenseMatrix A = dense(problem.A);
  std::vector<Vector> solutions;
  Index ways = 1;
  for (Index i = 0; i < n; ++i) ways *= 3;
  for (Index way = 0; way < ways; ++way) {
    Vector x = Vector::Zero(n);
    std::vector<int> between;
    bool possible = true;
    Index digits = way;
    for (Index i = 0; i < n; ++i, digits /= 3) {
      if (digits % 3 == 2) between.push_back(static_cast<int>(i));
      if (digits % 3 != 2) x[i] = digits % 3 == 0 ? problem.K.lower()[i] : problem.K.upper()[i];
      possible = possible && std::isfinite(x[i]);
    }
    if (!possible) continue;
    if (!between.empty()) {
      const std::optional<Vector> inside = solve_linear(A(between, between), -(A * x + problem.b)(between));
      if (!inside) continue;
      x(between) = *inside;
    }
    const Vector w = A * x + problem.b;
    bool solves = true;
    digits = way;
    for (Index i = 0; i < n; ++i, digits /= 3) {
      const double slack = 1e-10;
      const bool inside = x[i] >= problem.K.lower()[i] - slack && x[i] <= problem.K.upper()[i] + slack;
      const bool fixed = problem.K.lower()[i] == problem.K.upper()[i];
      const bool sign = digits % 3 == 2 || fixed || (digits % 3 == 0 ? w[i] >= -slack : w[i] <= slack);
      solves = solves && inside && sign;
    }
    if (solves) solutions.push_back(x);
  }
  return solutions;
}

TEST(TinyPivoting, AgreesWithTryingEverything) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomBoxOptions options;
    options.rows = 1 + static_cast<Index>(seed % 6);
    options.seed = seed;
    options.skew = seed % 3 == 0 ? 0.8 : 0.0;
    options.free = 0.2;
    options.two_sided = 0.3;
    options.fixed = 0.1;
    const Problem problem = random_box(options).problem;
    const std::vector<Vector> solutions = all_solutions(problem);
    ASSERT_FALSE(solutions.empty()) << seed;
    Tiny tiny(problem);
    expect_answer(tiny, problem, solutions.front(), 1e-9);
  }
}

// Matrices of no class: an answer is one, and where there is none no answer is given.
TEST(TinyPivoting, AnyMatrix) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Index n = 1 + static_cast<Index>(seed % 5);
    Random random(1000 + seed);
    const Problem problem = lcp(random_matrix(n, n, seed), random_vector(n, random));
    Tiny tiny(problem);
    if (tiny.solve(problem.b) == End::found) {
      ++found;
      EXPECT_LE(error_of(problem, tiny.x()), 1e-9) << seed;
    } else {
      EXPECT_TRUE(all_solutions(problem).empty()) << seed;
    }
  }
  EXPECT_GT(found, 30);
  EXPECT_LT(found, 100);
}

TEST(TinyPivoting, KnownSolutionsOfEverySize) {
  for (Index rows = 1; rows <= TinyPivoting::most_rows; ++rows) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      RandomBoxOptions options;
      options.rows = rows;
      options.seed = seed;
      options.condition = seed % 2 == 0 ? 10.0 : 1e4;
      options.free = seed % 3 == 0 ? 0.3 : 0.0;
      options.two_sided = seed % 4 == 0 ? 0.5 : 0.0;
      options.fixed = seed % 5 == 0 ? 0.2 : 0.0;
      const KnownProblem known = seed % 6 == 1 ? random_lcp(options) : random_box(options);
      Tiny tiny(known.problem);
      expect_answer(tiny, known.problem, known.x, 1e-9);
    }
  }
}

// Weakly active rows are right on either side.
TEST(TinyPivoting, DegenerateSolutions) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    RandomBoxOptions options;
    options.rows = 1 + static_cast<Index>(seed % 16);
    options.seed = seed;
    options.degenerate = 0.7;
    const KnownProblem known = random_lcp(options);
    Tiny tiny(known.problem);
    expect_answer(tiny, known.problem, known.x, 1e-9);
  }
}

TEST(TinyPivoting, StartsWithTheSetGiven) {
  RandomBoxOptions options;
  options.rows = 13;
  options.two_sided = 0.4;
  options.free = 0.2;
  const KnownProblem known = random_box(options);
  Tiny tiny(known.problem);
  EXPECT_EQ(tiny.solve(known.problem.b), End::found);
  EXPECT_GT(tiny.sets(), 1);
  const Vector x = tiny.x();
  EXPECT_EQ(tiny.solve(known.problem.b, &x), End::found);
  EXPECT_EQ(tiny.sets(), 1);
  EXPECT_EQ(tiny.x(), x);
}

// Another b, other bounds and another matrix, each with the bits of an object of its own and without
// allocations for the same size.
TEST(TinyPivoting, KeptObjectRepeatsBits) {
  for (const Index rows : {2, 4, 7, 12, 16}) {
    RandomBoxOptions options;
    options.rows = rows;
    options.two_sided = 0.3;
    Problem problem = random_box(options).problem;
    options.seed = 2;
    const Problem other = random_box(options).problem;
    Tiny kept(problem);
    for (int turn = 0; turn < 4; ++turn) {
      if (turn == 2) problem.K = ProductSet::nonnegative(rows);
      if (turn == 3) problem = other;
      problem.b *= turn == 1 ? -1.0 : 0.7;
      Tiny fresh(problem);
      ASSERT_EQ(fresh.solve(problem.b), End::found) << rows;
      const std::size_t before = allocations();
      kept.load(problem);
      ASSERT_EQ(kept.solve(problem.b), End::found) << rows;
      EXPECT_EQ(allocations() - before, 0u) << rows << " " << turn;
      EXPECT_EQ(kept.x(), fresh.x()) << rows << " " << turn;
      EXPECT_EQ(kept.sets(), fresh.sets());
    }
  }
}

TEST(TinyPivoting, IsWatched) {
  const Case murty = murtys_example(6);
  Tiny tiny(murty.problem);
  ASSERT_EQ(tiny.solve(murty.problem.b), End::found);
  const int sets = tiny.sets();
  for (int calls = 0; calls < sets; ++calls) {
    CountingWatch count(calls);
    EXPECT_EQ(tiny.solve(murty.problem.b, nullptr, &count), End::interrupted) << calls;
    EXPECT_GE(tiny.x().minCoeff(), 0.0);
  }
  CountingWatch enough(sets);
  EXPECT_EQ(tiny.solve(murty.problem.b, nullptr, &enough), End::found);
  EXPECT_EQ(enough.left, 0);
  // Also where all sets are tried.
  Tiny ones(lcp(DenseMatrix::Ones(2, 2), vec({-1, -1})));
  ASSERT_EQ(ones.solve(vec({-1, -1})), End::found);
  CountingWatch last(ones.sets() - 1);
  EXPECT_EQ(ones.solve(vec({-1, -1}), nullptr, &last), End::interrupted);
}

}  // namespace slipstick::tiny_pivoting_test
