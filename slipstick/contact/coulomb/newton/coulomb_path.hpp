// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/contact/coulomb/coulomb_method.hpp"
#include "slipstick/contact/coulomb/newton/contact_system.hpp"
#include "slipstick/contact/coulomb/newton/scaled_island.hpp"
#include "slipstick/problems/barrier.hpp"

namespace slipstick::internal {

/// Points near the central path of Coulomb's law on an island, and Newton's directions at these points.
///
/// In the scale of ScaledIsland, with A = D W D and b = D q / c, the law is
///
///     z = A x + b + (s(z), 0, 0),  x o z = tau e,  s(z) = ||z_T||,  tau -> 0,
///
/// x and z inside the cones ||x_T|| <= x_N. s may be smoothed to sqrt(||z_T||^2 + smoothing^2 det z). The
/// limit is the same. Its derivative may treat det z as a constant, or not.
///
/// The x of a joint's row is free. Each bound of the row is one more cone, the half-line of the distance y =
/// x - lower or y = upper - x. With the z of these cones,
///
///     z_lower - z_upper = A x + b,  y z = tau.
///
/// F are the Nesterov-Todd scalings, with lambda = F x = F^-1 z. G = [1 - ds/dz_N, -ds/dz_T; 0, 1] is the
/// derivative of z - (s, 0, 0). The direction for lambda o t = the target is
///
///     (G^-1 A + F^2) dx = share G^-1 residual + F t,  F^-1 dz = t - F dx.
///
/// It is solved in the spectral frame F = Q L Q' of F, with rows and columns divided by sqrt(1 + L^2). The
/// system is therefore as well conditioned as A, for any F. The row of a joint has the sum of F^2 over its
/// bounds. F and lambda are updated in the scaled space (see NesterovTodd).
class CoulombPath {
 public:
  struct Direction {
    std::vector<ConePoint> x, z;                // dx, dz
    std::vector<ConePoint> scaled_x, scaled_z;  // F dx, F^-1 dz
    Vector rows;                                // of joints
  };
  struct Cone {
    ConePoint x, z;
    NesterovTodd scaling;
  };

  explicit CoulombPath(SharedSystem system = std::make_shared<ContactSystem>())
      : shared_(std::move(system)), system_(*shared_) {}
  /// tau = 1 and, except for the equations, x = z. So x = z = e at contacts, and no impulses at free rows.
  void start(const CoulombMethod::Context& context);
  /// Starts from context.r near the solution. It takes the point of the central path (except
  /// for the equations) with the same x - z (see smoothed_projection). tau is the mean square of their
  /// natural map.
  void start_near(const CoulombMethod::Context& context);
  int cones() const { return static_cast<int>(cones_.size()); }
  const Cone& cone(int i) const { return cones_[static_cast<std::size_t>(i)]; }
  /// The mean of x'z, tau on the path.
  double gap() const;

  /// Computes the residuals of z = A x + b + (s, 0, 0) and of the rows, and r of the point. Returns their
  /// error relative to the target of the run. With `exact` the derivative of a smoothed s (smoothing < 1)
  /// includes det z.
  double set_residual(const CoulombMethod::Context& context, double smoothing, bool exact = false);
  /// The norm of the scaled residuals, with those of joints.
  double residual_norm() const;
  /// Impulses of the point. The vectors have the size of all islands.
  const Vector& r() const { return r_; }

  /// Call it after set_residual(). Returns false if a value is not finite. `shift` is added to the diagonal
  /// of A. A step then changes x less and leaves shift dx of the residual.
  bool factorize(const CoulombMethod::Context& context, double shift = 0.0);
  int determinant_sign() const { return system_.determinant_sign(); }
  /// Computes the direction for target(i), a ConePoint for each cone, and a share of the residual. Returns
  /// false if it is not finite.
  template <class Target>
  bool solve(double share, const Target& target, Direction& direction) {
    for (int i = 0; i < cones(); ++i)
      targets_[static_cast<std::size_t>(i)] = jordan_divide(cone(i).scaling.lambda(), target(i));
    return solve_targets(share, direction);
  }
  /// The largest step that keeps x and z in their cones.
  double max_step(const Direction& direction) const;
  /// The mean of x'z after a step.
  double gap_after(const Direction& direction, double step) const;
  /// True if, after a step, sqrt(det x det z) >= share times the mean gap for all cones.
  bool stays_central(const Direction& direction, double step, double share) const;
  void step(const Direction& direction, double length);
  /// direction *= factor, and to += factor direction.
  void scale(Direction& direction, double factor) const;
  void add(const Direction& direction, double factor, Direction& to) const;

  /// Save and restore the point.
  void keep(std::vector<Cone>& cones, Vector& l) const;
  void restore(const std::vector<Cone>& cones, const Vector& l);

 private:
  // Data that depend on the point, of contacts and of the rows of joints.
  struct Contact {
    ConePoint residual = ConePoint::Zero();
    double slope[2] = {0.0, 0.0};           // derivative of s by z_T
    double rest = 1.0;                      // 1 - ds/dz_N
    ConePoint values = ConePoint::Ones();   // L
    ConePoint divisor = ConePoint::Ones();  // sqrt(1 + L^2)
    Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();
  };
  struct Row {
    double residual = 0.0;
    double squared = 0.0;  // sum of F^2
    double divisor = 1.0;  // sqrt(1 + squared)
  };
  // A bound of a joint's row. y = sign (x - bound).
  struct Bound {
    std::size_t row;
    double sign;
  };
  int contacts() const { return static_cast<int>(contacts_.size()); }
  void list_bounds();
  void put_rows(double tau);
  void for_bounds(const auto& visit) const;
  bool solve_targets(double share, Direction& direction);
  void set_unknowns(int i, double shift);
  void set_row_unknowns();
  int offset(int i) const { return system_.offset(scaled_.island().begin + i); }
  int offset(const ScaledIsland::Row& row) const { return system_.offset(row.node) + row.place; }

  SharedSystem shared_;
  ContactSystem& system_;
  std::vector<Cone> cones_;  // of contacts, then of bounds
  std::vector<Contact> contacts_;
  std::vector<ConePoint> targets_;
  std::vector<Row> rows_;
  std::vector<Bound> bounds_;
  Vector row_x_;  // x of the rows
  ScaledIsland scaled_;
  ScaledIsland::Values x_, y_;
  Vector r_, u_;
  Vector right_side_;
};

}  // namespace slipstick::internal
