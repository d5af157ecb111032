// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

/// A lower bound of ||A^-1||_1, usually within a factor of 3, from a few solves with A and A'. It is Hager's
/// method (1984) in Higham's form (Accuracy and Stability of Numerical Algorithms, Alg. 15.1). `factor` has
/// solve(x) and solve_transposed(x), both in place. x and sign are scratch of the size of A.
template <class Factor>
double inverse_norm_estimate(const Factor& factor, Vector& x, Vector& sign) {
  const Index n = factor.rows();
  if (n == 0) return 0.0;
  x.resize(n);
  sign.resize(n);
  x.setConstant(1.0 / static_cast<double>(n));
  double estimate = 0.0;
  Index previous = -1;
  for (int pass = 0; pass < 5; ++pass) {
    factor.solve(x);
    const double norm = x.lpNorm<1>();
    // The loop also ends at an overflow or a NaN, which the estimate then returns.
    if (!(norm > estimate) && pass > 0) break;
    estimate = norm;
    if (!std::isfinite(norm)) return norm;
    for (Index i = 0; i < n; ++i) sign[i] = x[i] < 0.0 ? -1.0 : 1.0;
    factor.solve_transposed(sign);
    Index largest = 0;
    sign.cwiseAbs().maxCoeff(&largest);
    if (largest == previous) break;
    previous = largest;
    x.setZero();
    x[largest] = 1.0;
  }
  // The alternating vector detects matrices that are counterexamples to the iteration above.
  for (Index i = 0; i < n; ++i) {
    const double size = 1.0 + (n > 1 ? static_cast<double>(i) / static_cast<double>(n - 1) : 0.0);
    x[i] = i % 2 == 0 ? size : -size;
  }
  factor.solve(x);
  return std::fmax(estimate, 2.0 * x.lpNorm<1>() / (3.0 * static_cast<double>(n)));
}

}  // namespace slipstick::internal
