// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "slipstick/base/random.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linsolve/krylov/krylov.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::testing {

inline Vector normal_vector(Index n, std::uint64_t seed) {
  Random random(seed);
  return Vector::NullaryExpr(n, [&] { return random.normal(); });
}

/// The callable y = A v.
inline auto product_with(const DenseMatrix& a) {
  return [&a](const Vector& v, Vector& y) { y.noalias() = a * v; };
}

inline auto product_with(const CsrMatrix& a) {
  return [&a](const Vector& v, Vector& y) { multiply(a, v, y); };
}

/// The five-point operator -laplacian + wind d/dx on a square of edge^2 cells, a nonsymmetric M-matrix.
inline CsrMatrix convection_diffusion(int edge, double wind) {
  std::vector<Triplet> triplets;
  const auto cell = [&](int x, int y) { return x + edge * y; };
  for (int y = 0; y < edge; ++y) {
    for (int x = 0; x < edge; ++x) {
      triplets.push_back({cell(x, y), cell(x, y), 4.0 + wind});
      if (x > 0) triplets.push_back({cell(x, y), cell(x - 1, y), -1.0 - wind});
      if (x + 1 < edge) triplets.push_back({cell(x, y), cell(x + 1, y), -1.0});
      if (y > 0) triplets.push_back({cell(x, y), cell(x, y - 1), -1.0});
      if (y + 1 < edge) triplets.push_back({cell(x, y), cell(x, y + 1), -1.0});
    }
  }
  return csr_from_triplets(edge * edge, edge * edge, triplets);
}

/// The second solve through a kept object allocates nothing and repeats the bits of the first.
template <class Method>
void expect_second_solve_repeats(Method method, const CsrMatrix& a) {
  const Vector b = normal_vector(a.rows(), 1);
  Vector first = Vector::Zero(a.rows());
  method.solve(product_with(a), b, first);
  Vector second = Vector::Zero(a.rows());
  const std::size_t before = allocations();
  const KrylovOutcome outcome = method.solve(product_with(a), b, second);
  EXPECT_EQ(allocations(), before);
  EXPECT_EQ(outcome.status, KrylovStatus::converged);
  EXPECT_EQ(first, second);
}

}  // namespace slipstick::internal::testing
