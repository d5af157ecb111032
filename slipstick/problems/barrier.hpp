// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace slipstick::internal {

// The self-dual barrier of one block of an interior point method, with Nesterov-Todd scaling.
//
// A block is a point x of the second-order cone ||x_T|| <= x_N with 1, 2 or 3 rows. Missing rows are zero.
// One row is the nonnegative half-line. A friction cone ||x_T|| <= mu x_N becomes self-dual by x = D y with D
// = diag(1, mu, mu). Then A -> D A D, b -> D b, and velocities u of the dual cone become D u. With mu = 0
// only the normal row remains.
//
// Jordan algebra of the cone: x o z = (x'z, x_N z_T + z_N x_T) with the identity e = (1, 0, 0). The
// determinant is x_N^2 - ||x_T||^2 = (x_N - ||x_T||)(x_N + ||x_T||), the product of the eigenvalues of x. On
// the central path x o z = tau e. Because e'e = 1, the complementarity gap x'z of a block is then tau for any
// number of rows.
using ConePoint = Eigen::Vector3d;

inline ConePoint cone_identity() {
  return {1.0, 0.0, 0.0};
}

double cone_determinant(const ConePoint& x);
/// x o z
ConePoint jordan_product(const ConePoint& x, const ConePoint& z);
/// y with x o y = r, for x inside the cone.
ConePoint jordan_divide(const ConePoint& x, const ConePoint& r);

/// The largest t >= 0 with x + t d in the cone, for x in the cone. It is infinite if there is no limit. A
/// point that is outside by rounding counts as on the boundary.
double max_step(const ConePoint& x, const ConePoint& d);

/// The point s of the central path near t: s - mu s^-1 = t, with s^-1 the inverse in the Jordan algebra. It
/// is a projection of t on the cone, smoothed by mu (Chen and Harker 1993; Fukushima, Luo and Tseng 2002 for
/// cones). With z = s - t, s o z = mu e. As mu falls, s and z become the projections of t and -t.
ConePoint smoothed_projection(const ConePoint& t, double mu);
/// The same between two bounds: s - mu / s + mu / (width - s) = t. A width of 0 means no upper bound. The
/// distance to the upper bound is the smoothed projection of width - t.
double smoothed_projection(double t, double width, double mu);

/// The scaling F of a pair x, z inside the cone. F is symmetric and an automorphism of the cone, with lambda
/// = F x = F^-1 z. It is stored by its spectral frame,
///
///     F = beta Boost(rho, d):  beta rho on (1, d), beta / rho on (1, -d), beta across (||d|| = 1, rho >= 1).
///
/// Near the boundary x_N - ||x_T|| cancels, so a scaling computed from x and z would be inaccurate. A method
/// therefore computes the scaling once and then updates it in the scaled space, from F x and F^-1 z of the
/// new iterates. These are far from the boundary if the iteration is centred.
class NesterovTodd {
 public:
  /// F = 1, lambda = e.
  NesterovTodd() = default;
  static NesterovTodd scaling_from(const ConePoint& x, const ConePoint& z);
  /// The scaling of new iterates, given in the current scaling: scaled_x = F x, scaled_z = F^-1 z. The boost
  /// of the two, G, composes as Boost(G) Boost(F) = R Boost(new) with a rotation R (Wigner's). The rotation
  /// turns lambda back.
  void update(const ConePoint& scaled_x, const ConePoint& scaled_z);

  /// F v
  ConePoint apply(const ConePoint& v) const;
  /// F^-1 v
  ConePoint apply_inverse(const ConePoint& v) const;
  const ConePoint& lambda() const { return lambda_; }
  /// The scaling point w: F^2 is the quadratic representation of w, and z = F^2 x.
  ConePoint point() const;

  double beta() const { return beta_; }
  double rho() const { return rho_; }
  const Eigen::Vector2d& direction() const { return direction_; }
  /// F = Q diag(values) Q' with the columns (1, d) / sqrt 2, (1, -d) / sqrt 2 and (0, across d) of Q. A block
  /// of 2 rows has its frame in the leading 2 x 2 entries. For 1 row F is the number beta.
  Eigen::Matrix3d frame() const;
  Eigen::Vector3d values() const { return {beta_ * rho_, beta_ / rho_, beta_}; }

 private:
  double beta_ = 1.0;
  double rho_ = 1.0;
  Eigen::Vector2d direction_{1.0, 0.0};
  ConePoint lambda_{1.0, 0.0, 0.0};
};

}  // namespace slipstick::internal
