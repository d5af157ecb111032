// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "slipstick/solvers/interior_point/cone_unknowns.hpp"

namespace slipstick::internal {

/// The barrier functions f_i(y) <= 0 of the primal-dual interior point method and their multipliers lambda_i,
/// on the unknowns y of ConeUnknowns:
///
/// - a cone: f_1 = -y_N and f_2 = (||y_T||^2 / y_N - y_N) / 2;
/// - a bound: f = -y or f = y - width.
///
/// Melanz 2015 has (||y_T||^2 - y_N^2) / 2 for f_2. For y_N > 0 it describes the same cone, but it is not
/// convex and its gradient vanishes at the tip. Its multiplier grows without limit at contacts that separate.
/// Newton's method then makes shorter and shorter steps (s^2 ~ 1/t). Divided by y_N it is convex and
/// homogeneous of degree one, and its multipliers converge. The two functions together make the self-dual
/// barrier of the cone. It is -log(y_N^2 - ||y_T||^2).
///
/// Let s = ||y_T|| / y_N and d = y_T / ||y_T||. The contribution of the barrier to the reduced Newton
/// matrix,
///
///     sum lambda_i Hess f_i + sum lambda_i / (-f_i) grad f_i grad f_i',
///
/// is in the frame p = (1, d) / sqrt 2, m = (1, -d) / sqrt 2 and across
///
///     y_N H_pp = lambda_1 / 2 + lambda_2 (1 - s)^2 / 2 + lambda_2 (1 - s)^3 / (4 (1 + s)),
///     y_N H_mm = lambda_1 / 2 + lambda_2 (1 + s)^2 / 2 + lambda_2 (1 + s)^3 / (4 (1 - s)),
///     y_N H_pm = lambda_1 / 2 - lambda_2 (1 - s)(1 + s) / 4,   y_N H_across = lambda_2.
///
/// It is positive definite, without cancellation near the boundary, and diagonal on the central path. terms()
/// has its spectral frame.
///
/// The gradient of f_2 depends only on y_T / y_N. At contacts that open, y shrinks by orders of magnitude in
/// one step. Along a straight line, y_T / y_N would then be wrong by the same factor. The product of A with
/// the cone's y is about max(1, mu^2) y_N. If that is smaller than the multipliers, a step moves y_N and y_T
/// / y_N along straight lines. The path is y + s dy + s^2 (0, dy_N d(y_T / y_N)), with the same tangent.
class PdipBarrier {
 public:
  void prepare(const Problem& problem, const Vector& d);
  const ConeUnknowns& unknowns() const { return unknowns_; }
  /// Number of cones and bounds.
  Index degree() const { return static_cast<Index>(cones_.size() + bounds_.size()); }
  /// m, the number of functions.
  Index functions() const { return static_cast<Index>(2 * cones_.size() + bounds_.size()); }
  const BarrierTerms& terms() const { return terms_; }

  /// Moves y inside by at least a thousand times `margin`, and sets multipliers of size `margin` with equal
  /// products.
  void start(double margin, Vector& y);
  /// Moves a y near the solution, with the gradient g, to the central path (see IpmBarrier::start_near), and
  /// sets its multipliers.
  void start_near(const Vector& g, Vector& y);
  /// x from y, with the fixed rows.
  void to_rows(const Vector& y, Vector& x) const;
  /// The surrogate duality gap -sum lambda_i f_i.
  double gap() const { return gap_after(0.0); }
  /// Sets the targets c_i of the products p_i = lambda_i (-f_i): p_i + c_i = tau.
  void aim(double tau);
  /// The same, less `weight` times the second-order part of the products. This second-order part is their
  /// deviation from p_i + s c_i after a step s, divided by s^2.
  void aim_with_correction(double tau, double step, double weight);
  /// r -= sum grad f_i c_i / (-f_i), the contribution of the targets to the right side.
  void add_targets(Vector& r) const;
  /// Computes the direction of the multipliers from the direction of y: -lambda_i grad f_i'dy - f_i dlambda_i
  /// = c_i. The path is y + s direction + s^2 bend. Returns true if the bend is not zero.
  bool set_direction(const Vector& direction, Vector& bend);
  /// The largest step that keeps y and the multipliers feasible.
  double max_step() const;
  /// The gap after a step.
  double gap_after(double step) const;
  /// True if, after a step, every product is at least the given share of the mean product.
  bool is_centred(double step, double share) const;
  /// Residuals after a step: g += sum lambda_i grad f_i. Returns the norm of the lambda_i (-f_i) - tau, or
  /// infinity if the step ends outside.
  double residual_after(double step, double tau, Vector& g) const;
  /// Moves cones and bounds by a step. Other entries of y are unchanged.
  void step(double length, Vector& y);

 private:
  struct Cone {
    ConeUnknowns::Block block = {};
    double stiffness = 1.0;  // upper bound of the diagonal of the scaled A
    double normal = 0.0;
    Eigen::Vector2d ratio = Eigen::Vector2d::Zero();  // y_T / y_N
    double dnormal = 0.0;
    Eigen::Vector2d dratio = Eigen::Vector2d::Zero();
    bool bent = false;  // true: a step moves the ratio along a straight line; false: y_T

    double normal_after(double step) const { return normal + step * dnormal; }
    Eigen::Vector2d ratio_after(double step) const {
      return ratio + (bent ? step : step * normal / normal_after(step)) * dratio;
    }
    std::array<double, 2> lambda = {};
    std::array<double, 2> dlambda = {};
    std::array<double, 2> target = {};
  };
  struct Bound {
    int unknown = 0;
    double sign = 1.0;  // sign of y in -f
    double slack = 0.0;
    double dslack = 0.0;
    double lambda = 0.0;
    double dlambda = 0.0;
    double target = 0.0;
  };
  using Products = std::array<double, 2>;
  static Products products_after(const Cone& cone, double step);
  static double product_after(const Bound& bound, double step) {
    return (bound.lambda + step * bound.dlambda) * (bound.slack + step * bound.dslack);
  }
  void refresh();
  static ConePoint point(const Cone& cone) {
    return {cone.normal, cone.normal * cone.ratio[0], cone.normal * cone.ratio[1]};
  }
  static ConePoint find_terms(const Cone& cone, Eigen::Matrix3d& frame);

  ConeUnknowns unknowns_;
  std::vector<Cone> cones_;
  std::vector<Bound> bounds_;
  BarrierTerms terms_;
};

}  // namespace slipstick::internal
