// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/solvers/row_cases.hpp"

#include <gtest/gtest.h>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/problems.hpp"

namespace slipstick::internal::row_cases {

Problem with_rows(Problem problem, const DenseMatrix& g, const Vector& lower, const Vector& upper) {
  problem.rows = LinearRows{std::make_shared<const CsrMatrix>(csr_from_dense(g)), lower, upper};
  return problem;
}

Problem identity(const Vector& b, ProductSet K) {
  return {.A = DenseMatrix::Identity(b.size(), b.size()).eval(), .b = b, .K = std::move(K)};
}

void expect_projection_on_the_simplex(Solver& solver) {
  const Problem simplex = with_rows(identity(vec({-1, -0.5, 1}), ProductSet::nonnegative(3)),
                                    DenseMatrix::Ones(1, 3), vec({1}), vec({1}));
  const Result result = solve_with(solver, simplex, 1e-14);
  ASSERT_TRUE(result.solved()) << result.message;
  EXPECT_LE((result.x - vec({0.75, 0.25, 0})).norm(), 1e-14);
  EXPECT_NEAR(result.multipliers[0], -0.25, 1e-14);
  EXPECT_LE((result.w - vec({0, 0, 1.25})).norm(), 1e-14);
}

void expect_rows_to_hold_at_either_bound(Solver& solver) {
  const auto solve = [&](const Vector& b) {
    return solve_with(
        solver, with_rows(identity(b, ProductSet::free(2)), DenseMatrix::Ones(1, 2), vec({1}), vec({2})),
        1e-14);
  };
  const Result low = solve(vec({1, 1}));
  EXPECT_LE((low.x - vec({0.5, 0.5})).norm(), 1e-14);
  EXPECT_NEAR(low.multipliers[0], 1.5, 1e-13);
  const Result high = solve(vec({-3, -1}));
  EXPECT_LE((high.x - vec({2, 0})).norm(), 1e-14);
  EXPECT_NEAR(high.multipliers[0], -1.0, 1e-13);
  const Result between = solve(vec({-1, -0.5}));
  EXPECT_LE((between.x - vec({1, 0.5})).norm(), 1e-14);
  EXPECT_EQ(between.multipliers[0], 0.0);
}

std::int64_t expect_known_boxes(Solver& solver, Index rows) {
  RandomBoxOptions options{.rows = rows, .condition = 1e4};
  options.free = options.two_sided = options.fixed = 0.2;
  std::int64_t factorizations = 0;
  for (options.seed = 1; options.seed <= 5; ++options.seed) {
    const KnownProblem known = random_box(options);
    const Result result = solve_with(solver, known.problem, 1e-13);
    EXPECT_LE((result.x - known.x).norm(), 1e-9 * known.x.norm()) << result.message;
    factorizations += result.counts.factorizations;
  }
  return factorizations;
}

}  // namespace slipstick::internal::row_cases
