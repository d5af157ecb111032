// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/contact/coulomb/coulomb_method.hpp"
#include "slipstick/contact/coulomb/newton/contact_system.hpp"
#include "slipstick/contact/coulomb/newton/scaled_island.hpp"
#include "slipstick/contact/coulomb/newton/shift_barriers.hpp"

namespace slipstick::internal {

/// Points near the central path of Coulomb's law, and Newton's directions there. PyramidBarrier in place of
/// ConeBarrier gives the law of boxes, with |y_1| + |y_2| for ||y_T||. De Saxce's shift s is a variable of
/// its own. y = A x + b is in the scale of ScaledIsland. On the path:
///
///     z = y + (s, 0, 0),  x o z = tau e,  x and z in their cones.
///
/// s follows ||y_T|| by a step of the implicit Euler method, s+ = (1 - kappa) s + kappa rho(y_T+). rho is
/// ||y_T||, smoothed from below: rho = ||y_T||^2 / sqrt(||y_T||^2 + eps^2). It is zero with zero gradient if
/// nothing slides, so that a contact that sticks gets no shift. A row l <= x <= u has a slack and a
/// multiplier for each bound, and the equation y = z_l - z_u.
///
/// F are the scalings, F = U L Q' with lambda = F x = F'^-1 z (Nesterov and Todd 1997). The direction for
/// lambda o t = the target is
///
///     (F'F + delta + G A) dx = F't - residual,  F'^-1 dz = t - F dx,  G = [1, kappa grad rho'; 0, 1],
///
/// with the residual y + (s + kappa (rho - s), 0, 0) - z. The proximal term delta is centred at the point. It
/// limits the condition of redundant contacts. With it, the residual falls by some factor per step instead of
/// at once. The system is solved in the frame Q, divided by sqrt(1 + L^2) on both sides.
template <class Barrier>
class ShiftPath {
 public:
  using Scaled = typename Barrier::Scaled;
  struct Direction {
    std::vector<ConePoint> x;                ///< dx
    std::vector<Scaled> scaled_x, scaled_z;  ///< F dx, F'^-1 dz
    std::vector<Scaled> target;              ///< lambda o t
    struct Row {
      double x = 0.0;
      double z[2] = {0.0, 0.0};
      double target[2] = {0.0, 0.0};
    };
    std::vector<Row> rows;
  };
  struct Point {
    struct Cone {
      ConePoint x = cone_identity(), z = Barrier::first_z();
      double s = 0.0;
      Barrier barrier = {};
    };
    /// Slacks and multipliers of the lower and the upper bound. Without a bound both are 0.
    struct Row {
      double x = 0.0;
      double slack[2] = {0.0, 0.0}, z[2] = {0.0, 0.0};
    };
    std::vector<Cone> cones;
    std::vector<Row> rows;
  };

  explicit ShiftPath(SharedSystem system = std::make_shared<ContactSystem>())
      : shared_(std::move(system)), system_(*shared_) {}
  /// Call it first for an island. delta: see above.
  void prepare(const CoulombMethod::Context& context, double delta);
  const ScaledIsland& scaled() const { return scaled_; }

  /// x = e, x o z = e, s = 0. Returns the error relative to the target of the run.
  double start(const CoulombMethod::Context& context);
  double restart(const CoulombMethod::Context& context, const Point& from);
  /// The point of the path near the impulses of the context, with their velocities and s = ||y_T||. Returns
  /// its tau: the square of the natural map, which is about the square of what has changed since they were a
  /// solution.
  double start_near(const CoulombMethod::Context& context);
  const Point& point() const { return point_; }
  /// The impulses of the point. The vector has the size of all islands.
  const Vector& r() const { return r_; }

  /// Root mean squares over contacts and rows: y + (s, 0, 0) - z, and rho - s.
  double residual() const;
  double shift_gap() const;
  /// The mean of x'z, tau on the path.
  double gap() const;

  /// rho and its gradient for an eps. Without it they are zero, and the law is the convex one.
  void set_shift(double eps);
  /// Call it after set_shift(). Returns false if a value is not finite.
  bool factorize(const CoulombMethod::Context& context, double kappa);
  /// The direction to x o z = tau e. If there is a `first` direction, this share of its second-order term is
  /// subtracted. Returns false if the direction is not finite.
  bool solve(double tau, const Direction* first, double share, Direction& direction);
  bool solve(double tau, Direction& direction) { return solve(tau, nullptr, 0.0, direction); }
  /// Another direction from a given one, with the same factor (Gondzio 1996). The products x o z at a step of
  /// this length get new targets where they are far from tau e, so that they do not end the step early.
  bool recentre(double tau, const Direction& from, double length, Direction& direction);
  /// The largest step that keeps x, z and the slacks in their cones.
  double max_step(const Direction& direction) const;
  /// Goes to the next point. Returns its error relative to the target of the run, or infinity if the point is
  /// not inside the cones.
  double step(const CoulombMethod::Context& context, const Direction& direction, double length);

 private:
  // What belongs to the present point of a contact, its residual and its system.
  struct Contact {
    SmoothShift shift;  // rho and its gradient
    ConePoint residual = ConePoint::Zero();
    Scaled product = Scaled::Zero();                            // lambda o t
    Scaled target = Scaled::Zero();                             // t
    ConePoint values = ConePoint::Ones();                       // L
    ConePoint divisor = ConePoint::Ones();                      // sqrt(1 + L^2)
    Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();        // Q
    typename Barrier::Frame left = Barrier::Frame::Identity();  // U
  };
  double evaluate(const CoulombMethod::Context& context);
  void set_unknowns(std::size_t i);
  void set_row_unknowns();
  void aim(double tau, const Direction* first, double share);
  void aim_recentred(double tau, const Direction& from, double length);
  void set_target(std::size_t i, const Scaled& product);
  void set_target(std::size_t k, int side, double product);
  bool solve_targets(Direction& direction);
  void set_right_side();
  void read_direction(Direction& direction) const;
  double row_gap(std::size_t k) const;
  double per_member() const;
  int offset(std::size_t i) const { return system_.offset(scaled_.island().begin + static_cast<int>(i)); }
  int offset(const ScaledIsland::Row& row) const { return system_.offset(row.node) + row.place; }

  SharedSystem shared_;
  ContactSystem& system_;
  ScaledIsland scaled_;
  double delta_ = 0.0, kappa_ = 0.0;
  Point point_;
  std::vector<Contact> contacts_;
  struct RowTargets {
    double product[2] = {0.0, 0.0}, t[2] = {0.0, 0.0};
    double divisor = 1.0;
  };
  std::vector<RowTargets> row_targets_;
  ScaledIsland::Values x_, y_, last_y_;
  Vector r_, u_;
  Vector right_side_;
};

extern template class ShiftPath<ConeBarrier>;
extern template class ShiftPath<PyramidBarrier>;

}  // namespace slipstick::internal
