// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/principal_pivoting.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/error.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/scenes/uic.hpp"
#include "slipstick/solvers/projected/mprgp.hpp"
#include "tests/solvers/box_cases.hpp"

namespace slipstick::internal::principal_pivoting_test {

using namespace box_cases;

// Both methods, with every way to follow the set.
std::vector<std::unique_ptr<Solver>> solvers() {
  std::vector<std::unique_ptr<Solver>> list;
  for (const FactorChange factor : {FactorChange::cheapest, FactorChange::rows, FactorChange::refactor}) {
    BppSettings block;
    block.factor = factor;
    PpmSettings single;
    single.factor = factor;
    list.push_back(std::make_unique<PrincipalPivoting>(block));
    list.push_back(std::make_unique<PrincipalPivoting>(single));
  }
  return list;
}

// After Murty's family of 1978, on which single pivots of least index take long ways.
Problem murty(Index n) {
  DenseMatrix M = DenseMatrix::Identity(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = i + 1; j < n; ++j) M(i, j) = 2.0;
  }
  return lcp(M * M.transpose(), Vector::Constant(n, -1.0));
}

TEST(PrincipalPivoting, ClosedForms) {
  for (const auto& solver : solvers()) expect_closed_forms(*solver, 1e-14, 1e-14);
}

TEST(PrincipalPivoting, KnownSolutions) {
  for (const auto& solver : solvers()) expect_known_solutions(*solver, 120, 4, 1e5, 1e-9);
}

TEST(PrincipalPivoting, FreeRowsAreALinearSystem) {
  for (const auto& solver : solvers())
    EXPECT_EQ(expect_linear_solve(*solver, 80, 1e6, 1e-9, 1e-9).counts.iterations, 1);
}

TEST(PrincipalPivoting, BlocksTakeFewSetsWhereSinglePivotsTakeMany) {
  const KnownProblem known =
      random_box({.rows = 1000, .condition = 1e4, .degenerate = 0.2, .free = 0.1, .two_sided = 0.3});
  const Result many = solve_with(PrincipalPivoting{PpmSettings{}}, known.problem, 1e-12);
  const Result few = solve_with(PrincipalPivoting{BppSettings{}}, known.problem, 1e-12);
  ASSERT_TRUE(many.solved() && few.solved());
  EXPECT_LE(few.counts.iterations, 15);
  EXPECT_GE(many.counts.iterations, 100);
  EXPECT_LE((few.x - known.x).norm(), 1e-9 * known.x.norm());
  EXPECT_LE((many.x - known.x).norm(), 1e-9 * known.x.norm());
  // Nearly all of the single pivots change a row of the factor.
  EXPECT_LE(many.counts.factorizations, 5);
}

TEST(PrincipalPivoting, NoPatienceMeansSinglePivotsUntilThereIsProgress) {
  // With no stall allowed, blocks are still taken as long as fewer rows are wrong each time.
  RandomBoxOptions options{.rows = 400, .condition = 1e8, .rank_deficiency = 40, .degenerate = 0.3};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    options.seed = seed;
    const Problem problem = random_box(options).problem;
    for (const int stall_limit : {0, 1, 100}) {
      BppSettings settings;
      settings.stall_limit = stall_limit;
      const Result result = solve_with(PrincipalPivoting(settings), problem, 1e-11);
      EXPECT_TRUE(result.solved()) << seed << ", " << stall_limit << ": " << result.message;
    }
  }
}

