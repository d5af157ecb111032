// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/projected/mprgp.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/scenes/uic.hpp"
#include "tests/support/problems.hpp"

namespace slipstick::internal::mprgp_test {

std::vector<PmprgpSettings> variants() {
  std::vector<PmprgpSettings> list;
  for (const Preconditioning preconditioner :
       {Preconditioning::none, Preconditioning::ic0, Preconditioning::mic0}) {
    for (const FactorUpdate update : {FactorUpdate::masked, FactorUpdate::refactored}) {
      for (const Expansion expansion : {Expansion::fixed, Expansion::projected}) {
        PmprgpSettings settings;
        settings.preconditioner = preconditioner;
        settings.update = update;
        settings.expansion = expansion;
        list.push_back(settings);
      }
    }
  }
  return list;
}

Result solve(const Problem& problem, const PmprgpSettings& settings, double tolerance = 1e-10) {
  Mprgp solver(settings);
  return solve_with(solver, problem, tolerance);
}

TEST(Mprgp, OneRowInEveryRegime) {
  for (const PmprgpSettings& settings : variants()) {
    EXPECT_NEAR(solve(one_row(2.0, -6.0, 0.0, infinity), settings).x[0], 3.0, 1e-12);  // inside
    EXPECT_EQ(solve(one_row(2.0, 6.0, 0.0, infinity), settings).x[0], 0.0);            // at the lower bound
    EXPECT_EQ(solve(one_row(2.0, -6.0, 0.0, 1.0), settings).x[0], 1.0);                // at the upper bound
    EXPECT_NEAR(solve(one_row(2.0, 6.0, -infinity, infinity), settings).x[0], -3.0, 1e-12);
    EXPECT_EQ(solve(one_row(2.0, 6.0, 5.0, 5.0), settings).x[0], 5.0);        // fixed
    EXPECT_TRUE(solve(one_row(0.0, 6.0, 0.0, infinity), settings).solved());  // empty row
    EXPECT_EQ(solve(one_row(0.0, -6.0, 0.0, 4.0), settings).x[0], 4.0);
    EXPECT_EQ(solve(one_row(0.0, -6.0, 0.0, infinity), settings).status, Status::unbounded);
  }
}

TEST(Mprgp, NoRows) {
  Problem problem;
  EXPECT_TRUE(solve(problem, {}).solved());
}

TEST(Mprgp, KnownSolutionsOfEveryShape) {
  for (const Index rows : {1, 2, 3, 10, 60, 300}) {
    for (const double condition : {1.0, 1e3, 1e5}) {
      RandomBoxOptions options;
      options.rows = rows;
      options.condition = condition;
      options.free = 0.2;
      options.two_sided = 0.3;
      options.fixed = 0.05;
      options.degenerate = 0.3;
      options.seed = static_cast<std::uint64_t>(rows + condition);
      const KnownProblem known = random_box(options);
      for (const PmprgpSettings& settings : variants()) {
        const Result result = solve(known.problem, settings, 1e-12);
        ASSERT_TRUE(result.solved()) << rows << " " << condition << " "
                                     << static_cast<int>(settings.preconditioner)
                                     << static_cast<int>(settings.update)
                                     << static_cast<int>(settings.expansion) << ": " << result.message;
        Vector difference(rows);
        known.problem.A.multiply(result.x - known.x, difference);
        EXPECT_LT(difference.norm(), 1e-9 * std::max(1.0, known.problem.b.norm()))
            << rows << " " << condition;
      }
    }
  }
}

TEST(Mprgp, RankDeficientProblems) {
  RandomBoxOptions options;
  options.rows = 200;
  options.rank_deficiency = 60;
  options.condition = 1e4;
  options.degenerate = 0.5;
  const KnownProblem known = random_lcp(options);
  for (const PmprgpSettings& settings : variants()) {
    const Result result = solve(known.problem, settings, 1e-8);
    EXPECT_TRUE(result.solved()) << result.message;
  }
}

TEST(Mprgp, PressureProblemsInTwoAndThreeDimensions) {
  for (const int dimension : {2, 3}) {
    UicOptions options;
    options.dimension = dimension;
    options.resolution = dimension == 2 ? 48 : 14;
    const Problem problem = uic_pressure(options);
    Vector reference;
    for (const PmprgpSettings& settings : variants()) {
      const Result result = solve(problem, settings, 1e-10);
      ASSERT_TRUE(result.solved()) << result.message;
      if (reference.size() == 0) reference = result.w;
      EXPECT_LT((result.w - reference).norm(), 1e-6 * problem.b.norm());
    }
  }
}

TEST(Mprgp, PreconditioningSavesIterations) {
  UicOptions options;
  options.resolution = 64;
  const Problem problem = uic_pressure(options);
  PmprgpSettings plain;
  plain.preconditioner = Preconditioning::none;
  EXPECT_LT(solve(problem, {}, 1e-8).counts.iterations, solve(problem, plain, 1e-8).counts.iterations / 3);
}

TEST(Mprgp, RowScalingDoesNotMatter) {
  RandomBoxOptions options;
  options.rows = 100;
  options.condition = 1e3;
  const KnownProblem known = random_lcp(options);
  // x = S y: A -> S A S, b -> S b.
  Vector scale(100);
  for (Index i = 0; i < 100; ++i) scale[i] = std::pow(2.0, i % 21 - 10);
  Problem scaled = known.problem;
  const CsrMatrix original = *known.problem.A.assemble();
  scaled.A = Operator(CsrMatrix(scale.asDiagonal() * original * scale.asDiagonal()));
  scaled.b = scale.cwiseProduct(known.problem.b);
  PmprgpSettings plain;
  plain.preconditioner = Preconditioning::none;
  const auto count = [&](const Problem& problem) {
    Mprgp solver(plain);
    Result result;
    solver.solve(problem, {.tolerance = 0.0, .max_iterations = 60}, result);
    return result.x;
  };
  const Vector x = count(known.problem);
  const Vector y = scale.cwiseProduct(count(scaled));
  EXPECT_LT((x - y).norm(), 1e-6 * x.norm());
}

TEST(Mprgp, UnboundedDirectionsAreFound) {
  // A = [1 -1; -1 1], b = (-1, -1): along (1, 1) the objective falls for ever.
  DenseMatrix a(2, 2);
  a << 1, -1, -1, 1;
  Problem problem;
  problem.A = Operator(csr_from_dense(a));
  problem.b = Vector::Constant(2, -1.0);
  problem.K = ProductSet::nonnegative(2);
  for (const PmprgpSettings& settings : variants()) {
    EXPECT_EQ(solve(problem, settings).status, Status::unbounded);
  }
}

TEST(Mprgp, WarmStartAtTheSolutionTakesNoIteration) {
  RandomBoxOptions options;
  const KnownProblem known = random_box(options);
  Mprgp solver;
  Result result;
  const WarmStart start{known.x};
  solver.solve(known.problem, {.tolerance = 1e-10}, result, &start);
  EXPECT_TRUE(result.solved());
  EXPECT_EQ(result.counts.iterations, 0);
}

TEST(Mprgp, RefusesWhatItCannotTake) {
  Problem problem = one_row(1.0, 1.0, 0.0, 1.0);
  problem.symmetric = false;
  EXPECT_NE(Mprgp().explain_unsupported(problem), "");
  problem.symmetric = true;
  problem.K = ProductSet::free(0);
  problem.K.append_cone(0.5, 3);
  EXPECT_NE(Mprgp().explain_unsupported(problem), "");
}

}  // namespace slipstick::internal::mprgp_test
