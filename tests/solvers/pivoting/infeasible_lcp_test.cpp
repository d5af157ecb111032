// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// LCPs without a solution: a v >= 0 is known with M'v <= 0 and q'v < 0, so that no z >= 0 has M z + q >= 0.
#include <gtest/gtest.h>

#include "slipstick/solvers/pivoting/lemke.hpp"
#include "tests/solvers/box_cases.hpp"
#include "tests/support/infeasible_lcps.hpp"
#include "tests/support/proof_checks.hpp"

namespace slipstick::internal::infeasible_lcp_test {

void expect_infeasible(const DenseMatrix& M, const Vector& q, const Vector& lower, const Vector& upper,
                       std::uint64_t seed) {
  SCOPED_TRACE(seed);
  const Problem problem = box_cases::make(M, q, lower, upper);
  const Result result = box_cases::solve_with(Lemke(), problem, 1e-10);
  EXPECT_EQ(result.status, Status::infeasible) << result.message;
  EXPECT_TRUE(result.proved);
  expect_infeasible_lcp(problem, result.ray);
}

void expect_infeasible(const DenseMatrix& M, const Vector& q, std::uint64_t seed) {
  expect_infeasible(M, q, Vector::Zero(q.size()), Vector::Constant(q.size(), infinity), seed);
}

TEST(InfeasibleLcp, SymmetricSemidefinite) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Vector v = infeasible_lcps::nonnegative(3 + static_cast<Index>(seed) % 25, seed);
    expect_infeasible(infeasible_lcps::semidefinite(v, 0.0, seed), infeasible_lcps::constants(v, seed), seed);
  }
}

TEST(InfeasibleLcp, NonsymmetricSemidefinite) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Vector v = infeasible_lcps::nonnegative(3 + static_cast<Index>(seed) % 25, seed);
    expect_infeasible(infeasible_lcps::semidefinite(v, 0.5, seed), infeasible_lcps::constants(v, seed), seed);
  }
}

// Every third row is free: v'M has no free unknown, and v may have any sign there.
TEST(InfeasibleLcp, FreeRows) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Index n = 4 + static_cast<Index>(seed) % 25;
    Vector v = infeasible_lcps::nonnegative(n, seed), lower = Vector::Zero(n);
    for (Index i = 2; i < n; i += 3) {
      lower[i] = -infinity;
      if (seed % 2 == 0) v[i] = -v[i];
    }
    const DenseMatrix M = infeasible_lcps::semidefinite(v, seed % 4 == 0 ? 0.5 : 0.0, seed);
    const Vector q = infeasible_lcps::constants(v, seed);
    expect_infeasible(M, q, lower, Vector::Constant(n, infinity), seed);
  }
}

// A block of free rows without entries among themselves: [0, B; -B', C]. B x >= 0 is asked to be negative.
TEST(InfeasibleLcp, SaddlePoints) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Index n = 3 + static_cast<Index>(seed) % 8, m = 1 + static_cast<Index>(seed) % 3;
    const DenseMatrix B = random_matrix(m, n, seed).cwiseAbs();
    DenseMatrix A = DenseMatrix::Zero(m + n, m + n);
    A.topRightCorner(m, n) = B;
    A.bottomLeftCorner(n, m) = -B.transpose();
    A.bottomRightCorner(n, n) = DenseMatrix::Identity(n, n);
    Vector b = random_matrix(m + n, 1, seed + 1).col(0), lower = Vector::Zero(m + n), upper = lower;
    b[0] = 0.7;  // B_0 x = -0.7
    lower.head(m).setConstant(-infinity);
    upper.setConstant(infinity);
    if (seed % 2 == 0) upper.tail(n).setConstant(3.0);
    expect_infeasible(A, b, lower, upper, seed);
  }
}

TEST(InfeasibleLcp, ContradictingEqualities) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Index n = 3 + static_cast<Index>(seed) % 8;
    const DenseMatrix G = random_matrix(n - 1, n, seed);
    expect_infeasible(G.transpose() * G, random_matrix(n, 1, seed + 1).col(0), Vector::Constant(n, -infinity),
                      Vector::Constant(n, infinity), seed);
  }
}

// A strictly copositive block (positive entries, indefinite) beside a semidefinite one. A skew part couples
// them, and leaves M'v <= 0.
TEST(InfeasibleLcp, CopositivePlus) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Vector v = infeasible_lcps::nonnegative(2 + static_cast<Index>(seed) % 12, seed);
    const Index n = v.size(), m = 1 + static_cast<Index>(seed) % 7;
    DenseMatrix M = DenseMatrix::Zero(n + m, n + m);
    M.topLeftCorner(n, n) = infeasible_lcps::semidefinite(v, 0.5, seed);
    M.bottomRightCorner(m, m) = random_matrix(m, m, seed + 2).cwiseAbs() + 0.1 * DenseMatrix::Ones(m, m);
    const DenseMatrix coupling = random_matrix(n, m, seed + 3).cwiseAbs();
    M.topRightCorner(n, m) = -coupling;
    M.bottomLeftCorner(m, n) = coupling.transpose();
    Vector q = random_matrix(n + m, 1, seed + 4).col(0);
    q.head(n) = infeasible_lcps::constants(v, seed);
    expect_infeasible(M, q, seed);
  }
}

}  // namespace slipstick::internal::infeasible_lcp_test
