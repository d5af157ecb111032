// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// LCPs without a solution: a v >= 0 is known with M'v <= 0 and q'v < 0, so that no z >= 0 has M z + q >= 0.
#include <gtest/gtest.h>

#include "slipstick/base/random.hpp"
#include "slipstick/solvers/pivoting/lemke.hpp"
#include "tests/solvers/box_cases.hpp"

namespace slipstick::internal::infeasible_lcp_test {

// G' C G with G v = 0: the symmetric part is semidefinite, and M v = M'v = 0.
DenseMatrix semidefinite(const Vector& v, double skew, std::uint64_t seed) {
  const Index n = v.size();
  const DenseMatrix free = random_matrix(n, n, seed), S = random_matrix(n, n, seed + 1);
  const DenseMatrix G = free - (free * v) * v.transpose() / v.squaredNorm();
  return G.transpose() * (DenseMatrix::Identity(n, n) + skew * (S - S.transpose())) * G;
}

// Positive on some rows, and zero on the others.
Vector nonnegative(Index n, std::uint64_t seed) {
  Random random(seed);
  Vector v = Vector::Zero(n);
  for (double& value : v) value = random.below(3) == 0 ? 0.0 : random.uniform(0.5, 2.0);
  v[0] = 1.0;
  return v;
}

// Any q with q'v < 0.
Vector constants(const Vector& v, std::uint64_t seed) {
  Vector q = random_matrix(v.size(), 1, seed).col(0);
  return q - (q.dot(v) + 1.0) / v.squaredNorm() * v;
}

void expect_infeasible(const DenseMatrix& M, const Vector& q, std::uint64_t seed) {
  const Result result = box_cases::solve_with(Lemke(), box_cases::lcp(M, q), 1e-10);
  EXPECT_EQ(result.status, Status::infeasible) << seed << ": " << result.message;
  EXPECT_TRUE(result.proved) << seed;
  // The proof, checked without the library: d >= 0, M'd <= 0, q'd < 0.
  const Vector& d = result.ray;
  ASSERT_EQ(d.size(), q.size()) << seed;
  EXPECT_GE(d.minCoeff(), 0.0) << seed;
  EXPECT_LE((M.transpose() * d).maxCoeff(), 1e-9 * -q.dot(d)) << seed;
  EXPECT_LT(q.dot(d), 0.0) << seed;
}

TEST(InfeasibleLcp, SymmetricSemidefinite) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Vector v = nonnegative(3 + static_cast<Index>(seed) % 25, seed);
    expect_infeasible(semidefinite(v, 0.0, seed), constants(v, seed), seed);
  }
}

TEST(InfeasibleLcp, NonsymmetricSemidefinite) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Vector v = nonnegative(3 + static_cast<Index>(seed) % 25, seed);
    expect_infeasible(semidefinite(v, 0.5, seed), constants(v, seed), seed);
  }
}

// Every third row is free: v'M has no free unknown, and v may have any sign there.
TEST(InfeasibleLcp, FreeRows) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Index n = 4 + static_cast<Index>(seed) % 25;
    Vector v = nonnegative(n, seed), lower = Vector::Zero(n);
    for (Index i = 2; i < n; i += 3) {
      lower[i] = -infinity;
      if (seed % 2 == 0) v[i] = -v[i];
    }
    const DenseMatrix M = semidefinite(v, seed % 4 == 0 ? 0.5 : 0.0, seed);
    const Vector q = constants(v, seed);
    const Problem problem = box_cases::make(M, q, lower, Vector::Constant(n, infinity));
    const Result result = box_cases::solve_with(Lemke(), problem, 1e-10);
    EXPECT_EQ(result.status, Status::infeasible) << seed << ": " << result.message;
    EXPECT_TRUE(result.proved) << seed;
    const Vector& d = result.ray;
    ASSERT_EQ(d.size(), n) << seed;
    const Vector product = M.transpose() * d;
    for (Index i = 0; i < n; ++i) {
      EXPECT_GE(d[i], lower[i] == 0.0 ? 0.0 : -infinity) << seed;
      EXPECT_LE(lower[i] == 0.0 ? product[i] : std::abs(product[i]), 1e-9 * -q.dot(d)) << seed;
    }
    EXPECT_LT(q.dot(d), 0.0) << seed;
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
    const Problem problem = box_cases::make(A, b, lower, upper);
    const Result result = box_cases::solve_with(Lemke(), problem, 1e-10);
    EXPECT_EQ(result.status, Status::infeasible) << seed << ": " << result.message;
    EXPECT_TRUE(result.proved) << seed;
  }
}

TEST(InfeasibleLcp, ContradictingEqualities) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Index n = 3 + static_cast<Index>(seed) % 8;
    const DenseMatrix G = random_matrix(n - 1, n, seed);
    const Problem problem =
        box_cases::make(G.transpose() * G, random_matrix(n, 1, seed + 1).col(0), -infinity, infinity);
    const Result result = box_cases::solve_with(Lemke(), problem, 1e-10);
    EXPECT_EQ(result.status, Status::infeasible) << seed << ": " << result.message;
    EXPECT_TRUE(result.proved) << seed;
  }
}

// A strictly copositive block (positive entries, indefinite) beside a semidefinite one. A skew part couples
// them, and leaves M'v <= 0.
TEST(InfeasibleLcp, CopositivePlus) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Vector v = nonnegative(2 + static_cast<Index>(seed) % 12, seed);
    const Index n = v.size(), m = 1 + static_cast<Index>(seed) % 7;
    DenseMatrix M = DenseMatrix::Zero(n + m, n + m);
    M.topLeftCorner(n, n) = semidefinite(v, 0.5, seed);
    M.bottomRightCorner(m, m) = random_matrix(m, m, seed + 2).cwiseAbs() + 0.1 * DenseMatrix::Ones(m, m);
    const DenseMatrix coupling = random_matrix(n, m, seed + 3).cwiseAbs();
    M.topRightCorner(n, m) = -coupling;
    M.bottomLeftCorner(m, n) = coupling.transpose();
    Vector q = random_matrix(n + m, 1, seed + 4).col(0);
    q.head(n) = constants(v, seed);
    expect_infeasible(M, q, seed);
  }
}

}  // namespace slipstick::internal::infeasible_lcp_test
