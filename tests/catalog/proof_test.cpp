// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// QPs and LCPs without a solution: `auto` says so, with a proof.
#include <gtest/gtest.h>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/measures/certificate.hpp"
#include "slipstick/solve.hpp"
#include "tests/support/dense.hpp"
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

// M v = M'v = 0 and q'v < 0 with v >= 0, so that v'(M z + q) < 0 for every z.
TEST(Proof, AutoProvesThatAnLcpHasNoSolution) {
  for (int seed = 1; seed <= seeds; ++seed) {
    const auto start = static_cast<std::uint64_t>(3 * seed);
    const Index n = 3 + seed % 25;
    const Vector v = random_matrix(n, 1, start).col(0).cwiseAbs() + Vector::Unit(n, 0);
    const DenseMatrix free = random_matrix(n, n, start + 1), S = random_matrix(n, n, start + 2);
    const DenseMatrix G = free - (free * v) * v.transpose() / v.squaredNorm();
    const DenseMatrix M =
        G.transpose() * (DenseMatrix::Identity(n, n) + (seed % 2) * (S - S.transpose())) * G;
    Vector q = random_matrix(n, 1, start + 3).col(0);
    q -= (q.dot(v) + 1.0) / v.squaredNorm() * v;
    const DriverResult result = solve(Problem{.A = M, .b = q, .K = ProductSet::nonnegative(n)});
    EXPECT_EQ(result.status, Status::infeasible) << seed << ": " << result.message;
    EXPECT_TRUE(result.proved) << seed;
    const Vector& d = result.ray;
    ASSERT_EQ(d.size(), n) << seed;
    EXPECT_GE(d.minCoeff(), 0.0) << seed;
    EXPECT_LE((M.transpose() * d).maxCoeff(), 1e-9 * -q.dot(d)) << seed;
    EXPECT_LT(q.dot(d), 0.0) << seed;
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
