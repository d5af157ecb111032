// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace slipstick {

/// The point of the cone ||r_T|| <= mu r_N nearest to x, which may be r.
template <int dimension>
inline void project_on_cone(double mu, const double* x, double* r) {
  double squared = 0.0;
  for (int a = 1; a < dimension; ++a) squared += x[a] * x[a];
  const double length = std::sqrt(squared);
  double normal = x[0], share = 1.0;
  if (mu * length <= -x[0]) {
    normal = share = 0.0;
  } else if (length > mu * x[0]) {
    normal = (x[0] + mu * length) / (1.0 + mu * mu);
    share = mu * normal / length;
  }
  r[0] = normal;
  for (int a = 1; a < dimension; ++a) r[a] = share * x[a];
}

}  // namespace slipstick