TEST(PrincipalPivoting, ACycleOfBlocksIsBrokenBySinglePivots) {
  // Many 3 x 3 problems with small whole entries make plain block pivots cycle. None may stall.
  PrincipalPivoting block{BppSettings{}}, single{PpmSettings{}};
  Random random(5);
  int solved = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Index n = 3 + trial % 3;
    DenseMatrix B(n, n);
    Vector b(n);
    for (Index i = 0; i < n; ++i) {
      b[i] = static_cast<double>(random.below(21)) - 10.0;
      for (Index j = 0; j < n; ++j) B(i, j) = static_cast<double>(random.below(13)) - 6.0;
    }
    const DenseMatrix A = B * B.transpose() + DenseMatrix::Identity(n, n);
    const Problem problem = lcp(A, b);
    const Result blocks = solve_with(block, problem, 1e-12);
    const Result singles = solve_with(single, problem, 1e-12);
    ASSERT_TRUE(blocks.solved()) << trial << " " << blocks.message;
    ASSERT_TRUE(singles.solved()) << trial << " " << singles.message;
    EXPECT_LE((blocks.x - singles.x).norm(), 1e-9 * (1.0 + singles.x.norm()));
    ++solved;
  }
  EXPECT_EQ(solved, 3000);
}

TEST(PrincipalPivoting, SingularBlocks) {
  for (const auto& solver : solvers()) {
    const Result result = solve_with(*solver, repeated_rows(), 1e-13);
    EXPECT_TRUE(result.solved()) << result.message;
    EXPECT_NEAR(result.x[0] + result.x[1], 1.0, 1e-12);
    EXPECT_NEAR(result.x[2] + result.x[3], 3.0, 1e-12);
    // The proximal term keeps x near its last value: both contacts carry the same.
    EXPECT_NEAR(result.x[0], result.x[1], 1e-6);
  }
}

TEST(PrincipalPivoting, RankDeficientProblems) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const KnownProblem known = rank_deficient(200, 60, seed);
    for (const auto& solver : solvers()) {
      const Result result = solve_with(*solver, known.problem, 1e-11);
      EXPECT_TRUE(result.solved()) << seed << ": " << result.message;
      EXPECT_LE((result.w - known.w).norm(), 1e-8 * known.problem.b.norm());
    }
  }
}

TEST(PrincipalPivoting, NoSolutionIsNotCalledOne) {
  // The free row asks for x0 + x1 = 1 and x0 + x1 = 2; the contact falls for ever.
  const Problem contradiction = make(DenseMatrix::Ones(2, 2), vec({-1, -2}), -infinity, infinity);
  const Problem falling = make(mat({{1, -1}, {-1, 1}}), vec({-1, -1}), 0, infinity);
  const Problem indefinite = lcp(mat({{-1, 0}, {0, 1}}), vec({-1, -1}));
  for (const auto& solver : solvers()) {
    for (const Problem& problem : {contradiction, falling, indefinite}) {
      const Result result = solve_with(*solver, problem, 1e-9);
      EXPECT_FALSE(result.solved());
      EXPECT_TRUE(result.x.allFinite());
      EXPECT_LE(result.counts.iterations, 1000);
    }
  }
}

TEST(PrincipalPivoting, WarmStartCostsAFewRowChanges) {
  const Problem problem = random_box({.rows = 900, .condition = 1e3, .two_sided = 0.3}).problem;
  const Problem next = with_changed_load(problem, 1e-3);
  PrincipalPivoting block{BppSettings{}};
  const WarmStart start{solve_with(block, problem).x};
  const Result cold = solve_with(PrincipalPivoting{BppSettings{}}, next);
  const Result warm = solve_with(block, next, 1e-8, &start);
  ASSERT_TRUE(cold.solved() && warm.solved());
  EXPECT_LT(warm.counts.iterations, cold.counts.iterations);
  EXPECT_EQ(warm.counts.factorizations, 1);  // for the first set; then it is changed, not made anew
  EXPECT_LE((warm.x - cold.x).norm(), 1e-10 * cold.x.norm());
  // Without a warm start nothing of what came before is used.
  EXPECT_EQ(solve_with(block, next).x, cold.x);
}

TEST(PrincipalPivoting, AgreesWithMprgp) {
  const Problem problem = uic_pressure({.resolution = 24});
  const Result pivoted = solve_with(PrincipalPivoting{BppSettings{}}, problem, 1e-12);
  const Result iterated = solve_with(Mprgp(), problem, 1e-12);
  ASSERT_TRUE(pivoted.solved() && iterated.solved());
  EXPECT_LE((pivoted.w - iterated.w).norm(), 1e-9 * problem.b.norm());
}

