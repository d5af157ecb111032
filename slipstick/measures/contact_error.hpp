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

/// d (x - P(x - w / d)) for lower <= x <= upper: the median of w, d (x - upper), d (x - lower).
inline double row_error(double x, double w, double d, double lower, double upper) {
  return std::min(std::max(w, d * (x - upper)), d * (x - lower));
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

/// The error of a contact. Under Coulomb's law w = u + mu ||u_T|| along the normal, otherwise w = u.
template <int dimension, bool coulomb>
inline double squared_contact_error(const double* r, const double* u, double mu, double d) {
  const ConePoints<1> x = ConePoints<1>::load<dimension>(r);
  ConePoints<1> w = ConePoints<1>::load<dimension>(u);
  if (coulomb && x.squared_norm() == 0.0 && u[0] >= 0.0) return 0.0;  // open: -w is in the polar cone
  if (coulomb) w.normal += mu * sliding_speed<dimension>(u);
  return squared_cone_error<1>(mu, x, w, d);
}

/// What the rulers see of a contact.
struct ContactPoint {
  const double *r, *u;
  double mu, d;
  double weight = 1.0;  ///< of the squared scaled error
};

/// What both rulers see of contacts under Coulomb's law, or under the convex law (u^ = u), in squares.
struct ContactErrors {
  double scaled = 0.0;                      ///< sum of weight ||d_i e_i||^2, e_i = r_i - P(r_i - u^_i / d_i)
  double published = 0.0;                   ///< ||r_i - P(r_i - u^_i)||^2
  double impulses = 0.0, velocities = 0.0;  ///< ||r||^2, ||u||^2

  /// Adds the contacts point(begin), ..., point(end - 1): two at a time, each under both rulers.
  template <int dimension, bool coulomb = true>
  [[gnu::always_inline]] void add(Index begin, Index end, const auto& point) {
    static constexpr double zero[3] = {};
    Pack errors = {}, rr = {}, uu = {};
    for (Index i = begin; i < end; i += 2) {
      const ContactPoint a = point(i), b = i + 1 < end ? point(i + 1) : ContactPoint{zero, zero, 0.0, 1.0};
      const auto twice = [&](double of_a, double of_b) __attribute__((always_inline)) {
        return Pack{of_a, of_a, of_b, of_b};
      };
      const auto points = [&](const double* of_a, const double* of_b) __attribute__((always_inline)) {
        return ConePoints<4>{twice(of_a[0], of_b[0]), twice(of_a[1], of_b[1]),
                             dimension == 3 ? twice(of_a[dimension - 1], of_b[dimension - 1]) : Pack{}};
      };
      const ConePoints<4> r = points(a.r, b.r), u = points(a.u, b.u);
      const Pack squared_r = r.squared_norm(), mu = twice(a.mu, b.mu);
      rr += squared_r;
      uu += u.squared_norm();
      ConePoints<4> w = u;
      if (coulomb) w.normal += mu * square_roots(u.first * u.first + u.second * u.second);
      const Pack squared =
          Pack{a.weight, 1.0, b.weight, 1.0} * squared_cone_error<4>(mu, r, w, Pack{a.d, 1.0, b.d, 1.0});
      // An open contact has no error, although rounding may give it one: -w is in the polar cone.
      errors += coulomb ? unless_zero(squared_r + larger(Pack{}, -u.normal), squared) : squared;
    }
    scaled += errors[0] + errors[2];
    published += errors[1] + errors[3];
    impulses += rr[0] + rr[2];
    velocities += uu[0] + uu[2];
  }

  /// The same for contacts whose friction is in boxes: normals and tangents are judged row by row.
  template <int dimension>
  void add_boxes(Index begin, Index end, const auto& point) {
    for (Index i = begin; i < end; ++i) {
      const ContactPoint contact = point(i);
      const double radius = contact.mu * std::max(contact.r[0], 0.0);
      for (int a = 0; a < dimension; ++a) {
        const double r = contact.r[a], u = contact.u[a];
        const double lower = a == 0 ? 0.0 : -radius;
        const double upper = a == 0 ? std::numeric_limits<double>::infinity() : radius;
        const double error = row_error(r, u, contact.d, lower, upper);
        const double plain = row_error(r, u, 1.0, lower, upper);
        scaled += contact.weight * error * error;
        published += plain * plain;
        impulses += r * r;
        velocities += u * u;
      }
    }
  }

  /// Adds the row of a joint, limit or motor.
  void add_row(double r, double u, double d, double lower, double upper) {
    const double error = row_error(r, u, d, lower, upper), plain = row_error(r, u, 1.0, lower, upper);
    scaled += error / d * error;
    published += plain * plain;
    impulses += r * r;
  }
};

}  // namespace slipstick::internal

#pragma GCC diagnostic pop
