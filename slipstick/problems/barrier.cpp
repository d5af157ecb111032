// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/problems/barrier.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "slipstick/matrix.hpp"

namespace slipstick::internal {
namespace {

double tangent_norm(const ConePoint& x) {
  return std::sqrt(x[1] * x[1] + x[2] * x[2]);
}

ConePoint reflected(const ConePoint& x) {
  return {x[0], -x[1], -x[2]};
}

/// The power of two above the largest entry.
double power_of_two(const ConePoint& x) {
  int exponent = 0;
  std::frexp(std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])}), &exponent);
  return std::ldexp(1.0, std::max(exponent, -1000));
}

// Near the apex, a small rounding error of the determinant is a large one of x_N - ||x_T||. x_N - ||x_T|| is
// concave in t. Newton's method on it returns from outside without passing the boundary.
double back_to_cone(const ConePoint& x, const ConePoint& d, double t) {
  for (int pass = 0; pass < 2; ++pass) {
    const double tangent_1 = x[1] + t * d[1];
    const double tangent_2 = x[2] + t * d[2];
    const double tangent = std::sqrt(tangent_1 * tangent_1 + tangent_2 * tangent_2);
    const double inside = x[0] + t * d[0] - tangent;
    const double slope = d[0] - (tangent_1 * d[1] + tangent_2 * d[2]) / tangent;
    if (!(inside < 0.0 && slope < 0.0)) break;
    t = std::max(0.0, t - inside / slope);
  }
  return t;
}

// The spectral form of a point of determinant 1, which is Boost(rho, direction) e. Its eigenvalues are rho
// and 1 / rho. Its normal entry is computed from the tangents, which are accurate.
struct UnitPoint {
  UnitPoint(double tangent_1, double tangent_2, const Eigen::Vector2d& fallback) {
    tangent = std::sqrt(tangent_1 * tangent_1 + tangent_2 * tangent_2);
    normal = std::sqrt(1.0 + tangent * tangent);
    rho = normal + tangent;
    direction = tangent > 0.0 ? Eigen::Vector2d(tangent_1 / tangent, tangent_2 / tangent) : fallback;
  }
  ConePoint point() const { return {normal, tangent * direction[0], tangent * direction[1]}; }

  double normal;
  double tangent;
  double rho;
  Eigen::Vector2d direction;
};

ConePoint boost(double rho, const Eigen::Vector2d& d, const ConePoint& v) {
  const double along = d[0] * v[1] + d[1] * v[2];
  const double across = d[0] * v[2] - d[1] * v[1];
  const double plus = 0.5 * rho * (v[0] + along);
  const double minus = 0.5 / rho * (v[0] - along);
  return {plus + minus, (plus - minus) * d[0] - across * d[1], (plus - minus) * d[1] + across * d[0]};
}

/// The scaling of one pair: sqrt(det z / det x)^(1/2) and the unit point of w.
struct PairScaling {
  PairScaling(const ConePoint& x, const ConePoint& z, const Eigen::Vector2d& fallback)
      : x_root(std::sqrt(cone_determinant(x))),
        z_root(std::sqrt(cone_determinant(z))),
        beta(std::sqrt(z_root / x_root)),
        w(unit_point(x / x_root, z / z_root, fallback)) {}

  // (z + x^-1) / (2 c) with 2 c^2 = 1 + x'z, for x and z of determinant 1.
  static UnitPoint unit_point(const ConePoint& x, const ConePoint& z, const Eigen::Vector2d& fallback) {
    const double divisor = std::sqrt(2.0 * (1.0 + x.dot(z)));
    return {(z[1] - x[1]) / divisor, (z[2] - x[2]) / divisor, fallback};
  }

  double x_root;
  double z_root;
  double beta;
  UnitPoint w;
};

}  // namespace

double cone_determinant(const ConePoint& x) {
  const double tangent = tangent_norm(x);
  return (x[0] - tangent) * (x[0] + tangent);
}

ConePoint jordan_product(const ConePoint& x, const ConePoint& z) {
  return {x.dot(z), x[0] * z[1] + z[0] * x[1], x[0] * z[2] + z[0] * x[2]};
}

ConePoint jordan_divide(const ConePoint& x, const ConePoint& r) {
  const double normal = reflected(x).dot(r) / cone_determinant(x);
  return {normal, (r[1] - normal * x[1]) / x[0], (r[2] - normal * x[2]) / x[0]};
}

ConePoint smoothed_projection(const ConePoint& t, double mu) {
  const double tangent = tangent_norm(t);
  const double high = smoothed_projection(t[0] + tangent, 0.0, mu);
  const double low = smoothed_projection(t[0] - tangent, 0.0, mu);
  const double slope = tangent > 0.0 ? 0.5 * (high - low) / tangent : 0.0;
  return {0.5 * (high + low), slope * t[1], slope * t[2]};
}

double smoothed_projection(double t, double width, double mu) {
  const auto one_sided = [mu](double value) {
    const double root = std::sqrt(value * value + 4.0 * mu);
    if (value > 0.0) return 0.5 * (value + root);
    return root > 0.0 ? 2.0 * mu / (root - value) : 0.0;
  };
  if (!(width > 0.0)) return one_sided(t);
  if (t > 0.5 * width) return width - smoothed_projection(width - t, width, mu);
  // Without the other bound s would be a little larger. Newton's method starts there, and the interval is
  // halved if a step leaves it.
  double low = 0.0, high = 0.5 * width, s = std::min(one_sided(t), high);
  for (int k = 0; k < 100; ++k) {
    const double rest = width - s;
    const double value = s - mu / s + mu / rest - t;
    (value > 0.0 ? high : low) = s;
    const double next = s - value / (1.0 + mu / (s * s) + mu / (rest * rest));
    if (std::abs(next - s) <= 4.0 * machine_epsilon * s) break;
    s = next > low && next < high ? next : 0.5 * (low + high);
  }
  return s;
}

