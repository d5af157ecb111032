// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/base/random.hpp"
#include "tests/support/dense.hpp"

// Parts of LCPs without a solution: a v >= 0 is known with M'v <= 0 and q'v < 0.
namespace slipstick::internal::infeasible_lcps {

// G' C G with G v = 0: the symmetric part is semidefinite, and M v = M'v = 0.
inline DenseMatrix semidefinite(const Vector& v, double skew, std::uint64_t seed) {
  const Index n = v.size();
  const DenseMatrix free = random_matrix(n, n, seed), S = random_matrix(n, n, seed + 1);
  const DenseMatrix G = free - (free * v) * v.transpose() / v.squaredNorm();
  return G.transpose() * (DenseMatrix::Identity(n, n) + skew * (S - S.transpose())) * G;
}

// Positive on some rows, and zero on the others.
inline Vector nonnegative(Index n, std::uint64_t seed) {
  Random random(seed);
  Vector v = Vector::Zero(n);
  for (double& value : v) value = random.below(3) == 0 ? 0.0 : random.uniform(0.5, 2.0);
  v[0] = 1.0;
  return v;
}

// Any q with q'v < 0.
inline Vector constants(const Vector& v, std::uint64_t seed) {
  Vector q = random_matrix(v.size(), 1, seed).col(0);
  return q - (q.dot(v) + 1.0) / v.squaredNorm() * v;
}

}  // namespace slipstick::internal::infeasible_lcps
