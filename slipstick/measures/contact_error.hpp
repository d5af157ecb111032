// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

namespace slipstick {

/// ||d (r - P(r - w / d))||^2 of one contact, with P the projection on the cone ||r_T|| <= mu r_N and
/// w = (w_N, u_T). The rounding of r - w / d could hide the error of a huge r. Inside the cone the result is
/// therefore ||w||^2. On its boundary, of two equal formulas, the one that keeps the smaller of d r and w is
/// used.
template <int dimension>
inline double squared_cone_error(const double* r, double w_normal, const double* u_tangent, double mu,
                                 double d) {
  constexpr int tangents = dimension - 1;
  double t[tangents], tt = 0.0, ww = w_normal * w_normal, xx = d * d * r[0] * r[0];
  for (int a = 0; a < tangents; ++a) {
    const double x = d * r[a + 1];
    t[a] = x - u_tangent[a];
    tt += t[a] * t[a];
    ww += u_tangent[a] * u_tangent[a];
    xx += x * x;
  }
  // d P(r - w / d) = P(n, t)
  const double n = d * r[0] - w_normal;
  if (n >= 0.0 && tt <= mu * mu * n * n) return ww;
  const double length = std::sqrt(tt);
  if (mu * length <= -n) return xx;
  const double gap = (length - mu * n) / (1.0 + mu * mu);
  const double height = (n + mu * length) / (1.0 + mu * mu);
  double error = 0.0;
  if (xx <= ww) {
    const double normal = d * r[0] - height;
    error = normal * normal;
    for (int a = 0; a < tangents; ++a) {
      const double e = d * r[a + 1] - (length > 0.0 ? mu * height / length : 0.0) * t[a];
      error += e * e;
    }
  } else {
    const double normal = w_normal - mu * gap;
    error = normal * normal;
    for (int a = 0; a < tangents; ++a) {
      const double e = u_tangent[a] + (length > 0.0 ? gap / length : 0.0) * t[a];
      error += e * e;
    }
  }
  return error;
}

/// ||u_T||
template <int dimension>
inline double sliding_speed(const double* u) {
  return dimension == 2 ? std::abs(u[1]) : std::sqrt(u[1] * u[1] + u[2] * u[2]);
}

/// The same under Coulomb's law, with w = u + mu ||u_T|| along the normal.
template <int dimension>
inline double squared_coulomb_error(const double* r, const double* u, double mu, double d) {
  // Open: the shift leaves -w in the polar cone.
  bool at_rest = true;
  for (int a = 0; a < dimension; ++a) at_rest = at_rest && r[a] == 0.0;
  if (at_rest && u[0] >= 0.0) return 0.0;
  return squared_cone_error<dimension>(r, u[0] + mu * sliding_speed<dimension>(u), u + 1, mu, d);
}

/// Squared errors of contacts under Coulomb's law, by both measures.
struct CoulombErrors {
  double scaled = 0.0;                      ///< ||d_i e_i||^2, e_i = r_i - P(r_i - u^_i / d_i)
  double published = 0.0;                   ///< ||r_i - P(r_i - u^_i)||^2
  double impulses = 0.0, velocities = 0.0;  ///< ||r||^2, ||u||^2

  /// Adds one contact.
  template <int dimension>
  [[gnu::always_inline]] void add(const double* r, const double* u, double mu, double d) {
    double rr = 0.0, uu = 0.0;
    for (int a = 0; a < dimension; ++a) {
      rr += r[a] * r[a];
      uu += u[a] * u[a];
    }
    impulses += rr;
    velocities += uu;
    scaled += squared_coulomb_error<dimension>(r, u, mu, d);
    published += squared_coulomb_error<dimension>(r, u, mu, 1.0);
  }

  // Both errors for contacts without bilateral rows, norm = ||q||. If a square overflows, one of them is not
  // finite.
  double scaled_natural_map(double norm) const { return scaled == 0.0 ? 0.0 : std::sqrt(scaled) / norm; }
  double desaxce(double norm) const {
    const double largest = std::max(norm, std::sqrt(std::max(impulses, velocities)));
    return (published == 0.0 ? 0.0 : std::sqrt(published) / largest) + 0.0 * largest;
  }
};

}  // namespace slipstick