TEST(PrincipalPivoting, EntriesOverEighteenMagnitudes) {
  const auto [unscaled, scaled, scale] = entries_over_eighteen_magnitudes();
  for (const auto& solver : solvers()) {
    const Result expected = solve_with(*solver, unscaled, 1e-13);
    const Result result = solve_with(*solver, scaled, 1e-13);
    ASSERT_TRUE(result.solved()) << result.message;
    EXPECT_LE((scale.cwiseProduct(result.x) - expected.x).norm(), 1e-10 * expected.x.norm());
  }
}

TEST(BppPcg, ClosedForms) {
  for (const FreePreconditioning preconditioner :
       {FreePreconditioning::jacobi, FreePreconditioning::ic0, FreePreconditioning::mic0,
        FreePreconditioning::imaginary, FreePreconditioning::partial_shift, FreePreconditioning::ict}) {
    BppPcgSettings settings;
    settings.preconditioner = preconditioner;
    PrincipalPivoting solver(settings);
    expect_closed_forms(solver, 1e-13, 1e-11);
  }
}

TEST(BppPcg, VisitsAsManySetsAsBpp) {
  const KnownProblem known = random_box({.rows = 500, .condition = 1e3, .two_sided = 0.3});
  const Result factored = solve_with(PrincipalPivoting{BppSettings{}}, known.problem, 1e-10);
  const Result iterated = solve_with(PrincipalPivoting{BppPcgSettings{}}, known.problem, 1e-10);
  ASSERT_TRUE(factored.solved() && iterated.solved());
  EXPECT_EQ(factored.counts.iterations, iterated.counts.iterations);
  EXPECT_LE((iterated.x - factored.x).norm(), 1e-7 * factored.x.norm());
}

TEST(BppPcg, LooseInnerSolvesAreSharpenedWhereTheyCycle) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    BppPcgSettings settings;
    settings.inner = 1.0;
    PrincipalPivoting solver(settings);
    const Result result = solve_with(
        solver, random_box({.rows = 200, .condition = 1e5, .degenerate = 0.4, .seed = seed}).problem, 1e-9);
    EXPECT_TRUE(result.solved()) << seed << ": " << result.message;
  }
}

// To shift friction rows after the first pivot.
template <class MethodSettings>
PrincipalPivoting shifting() {
  MethodSettings settings;
  settings.regularization = 1e-3;
  settings.pivot_limit = 1;
  return PrincipalPivoting(settings);
}

TEST(PrincipalPivoting, RegularizationEndsUnshiftedAndSaysSo) {
  PrincipalPivoting plain{PpmSettings{}};
  PrincipalPivoting single = shifting<PpmSettings>(), block = shifting<BppSettings>();
  expect_unshifted_end(plain, single, 1e6, 1e-12, 1e-9, 5);
  expect_unshifted_end(plain, block, 1e6, 1e-12, 1e-9, 5);
}

TEST(PrincipalPivoting, RowsWithoutARoleAreNeverShifted) {
  const Result result = solve_with(shifting<PpmSettings>(), murty(8), 1e-12);
  EXPECT_TRUE(result.solved());
  EXPECT_EQ(result.message.find("friction"), std::string::npos);
}

TEST(PrincipalPivoting, OrderingsAgree) {
  const KnownProblem known = random_box({.rows = 200, .condition = 1e3});
  for (const Ordering ordering : available_orderings()) {
    BppSettings settings;
    settings.ordering = ordering;
    const Result result = solve_with(PrincipalPivoting(settings), known.problem, 1e-12);
    EXPECT_LE((result.x - known.x).norm(), 1e-9 * known.x.norm()) << name(ordering);
  }
  if (!is_available(Ordering::metis)) {
    BppSettings settings;
    settings.ordering = Ordering::metis;
    EXPECT_THROW(PrincipalPivoting{settings}, Error);
  }
}

}  // namespace slipstick::internal::principal_pivoting_test
