// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/tableau.hpp"

#include <gtest/gtest.h>

#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/solvers/pivoting/lemke.hpp"
#include "tests/solvers/box_cases.hpp"
#include "tests/support/allocation_counter.hpp"

namespace slipstick::tableau_test {

using namespace box_cases;

Result solve(const Problem& problem, double tolerance = 1e-12, const TableauSettings& method = {}) {
  Tableau tableau(method);
  return solve_with(tableau, problem, tolerance);
}

TEST(Tableau, ClosedForms) {
  Tableau tableau;
  expect_closed_forms(tableau, 1e-14, 1e-9);
}

TEST(Tableau, GoodManners) {
  Tableau tableau;
  expect_good_manners(tableau, chain(12));
  expect_zero_without_load(tableau);
}

TEST(Tableau, TwoBoundsStayOneRow) {
  Tableau solver;
  expect_two_bounds(solver);
}

TEST(Tableau, MurtysExponentialExampleTakesFewPivots) {
  for (const Index n : {1, 2, 6, 25, 64}) {
    const Case murty = murtys_example(n);
    const Result result = solve(murty.problem);
    EXPECT_TRUE(result.solved());
    EXPECT_LE(result.counts.iterations, 4 * n);
    EXPECT_EQ(result.x, murty.x);
  }
}

TEST(Tableau, DegenerateProblemsDoNotCycle) {
  const Case kostreva = kostrevas_example();
  const Result cycling = solve(kostreva.problem);
  EXPECT_TRUE(cycling.solved());
  EXPECT_LE(cycling.counts.iterations, 10);
  EXPECT_LE((cycling.x - kostreva.x).norm(), 1e-15);
  // Every ratio a tie, with one bound and with two.
  for (const Index n : {4, 9, 16, 40}) {
    for (const double upper : {infinity, 1.0, 1.0 / static_cast<double>(n)}) {
      const Result flat = solve(make(DenseMatrix::Ones(n, n), Vector::Constant(n, -1.0), 0.0, upper));
      EXPECT_TRUE(flat.solved()) << n << " " << upper;
      EXPECT_NEAR(flat.x.sum(), 1.0, 1e-13);
    }
  }
}

TEST(Tableau, BimatrixGameNeedsTheSecondStart) {
  EXPECT_TRUE(solve(bimatrix_game()).solved());
}

TEST(Tableau, WithoutASolutionItStalls) {
  const Problem hopeless[] = {lcp((DenseMatrix(2, 2) << 0, -1, 1, 0).finished(), vec({-1, 1})),
                              lcp(DenseMatrix::Zero(2, 2), vec({1, -1})),
                              lcp((DenseMatrix(2, 2) << 0, 1, 0, 1).finished(), vec({-1, 1})),
                              make(DenseMatrix::Ones(2, 2), vec({1, 2}), -infinity, infinity),
                              make((DenseMatrix(2, 2) << 0, 1, -1, 3).finished(), vec({-2, 1}),
                                   vec({-infinity, 0}), vec({infinity, 1}))};
  for (const Problem& problem : hopeless) {
    const Result result = solve(problem);
    EXPECT_EQ(result.status, Status::stalled) << result.message;
    EXPECT_FALSE(result.message.empty());
    EXPECT_TRUE(result.x.allFinite());
  }
}

TEST(Tableau, SingularEqualityBlocks) {
  // The free block is zero: x0 is the multiplier of x1 = 2.
  DenseMatrix saddle(2, 2);
  saddle << 0, 1, -1, 3;
  const Result kkt = solve(make(saddle, vec({-2, 1}), vec({-infinity, 0}), vec({infinity, infinity})));
  EXPECT_TRUE(kkt.solved());
  EXPECT_NEAR(kkt.x[1], 2.0, 1e-15);
  EXPECT_NEAR(kkt.x[0], 7.0, 1e-14);
  // A repeated equality, one unknown more than needed, and an empty free row and column.
  DenseMatrix M = DenseMatrix::Zero(5, 5);
  M.topLeftCorner(2, 2).setOnes();
  M(3, 3) = 2.0;
  M(4, 4) = 1.0;
  M(3, 0) = 1.0;
  M(3, 1) = 1.0;
  const Result repeated = solve(make(M, vec({-1, -1, 0, -5, 1}), vec({-infinity, -infinity, -infinity, 0, 0}),
                                     Vector::Constant(5, infinity)));
  EXPECT_TRUE(repeated.solved()) << repeated.message;
  EXPECT_NEAR(repeated.x[0] + repeated.x[1], 1.0, 1e-14);
  EXPECT_NEAR(repeated.x[3], 2.0, 1e-14);
  EXPECT_EQ(repeated.x[4], 0.0);
}

TEST(Tableau, KnownSolutionsOfRandomNonsymmetricBoxes) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    RandomBoxOptions options;
    options.rows = 2 * static_cast<Index>(seed) + 4;
    options.condition = 1e4;
    options.degenerate = seed % 2 == 0 ? 0.5 : 0.0;
    options.free = 0.2;
    options.two_sided = seed % 3 == 0 ? 0.0 : 0.4;
    options.fixed = 0.1;
    options.skew = 0.5;
    options.seed = seed;
    const KnownProblem known = random_box(options);
    const Result result = solve(known.problem);
    EXPECT_TRUE(result.solved()) << seed << " " << result.message;
    EXPECT_LE((result.x - known.x).norm(), 1e-9 * known.x.norm()) << seed;
  }
}

