// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/projected/mprgp.hpp"

#include <gtest/gtest.h>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/scenes/uic.hpp"
#include "tests/solvers/box_cases.hpp"

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
  return solve_with(Mprgp(settings), problem, tolerance);
}

TEST(Mprgp, ClosedForms) {
  for (const PmprgpSettings& settings : variants()) {
    Mprgp solver(settings);
    box_cases::expect_closed_forms(solver);
  }
}

TEST(Mprgp, KnownSolutionsOfEveryShape) {
  for (const Index rows : {1, 2, 3, 10, 60, 300}) {
    for (const double condition : {1.0, 1e3, 1e5}) {
      const KnownProblem known = random_box({.rows = rows,
                                             .condition = condition,
                                             .degenerate = 0.3,
                                             .free = 0.2,
                                             .two_sided = 0.3,
                                             .fixed = 0.05,
                                             .seed = static_cast<std::uint64_t>(rows + condition)});
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
  const KnownProblem known =
      random_lcp({.rows = 200, .condition = 1e4, .rank_deficiency = 60, .degenerate = 0.5});
  for (const PmprgpSettings& settings : variants()) {
    const Result result = solve(known.problem, settings, 1e-8);
    EXPECT_TRUE(result.solved()) << result.message;
  }
}

TEST(Mprgp, PressureProblemsInTwoAndThreeDimensions) {
  for (const int dimension : {2, 3}) {
    const Problem problem = uic_pressure({.dimension = dimension, .resolution = dimension == 2 ? 48 : 14});
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
  const Problem problem = uic_pressure({.resolution = 64});
  PmprgpSettings plain;
  plain.preconditioner = Preconditioning::none;
  EXPECT_LT(solve(problem, {}, 1e-8).counts.iterations, solve(problem, plain, 1e-8).counts.iterations / 3);
}

TEST(Mprgp, RowScalingDoesNotMatter) {
  const KnownProblem known = random_lcp({.rows = 100, .condition = 1e3});
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
  for (const PmprgpSettings& settings : variants()) {
    Mprgp solver(settings);
    box_cases::expect_unbounded(solver);
  }
}

}  // namespace slipstick::internal::mprgp_test
