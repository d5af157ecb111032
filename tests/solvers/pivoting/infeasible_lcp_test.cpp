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
