// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "slipstick/problems/barrier.hpp"

namespace slipstick::internal {

/// A shift of the normal velocity and its gradient.
struct SmoothShift {
  double rho = 0.0;
  double slope[2] = {0.0, 0.0};
};

/// What a ShiftPath must know of the cone of a contact under Coulomb's law, ||x_T|| <= x_N. A barrier has the
/// scaling of a pair x, z. Scaled points are lambda = F x = F^-1 z, with products in the Jordan algebra. F =
/// U L Q' by singular values. Here F is symmetric, and U = Q.
class ConeBarrier {
 public:
  static constexpr int rows = 3;
  static constexpr int members = 1;              ///< products x o z of a contact
  static constexpr double proximal_share = 1.0;  ///< of ShiftIpmSettings::proximal
  static constexpr double centring_share = 1.0;  ///< of the mean product, the target of a centring direction
  using Scaled = ConePoint;
  using Frame = Eigen::Matrix3d;

  static ConePoint first_z() { return cone_identity(); }
  /// `size`: rows of x, 1 to 3.
  void start(int /*size*/) {}
  /// Moves x and z, which are nearly a solution, to the path at tau.
  void start_near(double tau, ConePoint& x, ConePoint& z);
  const Scaled& lambda() const { return scaling_.lambda(); }
  /// dz of a scaled dz.
  ConePoint unscaled_z(const Scaled& z) const { return scaling_.apply(z); }
  void factorize(int size, Frame& U, ConePoint& L, Eigen::Matrix3d& Q) const;
  /// The scaling of new points, given in the present one. Returns false if they are not inside the cone.
  bool update(const Scaled& x, const Scaled& z);

  static Scaled identity() { return cone_identity(); }
  static Scaled product(const Scaled& x, const Scaled& z) { return jordan_product(x, z); }
  static Scaled divide(const Scaled& x, const Scaled& product) { return jordan_divide(x, product); }
  static double max_step(const Scaled& x, const Scaled& d) { return internal::max_step(x, d); }
  /// The change that brings the eigenvalues of a product between two bounds. Its norm is at most the larger.
  static Scaled change_of_product(const Scaled& product, double least, double largest);
  /// ||y_T||, smoothed from below: ||y_T||^2 / sqrt(||y_T||^2 + eps^2).
  static SmoothShift shift(const ConePoint& y, double eps);

 private:
  NesterovTodd scaling_;
};

/// The same under the law of boxes, where the cone is the pyramid |x_1|, |x_2| <= x_N. It has the facets g =
/// C x >= 0 with multipliers m >= 0 and z = C' m, and scaled points with one row for each facet. F = W C, W^2
/// = diag(m / g). If x has fewer rows, facets coincide.
class PyramidBarrier {
 public:
  static constexpr int rows = 4;
  static constexpr int members = 4;
  static constexpr double proximal_share = 0.01;
  static constexpr double centring_share = 0.5;
  using Scaled = Eigen::Vector4d;
  using Frame = Eigen::Matrix<double, 4, 3>;

  static ConePoint first_z() { return {4.0, 0.0, 0.0}; }
  void start(int size) { size_ = size; }
  void start_near(double tau, ConePoint& x, ConePoint& z);
  const Scaled& lambda() const { return lambda_; }
  ConePoint unscaled_z(const Scaled& z) const;
  void factorize(int size, Frame& U, ConePoint& L, Eigen::Matrix3d& Q) const;
  bool update(const Scaled& x, const Scaled& z);

  static Scaled identity() { return Scaled::Ones(); }
  static Scaled product(const Scaled& x, const Scaled& z) { return x.cwiseProduct(z); }
  static Scaled divide(const Scaled& x, const Scaled& product) { return product.cwiseQuotient(x); }
  static double max_step(const Scaled& x, const Scaled& d);
  static Scaled change_of_product(const Scaled& product, double least, double largest);
  /// |y_1| + |y_2|, each smoothed from below.
  static SmoothShift shift(const ConePoint& y, double eps);

 private:
  int size_ = 3;
  Scaled scale_ = Scaled::Ones();  // W
  Scaled lambda_ = Scaled::Ones();
};

}  // namespace slipstick::internal
