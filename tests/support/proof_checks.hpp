// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/problem.hpp"
#include "tests/support/dense.hpp"

// Proofs that a QP over bounds or an LCP has no solution, checked from their definition, with dense matrices
// and none of the library's measures.
namespace slipstick::internal {

inline constexpr double proof_rounding = 1e-8;

/// y'G x over K is less than y'g between the bounds of the rows.
inline void expect_infeasible(const Problem& problem, const Vector& y) {
  const DenseMatrix G(*problem.rows->G);
  ASSERT_EQ(y.size(), G.rows());
  const Vector g = G.transpose() * y;
  const Vector lower = problem.K.lower(), upper = problem.K.upper();
  const double zero = proof_rounding * (G.cwiseAbs().transpose() * y.cwiseAbs()).maxCoeff();
  double least = 0.0, greatest = 0.0;
  for (Index i = 0; i < y.size(); ++i) {
    const double bound = y[i] > 0.0 ? problem.rows->lower[i] : problem.rows->upper[i];
    if (std::abs(y[i]) <= proof_rounding * y.lpNorm<Eigen::Infinity>() && !std::isfinite(bound)) continue;
    ASSERT_TRUE(std::isfinite(bound)) << "row " << i;
    least += y[i] * bound;
  }
  for (Index j = 0; j < g.size(); ++j) {
    const double bound = g[j] > 0.0 ? upper[j] : lower[j];
    if (std::abs(g[j]) <= zero && !std::isfinite(bound)) continue;
    ASSERT_TRUE(std::isfinite(bound)) << "unknown " << j;
    greatest += g[j] * bound;
  }
  EXPECT_GT(least, greatest);
}

/// No x between the bounds is complementary to F = A x + b. Where F >= 0 is asked for, d >= 0; where F = 0 is
/// asked for, d has any sign; where F may have any sign, d = 0. Yet d'F < 0 for every x between the bounds.
inline void expect_infeasible_lcp(const Problem& problem, const Vector& d) {
  ASSERT_EQ(d.size(), problem.b.size());
  const Vector product = dense(problem.A).transpose() * d;
  const Vector lower = problem.K.lower(), upper = problem.K.upper();
  double greatest = problem.b.dot(d);
  const double zero = 1e-9 * std::abs(greatest);
  for (Index i = 0; i < d.size(); ++i) {
    EXPECT_TRUE(std::isinf(lower[i]) || d[i] >= -zero) << i;
    EXPECT_TRUE(std::isinf(upper[i]) || d[i] <= zero) << i;
    if (std::abs(product[i]) <= zero) continue;
    const double bound = product[i] > 0.0 ? upper[i] : lower[i];
    ASSERT_TRUE(std::isfinite(bound)) << i;
    greatest += product[i] * bound;
  }
  EXPECT_LT(greatest, 0.0);
}

/// Along d nothing ends, A does not see it, and b'd < 0.
inline void expect_unbounded(const Problem& problem, const Vector& d) {
  ASSERT_EQ(d.size(), problem.b.size());
  const double zero = proof_rounding * d.lpNorm<Eigen::Infinity>();
  const auto expect_direction = [&](const Vector& along, const Vector& lower, const Vector& upper,
                                    double size) {
    for (Index i = 0; i < along.size(); ++i) {
      EXPECT_TRUE(std::isinf(lower[i]) || along[i] >= -size * zero) << i;
      EXPECT_TRUE(std::isinf(upper[i]) || along[i] <= size * zero) << i;
    }
  };
  const DenseMatrix A = dense(problem.A);
  EXPECT_LE((A * d).lpNorm<Eigen::Infinity>(), zero * A.cwiseAbs().rowwise().sum().maxCoeff());
  expect_direction(d, problem.K.lower(), problem.K.upper(), 1.0);
  const DenseMatrix G(*problem.rows->G);
  expect_direction(G * d, problem.rows->lower, problem.rows->upper, G.cwiseAbs().rowwise().sum().maxCoeff());
  EXPECT_LT(problem.b.dot(d), 0.0);
}

}  // namespace slipstick::internal