// The answer may differ where the matrix is singular; w does not.
TEST(Tableau, AgreesWithLemkeOnSemidefiniteMatrices) {
  int solved = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    RandomBoxOptions options;
    options.rows = 2 * static_cast<Index>(seed) + 4;
    options.rank_deficiency = options.rows / 4;
    options.degenerate = seed % 2 == 0 ? 0.3 : 0.0;
    options.two_sided = 0.3;
    options.seed = seed;
    const Problem problem = random_box(options).problem;
    Lemke lemke;
    const Result expected = solve_with(lemke, problem, 1e-10);
    const Result result = solve(problem, 1e-10);
    ASSERT_TRUE(expected.solved()) << seed;
    solved += result.solved();
    if (!result.solved()) continue;
    EXPECT_LE((result.w - expected.w).norm(), 1e-7 * problem.b.norm()) << seed;
  }
  EXPECT_GE(solved, 28);
}

TEST(Tableau, PMatricesFarFromDefinite) {
  Tableau tableau;
  expect_p_matrices(tableau);
}

TEST(Tableau, LinearSystems) {
  Tableau tableau;
  expect_linear_solve(tableau, 40, 1e4, 1e-10);
}

TEST(Tableau, TakesEveryStorage) {
  Random random(3);
  DenseMatrix A = random_spd(random, 12, 20.0);
  const Vector b = random_vector(12, random);
  const Problem sparse = lcp(A, b);
  const Result expected = solve(sparse);
  const Problem dense{Operator(A), b, ProductSet::nonnegative(12)};
  EXPECT_LE((solve(dense).x - expected.x).norm(), 1e-14);
  Tableau tableau;
  expect_matrix_free_agrees(tableau, 4, 0.1, 0.0);
}

TEST(Tableau, RefusesWithASentence) {
  TableauSettings small;
  small.max_rows = 5;
  const Result large = solve(chain(6), 1e-8, small);
  EXPECT_EQ(large.status, Status::unsupported);
  EXPECT_NE(large.message.find("max_rows = 5"), std::string::npos);
  EXPECT_TRUE(solve(chain(5), 1e-8, small).solved());
  Problem cone{Operator(DenseMatrix::Identity(3, 3).eval()), Vector::Ones(3),
               ProductSet::cones(vec({0.5}), 3)};
  EXPECT_EQ(solve(cone).status, Status::unsupported);
}

TEST(Tableau, KeptObjectGivesTheSameBitsAndAllocatesNothing) {
  Tableau kept, fresh;
  expect_kept_object_repeats_bits(kept, fresh, 60);
  RandomBoxOptions options;
  options.rows = 30;
  options.free = 0.3;
  options.two_sided = 0.3;
  const Problem problem = random_box(options).problem;
  Result result;
  kept.solve(problem, {}, result);
  const std::size_t before = allocations();
  kept.solve(problem, {}, result);
  EXPECT_EQ(allocations(), before);
  EXPECT_TRUE(result.solved());
}

}  // namespace slipstick::tableau_test
