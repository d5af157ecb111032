// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/problems/cone_lanes.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace slipstick::internal {

/// The scale d of rows that are judged together: the mean of their diagonal entries of A (or W), 1 if that is
/// not positive.
inline double ruler_scale(double mean_diagonal) {
  return mean_diagonal > 0.0 ? mean_diagonal : 1.0;
}

/// ||d (x - P(x - w / d))||^2 for friction cones, where d P(x - w / d) = P(d x - w). A huge x does not hide
/// its error in the rounding of x - w / d.
template <int Contacts>
[[gnu::always_inline]] inline Lane<Contacts> squared_cone_error(const Lane<Contacts>& mu,
                                                                const ConePoints<Contacts>& x,
                                                                const ConePoints<Contacts>& w,
                                                                const Lane<Contacts>& d) {
  const ConePoints<Contacts> scaled = d * x;
  const ConePoints<Contacts> moved = scaled - w;
  const ConePoints<Contacts> projected = projected_on_cones<Contacts>(mu, moved);
  // Two ways to write the same, weighted so that the smaller of d x and w is not rounded away.
  const Lane<Contacts> smallest = Lane<Contacts>{} + std::numeric_limits<double>::min();
  const Lane<Contacts> w_squared = w.squared_norm();
  const Lane<Contacts> share = w_squared / larger(smallest, scaled.squared_norm() + w_squared);
  return (share * (scaled - projected) + (1.0 - share) * (w + (moved - projected))).squared_norm();
}

/// ||u_T||
template <int dimension>
inline double sliding_speed(const double* u) {
  return dimension == 2 ? std::abs(u[1]) : std::sqrt(u[1] * u[1] + u[2] * u[2]);
}

/// Under Coulomb's law: w = u + mu ||u_T|| along the normal.
template <int dimension>
inline double squared_coulomb_error(const double* r, const double* u, double mu, double d) {
  // Open: the shift leaves -w in the polar cone.
  bool at_rest = true;
  for (int a = 0; a < dimension; ++a) at_rest = at_rest && r[a] == 0.0;
  if (at_rest && u[0] >= 0.0) return 0.0;
  ConePoints<1> w = ConePoints<1>::load<dimension>(u);
  w.normal += mu * sliding_speed<dimension>(u);
  return squared_cone_error<1>(mu, ConePoints<1>::load<dimension>(r), w, d);
}

/// What both rulers see of contacts under Coulomb's law, in squares.
struct CoulombErrors {
  double scaled = 0.0;                      ///< ||d_i e_i||^2, e_i = r_i - P(r_i - u^_i / d_i)
  double published = 0.0;                   ///< ||r_i - P(r_i - u^_i)||^2
  double impulses = 0.0, velocities = 0.0;  ///< ||r||^2, ||u||^2

  /// One contact more.
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

  // Both errors, of contacts without bilateral rows and norm = ||q||. One of them is not finite where a
  // square overflows.
  double scaled_natural_map(double norm) const { return scaled == 0.0 ? 0.0 : std::sqrt(scaled) / norm; }
  double desaxce(double norm) const {
    const double largest = std::max(norm, std::sqrt(std::max(impulses, velocities)));
    return (published == 0.0 ? 0.0 : std::sqrt(published) / largest) + 0.0 * largest;
  }
};

}  // namespace slipstick::internal

#pragma GCC diagnostic pop
