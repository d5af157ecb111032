// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// ||d (x - P(x - w / d))||^2 for friction cones, with d P(x - w / d) = P(d x - w). A huge x does not hide
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

/// The error under Coulomb's law, w = u + mu ||u_T|| along the normal, for one d or for four.
template <int dimension, class Number>
[[gnu::always_inline]] inline Number squared_coulomb_error(const double* r, const double* u, double mu,
                                                           const Number& d) {
  constexpr int lanes = std::is_same_v<Number, Pack> ? 4 : 1;
  const auto in_all = [](double value) __attribute__((always_inline)) {
    return lane_of<lanes>([&](Index) { return value; });
  };
  // Open: -w is in the polar cone.
  bool at_rest = true;
  for (int a = 0; a < dimension; ++a) at_rest = at_rest && r[a] == 0.0;
  if (at_rest && u[0] >= 0.0) return Number{};
  const ConePoints<lanes> x{in_all(r[0]), in_all(r[1]), in_all(dimension == 3 ? r[dimension - 1] : 0.0)};
  const ConePoints<lanes> w{in_all(u[0] + mu * sliding_speed<dimension>(u)), in_all(u[1]),
                            in_all(dimension == 3 ? u[dimension - 1] : 0.0)};
  return squared_cone_error<lanes>(in_all(mu), x, w, d);
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
    const Pack both = squared_coulomb_error<dimension>(r, u, mu, Pack{d, 1.0, 1.0, 1.0});
    scaled += both[0];
    published += both[1];
  }
};

}  // namespace slipstick::internal

#pragma GCC diagnostic pop
