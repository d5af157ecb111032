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

// The proof is checked without the library. Where F = M x + q >= 0 is asked for, d >= 0; where F = 0 is asked
// for, d has any sign; where F may have any sign, d = 0. Yet d'F < 0 for every x between the bounds.
void expect_infeasible(const DenseMatrix& M, const Vector& q, const Vector& lower, const Vector& upper,
                       std::uint64_t seed) {
  const Result result = box_cases::solve_with(Lemke(), box_cases::make(M, q, lower, upper), 1e-10);
  EXPECT_EQ(result.status, Status::infeasible) << seed << ": " << result.message;
  EXPECT_TRUE(result.proved) << seed;
  const Vector& d = result.ray;
  ASSERT_EQ(d.size(), q.size()) << seed;
  const Vector product = M.transpose() * d;
  double greatest = q.dot(d);
  const double zero = 1e-9 * std::abs(greatest);
  for (Index i = 0; i < d.size(); ++i) {
    EXPECT_TRUE(std::isinf(lower[i]) || d[i] >= -zero) << seed;
    EXPECT_TRUE(std::isinf(upper[i]) || d[i] <= zero) << seed;
    if (std::abs(product[i]) <= zero) continue;
    const double bound = product[i] > 0.0 ? upper[i] : lower[i];
    ASSERT_TRUE(std::isfinite(bound)) << seed;
    greatest += product[i] * bound;
  }
  EXPECT_LT(greatest, 0.0) << seed;
}

void expect_infeasible(const DenseMatrix& M, const Vector& q, std::uint64_t seed) {
  expect_infeasible(M, q, Vector::Zero(q.size()), Vector::Constant(q.size(), infinity), seed);
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
