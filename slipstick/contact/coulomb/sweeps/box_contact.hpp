// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace slipstick::internal {

/// The law of boxes at one contact in space, with all others at rest. Given b and mu, find r with
///     u = D r + b  and  open: r = 0, u_N >= 0, or closed: r_N >= 0, u_N = 0, and for each tangent
///     stick:  u_i = 0,  |r_i| <= mu r_N
///     slip:   r_i = s mu r_N,  s u_i <= 0,  s = 1 or -1.
/// D is the contact's diagonal block, symmetric or not. The last mode is tried first. From there each tangent
/// that violates its condition changes its mode, as in a semismooth Newton method. If that does not end, all
/// modes are tried.
///
/// `mode`: negative if open (or not known), else 3 (1 + s of the first tangent) + 1 + s of the second, with s
/// = 0 for stick. If solve() returns true, r and `mode` are updated, else both stay unchanged.
class BoxContact {
 public:
  BoxContact() = default;
  /// `D` row by row.
  explicit BoxContact(const double* D);

  /// The mode of a given r.
  double mode_of(double mu, const double* r) const;
  bool solve(const double* b, double mu, double& mode, double* r) const;

 private:
  using Sides = std::array<int, 2>;  // s of both tangents
  static double mode_of(const Sides& sides) { return 3.0 * (1 + sides[0]) + 1.0 + sides[1]; }
  bool solve_mode(const Sides& sides, const double* b, double mu, double* r) const;
  bool change_sides(const double* b, double mu, const double* r, double slack, Sides& sides) const;

  std::array<double, 9> D_ = {};
};

}  // namespace slipstick::internal
