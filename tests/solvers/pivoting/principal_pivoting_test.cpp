// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/principal_pivoting.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
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
  Random random(4);
  const DenseMatrix A = random_spd(random, 80, 1e6);
  const Vector b = random_vector(80, random);
  for (const auto& solver : solvers()) {
    const Result result = solve_with(*solver, make(A, b, -infinity, infinity), 1e-9);
    ASSERT_TRUE(result.solved()) << result.message;
    EXPECT_EQ(result.counts.iterations, 1);
    EXPECT_LE((result.x + *solve_linear(A, b)).norm(), 1e-9 * result.x.norm());
  }
}

TEST(PrincipalPivoting, GoodManners) {
  PrincipalPivoting single{PpmSettings{}};
  expect_good_manners(single, murty(12));
  PrincipalPivoting block{BppSettings{}};
  RandomBoxOptions options;
  options.rows = 300;
  options.condition = 1e6;
  expect_good_manners(block, random_lcp(options).problem);
  expect_zero_without_load(block);
}

TEST(PrincipalPivoting, MatrixFree) {
  PrincipalPivoting block{BppSettings{}}, single{PpmSettings{}};
  expect_matrix_free_agrees(block, 3, 0.05, 0);
  expect_matrix_free_agrees(single, 3, 0.05, 0);
}

TEST(PrincipalPivoting, BlocksTakeFewSetsWhereSinglePivotsTakeMany) {
  RandomBoxOptions options;
  options.rows = 1000;
  options.condition = 1e4;
  options.degenerate = 0.2;
  options.two_sided = 0.3;
  options.free = 0.1;
  const KnownProblem known = random_box(options);
  PrincipalPivoting block{BppSettings{}}, single{PpmSettings{}};
  const Result many = solve_with(single, known.problem, 1e-12);
  const Result few = solve_with(block, known.problem, 1e-12);
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
  RandomBoxOptions options;
  options.rows = 400;
  options.condition = 1e8;
  options.degenerate = 0.3;
  options.rank_deficiency = 40;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    options.seed = seed;
    const Problem problem = random_box(options).problem;
    for (const int stall_limit : {0, 1, 100}) {
      BppSettings settings;
      settings.stall_limit = stall_limit;
      PrincipalPivoting block(settings);
      const Result result = solve_with(block, problem, 1e-11);
      EXPECT_TRUE(result.solved()) << seed << ", " << stall_limit << ": " << result.message;
    }
  }
}

TEST(PrincipalPivoting, ACycleOfBlocksIsBrokenBySinglePivots) {
  // Of all 3 x 3 problems with small whole entries many make plain block pivots cycle; none may stall.
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
  // A repeated contact, a repeated equality, and an empty free row.
  DenseMatrix M = DenseMatrix::Zero(5, 5);
  M.topLeftCorner(2, 2).setOnes();
  M.block(2, 2, 2, 2).setConstant(2.0);
  const Problem repeated = make(M, vec({-1, -1, -6, -6, 0}), vec({0, 0, -infinity, -infinity, -infinity}),
                                Vector::Constant(5, infinity));
  for (const auto& solver : solvers()) {
    const Result result = solve_with(*solver, repeated, 1e-13);
    EXPECT_TRUE(result.solved()) << result.message;
    EXPECT_NEAR(result.x[0] + result.x[1], 1.0, 1e-12);
    EXPECT_NEAR(result.x[2] + result.x[3], 3.0, 1e-12);
    // The proximal term keeps x near where it was: both contacts carry the same.
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
  RandomBoxOptions options;
  options.rows = 900;
  options.condition = 1e3;
  options.two_sided = 0.3;
  Problem problem = random_box(options).problem;
  PrincipalPivoting block{BppSettings{}}, fresh{BppSettings{}};
  Result before, cold, warm;
  block.solve(problem, {}, before);
  Random random(8);
  for (double& value : problem.b) value *= 1.0 + 1e-3 * random.normal();
  fresh.solve(problem, {}, cold);
  const WarmStart start{before.x};
  block.solve(problem, {}, warm, &start);
  ASSERT_TRUE(cold.solved() && warm.solved());
  EXPECT_LT(warm.counts.iterations, cold.counts.iterations);
  EXPECT_EQ(warm.counts.factorizations, 1);  // for the first set; then it is changed, not made anew
  EXPECT_LE((warm.x - cold.x).norm(), 1e-10 * cold.x.norm());
  // Without a warm start nothing of what came before is used.
  Result again;
  block.solve(problem, {}, again);
  EXPECT_EQ(again.x, cold.x);
}

TEST(PrincipalPivoting, AgreesWithMprgp) {
  UicOptions options;
  options.resolution = 24;
  const Problem problem = uic_pressure(options);
  PrincipalPivoting block{BppSettings{}};
  Mprgp mprgp;
  const Result pivoted = solve_with(block, problem, 1e-12);
  const Result iterated = solve_with(mprgp, problem, 1e-12);
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
  RandomBoxOptions options;
  options.rows = 500;
  options.condition = 1e3;
  options.two_sided = 0.3;
  const KnownProblem known = random_box(options);
  PrincipalPivoting direct{BppSettings{}}, iterative{BppPcgSettings{}};
  const Result factored = solve_with(direct, known.problem, 1e-10);
  const Result iterated = solve_with(iterative, known.problem, 1e-10);
  ASSERT_TRUE(factored.solved() && iterated.solved());
  EXPECT_EQ(factored.counts.iterations, iterated.counts.iterations);
  EXPECT_LE((iterated.x - factored.x).norm(), 1e-7 * factored.x.norm());
}

TEST(BppPcg, LooseInnerSolvesAreSharpenedWhereTheyCycle) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    RandomBoxOptions options;
    options.rows = 200;
    options.condition = 1e5;
    options.degenerate = 0.4;
    options.seed = seed;
    BppPcgSettings settings;
    settings.inner = 1.0;
    PrincipalPivoting solver(settings);
    const Result result = solve_with(solver, random_box(options).problem, 1e-9);
    EXPECT_TRUE(result.solved()) << seed << ": " << result.message;
  }
}

