// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/problems/curvature.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "slipstick/base/random.hpp"
#include "slipstick/linalg/dense_factor.hpp"
#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal {
namespace {

constexpr Index most_lanczos_steps = 40;
constexpr double rounding_of_spectrum = 1e-12;  // relative to the largest eigenvalue

}  // namespace

// Without orthogonalization eigenvalues come back several times, which does no harm here.
bool finds_negative_curvature(const Operator& a) {
  const Index n = a.rows(), most = std::min(n, most_lanczos_steps);
  if (n == 0) return false;
  Random random(1);
  Vector last = Vector::Zero(n), now(n), next(n), alpha(most), beta(most);
  for (double& value : now) value = random.normal();
  now.normalize();
  Index steps = 0;
  double before = 0.0;
  while (steps < most) {
    a.multiply(now, next);
    alpha[steps] = now.dot(next);
    next -= alpha[steps] * now + before * last;
    before = beta[steps] = next.norm();
    ++steps;
    if (!(before > rounding_of_spectrum * std::abs(alpha[0]))) break;
    std::swap(last, now);
    now = next / before;
  }
  const SpectrumEnds ends = tridiagonal_spectrum(alpha.head(steps), beta.head(steps - 1));
  const double largest = std::max(std::abs(ends.smallest), std::abs(ends.largest));
  return ends.smallest < -rounding_of_spectrum * largest;
}

}  // namespace slipstick::internal