// The first t > 0 with det(x + t d) = a t^2 + 2 b t + c = 0. The discriminant b^2 - a c is written as a sum
// of squares. With e = x_N d_T - d_N x_T it is e_along^2 + e_across^2 c / x_N^2, along and across x_T. It
// vanishes for a line through the apex. b^2 - a c would be only rounding there.
double max_step(const ConePoint& point, const ConePoint& direction) {
  const double x_unit = power_of_two(point);
  const double d_unit = power_of_two(direction);
  const ConePoint x = point / x_unit;
  const ConePoint d = direction / d_unit;
  const double unit = x_unit / d_unit;
  const double x_tangent = tangent_norm(x);
  const double d_tangent = tangent_norm(d);
  if (d_tangent <= d[0]) return infinity;
  if (x[0] <= 0.0) return 0.0;

  const double e_1 = x[0] * d[1] - d[0] * x[1];
  const double e_2 = x[0] * d[2] - d[0] * x[2];
  const double rounding = 4.0 * machine_epsilon * (x[0] * d_tangent + std::abs(d[0]) * x_tangent);
  if (std::max(std::abs(e_1), std::abs(e_2)) <= rounding) {
    return d[0] < 0.0 ? unit * x[0] / -d[0] : infinity;
  }

  const double c = std::max(0.0, (x[0] - x_tangent) * (x[0] + x_tangent));
  const double b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
  double along = 0.0;
  double across = std::hypot(e_1, e_2);
  if (x_tangent > 0.0) {
    along = (x[1] * e_1 + x[2] * e_2) / x_tangent;
    across = (x[1] * e_2 - x[2] * e_1) / x_tangent;
  }
  const double root = std::sqrt(along * along + across * across * (c / (x[0] * x[0])));
  if (b <= 0.0) return root - b > 0.0 ? unit * back_to_cone(x, d, c / (root - b)) : 0.0;
  const double a = (d[0] - d_tangent) * (d[0] + d_tangent);
  return a < 0.0 ? unit * back_to_cone(x, d, (b + root) / -a) : infinity;
}

NesterovTodd NesterovTodd::scaling_from(const ConePoint& x, const ConePoint& z) {
  NesterovTodd result;
  result.update(x, z);
  return result;
}

void NesterovTodd::update(const ConePoint& scaled_x, const ConePoint& scaled_z) {
  const PairScaling pair(scaled_x, scaled_z, direction_);
  const ConePoint turned = pair.beta * boost(pair.w.rho, pair.w.direction, scaled_x);

  // Half the angle of R from the product of the boosts' square roots, cosh + sinh (d . sigma) each.
  const double pair_cosh = 0.5 * (std::sqrt(pair.w.rho) + 1.0 / std::sqrt(pair.w.rho));
  const double pair_sinh = 0.5 * pair.w.tangent / pair_cosh;
  const double old_cosh = 0.5 * (std::sqrt(rho_) + 1.0 / std::sqrt(rho_));
  const double old_sinh = 0.5 * (std::sqrt(rho_) - 1.0 / std::sqrt(rho_));
  const Eigen::Vector2d& p = pair.w.direction;
  const double sine = pair_sinh * old_sinh * (p[0] * direction_[1] - p[1] * direction_[0]);
  const double cosine = pair_cosh * old_cosh + pair_sinh * old_sinh * p.dot(direction_);
  const double square = sine * sine + cosine * cosine;
  const double turn_cosine = (cosine - sine) * (cosine + sine) / square;
  const double turn_sine = 2.0 * sine * cosine / square;
  lambda_ = {turned[0], turn_cosine * turned[1] - turn_sine * turned[2],
             turn_sine * turned[1] + turn_cosine * turned[2]};

  const ConePoint w = boost(rho_, direction_, pair.w.point());
  const UnitPoint next(w[1], w[2], direction_);
  beta_ *= pair.beta;
  rho_ = next.rho;
  direction_ = next.direction;
}

ConePoint NesterovTodd::apply(const ConePoint& v) const {
  return beta_ * boost(rho_, direction_, v);
}

ConePoint NesterovTodd::apply_inverse(const ConePoint& v) const {
  return boost(rho_, -direction_, v) / beta_;
}

ConePoint NesterovTodd::point() const {
  const double cosh = 0.5 * (rho_ + 1.0 / rho_);
  const double sinh = 0.5 * (rho_ - 1.0 / rho_);
  return beta_ * ConePoint(cosh, sinh * direction_[0], sinh * direction_[1]);
}

Eigen::Matrix3d NesterovTodd::frame() const {
  const double half = std::numbers::sqrt2 / 2.0;
  Eigen::Matrix3d q;
  q << half, half, 0.0,                                             //
      half * direction_[0], -half * direction_[0], -direction_[1],  //
      half * direction_[1], -half * direction_[1], direction_[0];
  return q;
}

}  // namespace slipstick::internal
