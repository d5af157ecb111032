// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// QPs and LCPs without a solution: `auto` says so, with a proof.
#include <gtest/gtest.h>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/measures/certificate.hpp"
#include "slipstick/solve.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/infeasible_lcps.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/proof_checks.hpp"
#include "tests/support/sanitized.hpp"

namespace slipstick::internal::proof_test {

const int seeds = sanitized ? 20 : 100;

Problem feasible(int seed) {
  return random_row_qp({.unknowns = seed % 10 == 0 ? 110 : 12,
                        .rows = 6,
                        .null_space = seed % 3,
                        .seed = static_cast<std::uint64_t>(seed)})
      .problem;
}

Problem with_rows(Problem problem, const DenseMatrix& G, const Vector& lower, const Vector& upper) {
  problem.rows = LinearRows{std::make_shared<const CsrMatrix>(csr_from_dense(G)), lower, upper};
  return problem;
}

// The sum of two equalities is asked to be larger than it is.
Problem impossible(int seed) {
  const Problem problem = feasible(seed);
  const DenseMatrix given(*problem.rows->G);
  DenseMatrix G(given.rows() + 1, given.cols());
  G << given, 2.0 * given.row(0) - 0.5 * given.row(1);
  Vector lower(G.rows()), upper(G.rows());
  lower << problem.rows->lower, 2.0 * 0.3 - 0.5 * 0.7 + 0.1;
  upper << problem.rows->upper, infinity;
  lower[0] = upper[0] = 0.3;
  lower[1] = upper[1] = 0.7;
  return with_rows(problem, G, lower, upper);
}

// Along (1, 1) of two more unknowns the objective falls, and A and the rows do not change.
Problem endless(int seed) {
  const Problem problem = feasible(seed);
  const Index n = problem.b.size();
  DenseMatrix A = DenseMatrix::Zero(n + 2, n + 2), G(problem.rows->G->rows(), n + 2);
  A.topLeftCorner(n, n) = dense(problem.A);
  A.bottomRightCorner(2, 2) << 1, -1, -1, 1;
  G << DenseMatrix(*problem.rows->G), Vector::Constant(G.rows(), 0.5), Vector::Constant(G.rows(), -0.5);
  Vector b(n + 2);
  b << problem.b, 0.4, -0.9;
  ProductSet K;
  K.append_box(problem.K.lower(), problem.K.upper());
  if (seed % 2 == 0) K.append_nonnegative(2);
  if (seed % 2 == 1) K.append_free(2);
  return with_rows({.A = A, .b = b, .K = K}, G, problem.rows->lower, problem.rows->upper);
}

TEST(Proof, AutoProvesThatRowsContradictEachOther) {
  for (int seed = 1; seed <= seeds; ++seed) {
    const Problem problem = impossible(seed);
    const DriverResult result = solve(problem);
    EXPECT_EQ(result.status, Status::infeasible) << seed << ": " << result.message;
    EXPECT_TRUE(result.proved) << seed;
    EXPECT_LE(infeasibility_defect(problem, result.farkas), certain_defect) << seed;
    expect_infeasible(problem, result.farkas);
  }
}

TEST(Proof, AutoProvesThatTheObjectiveFallsWithoutEnd) {
  for (int seed = 1; seed <= seeds; ++seed) {
    const Problem problem = endless(seed);
    const DriverResult result = solve(problem);
    EXPECT_EQ(result.status, Status::unbounded) << seed << ": " << result.message;
    EXPECT_TRUE(result.proved) << seed;
    EXPECT_LE(unboundedness_defect(problem, result.ray), certain_defect) << seed;
    expect_unbounded(problem, result.ray);
  }
}

TEST(Proof, AutoProvesThatAnLcpHasNoSolution) {
  for (int seed = 1; seed <= seeds; ++seed) {
    const auto number = static_cast<std::uint64_t>(seed);
    const Vector v = infeasible_lcps::nonnegative(3 + seed % 25, number);
    const Problem problem{.A = infeasible_lcps::semidefinite(v, 0.5 * (seed % 2), number),
                          .b = infeasible_lcps::constants(v, number),
                          .K = ProductSet::nonnegative(v.size())};
    const DriverResult result = solve(problem);
    EXPECT_EQ(result.status, Status::infeasible) << seed << ": " << result.message;
    EXPECT_TRUE(result.proved) << seed;
    expect_infeasible_lcp(problem, result.ray);
  }
}

TEST(Proof, AQpThatIsNotConvexIsSaidToBe) {
  Problem problem = feasible(1);
  EXPECT_TRUE(solve(problem).warnings.empty());
  DenseMatrix A = dense(problem.A);
  A(3, 4) += 100.0;
  A(4, 3) += 100.0;
  problem.A = A;
  problem.K = ProductSet::box(Vector::Constant(12, -1.0), Vector::Ones(12));
  problem.rows->lower.setConstant(-infinity);
  problem.rows->upper.setConstant(100.0);
  const DriverResult result = solve(problem);
  if (!result.solved()) return;
  ASSERT_FALSE(result.warnings.empty());
  EXPECT_NE(result.warnings.back().find("not convex"), std::string::npos) << result.warnings.back();
}

}  // namespace slipstick::internal::proof_test