TEST(BppPcg, GoodManners) {
  PrincipalPivoting solver{BppPcgSettings{}};
  RandomBoxOptions options;
  options.rows = 300;
  options.condition = 1e6;
  expect_good_manners(solver, random_lcp(options).problem);
  expect_zero_without_load(solver);
}

TEST(PrincipalPivoting, Refuses) {
  PrincipalPivoting block{BppSettings{}};
  const Problem cone{Operator(DenseMatrix::Identity(3, 3).eval()), Vector::Ones(3),
                     ProductSet::cones(vec({0.5}), 3)};
  EXPECT_EQ(solve_with(block, cone).status, Status::unsupported);
  EXPECT_EQ(solve_with(block, lcp(mat({{1, 2}, {0, 1}}), vec({1, 1}))).status, Status::unsupported);
}

// Normal rows and friction rows with fixed bounds, friction coupled to normals.
Problem frictional(std::uint64_t seed, Index contacts) {
  Random random(seed);
  Problem problem;
  problem.A = Operator(csr_from_dense(random_spd(random, 3 * contacts, 1e6)));
  problem.b = random_vector(3 * contacts, random);
  for (Index c = 0; c < contacts; ++c) {
    problem.K.append_nonnegative(1, Role::normal);
    problem.K.append_interval(-0.2, 0.2, Role::friction);
    problem.K.append_interval(-0.2, 0.2, Role::friction);
  }
  return problem;
}

TEST(PrincipalPivoting, RegularizationEndsUnshiftedAndSaysSo) {
  int shifted = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Problem problem = frictional(seed, 20);
    PrincipalPivoting plain{PpmSettings{}};
    PpmSettings settings;
    settings.regularization = 1e-3;
    settings.pivot_limit = 1;
    PrincipalPivoting regularized(settings);
    BppSettings block_settings;
    block_settings.regularization = 1e-3;
    block_settings.pivot_limit = 1;
    PrincipalPivoting block(block_settings);
    const Result expected = solve_with(plain, problem, 1e-12);
    ASSERT_TRUE(expected.solved()) << expected.message;
    EXPECT_EQ(expected.message.find("friction"), std::string::npos);
    for (Solver* solver : {static_cast<Solver*>(&regularized), static_cast<Solver*>(&block)}) {
      const Result result = solve_with(*solver, problem, 1e-12);
      ASSERT_TRUE(result.solved()) << result.message << " " << result.measures.scaled_natural_map;
      EXPECT_LE((result.w - expected.w).norm(), 1e-9 * problem.b.norm());
      if (result.message.find("friction rows were shifted") == std::string::npos) continue;
      EXPECT_NE(result.message.find("not at the end"), std::string::npos) << result.message;
      ++shifted;
    }
  }
  EXPECT_GE(shifted, 5);
}

TEST(PrincipalPivoting, RowsWithoutARoleAreNeverShifted) {
  PpmSettings settings;
  settings.regularization = 1e-3;
  settings.pivot_limit = 1;
  PrincipalPivoting regularized(settings);
  const Result result = solve_with(regularized, murty(8), 1e-12);
  EXPECT_TRUE(result.solved());
  EXPECT_EQ(result.message.find("friction"), std::string::npos);
}

TEST(PrincipalPivoting, OrderingsAgree) {
  RandomBoxOptions options;
  options.rows = 200;
  options.condition = 1e3;
  const KnownProblem known = random_box(options);
  for (const Ordering ordering : available_orderings()) {
    BppSettings settings;
    settings.ordering = ordering;
    PrincipalPivoting solver(settings);
    const Result result = solve_with(solver, known.problem, 1e-12);
    EXPECT_LE((result.x - known.x).norm(), 1e-9 * known.x.norm()) << name(ordering);
  }
  if (!is_available(Ordering::metis)) {
    BppSettings settings;
    settings.ordering = Ordering::metis;
    EXPECT_THROW(PrincipalPivoting{settings}, Error);
  }
}

}  // namespace slipstick::internal::principal_pivoting_test
