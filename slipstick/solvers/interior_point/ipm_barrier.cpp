// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/ipm_barrier.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/matrix.hpp"

namespace slipstick::internal {
namespace {

// If contacts form chains, impulses are larger than loads. A start with too small impulses costs steps.
constexpr double ipm_slack_size = 100.0;

double tangent_norm(const ConePoint& x) {
  return std::hypot(x[1], x[2]);
}

bool is_inside(const ConePoint& x) {
  return cone_determinant(x) > 0.0 && x[0] > 0.0 && x.allFinite();
}

}  // namespace

void IpmBarrier::prepare(const Problem& problem, const Vector& d) {
  unknowns_.prepare(problem, d);
  cones_.clear();
  bounds_.clear();
  for (const ConeUnknowns::Block& block : unknowns_.cones()) cones_.push_back({.block = block});
  for (const ConeUnknowns::Bound& bound : unknowns_.bounds())
    bounds_.push_back({.unknown = bound.unknown, .sign = bound.sign});
  terms_.resize(unknowns_);
}

void IpmBarrier::start(double margin, Vector& y) {
  for (Cone& cone : cones_) {
    ConePoint s = ConeUnknowns::segment(y, cone.block);
    s[0] = std::max(s[0], tangent_norm(s) + ipm_slack_size * margin);
    y[cone.block.start] = s[0];
    cone.z = margin * cone_identity();
    cone.scaling = NesterovTodd::scaling_from(s, cone.z);
  }
  for (Bound& bound : bounds_) {
    bound.s = unknowns_.move_inside(bound.unknown, bound.sign, ipm_slack_size * margin, y);
    bound.z = ipm_slack_size * margin * margin / bound.s;
    bound.factor = std::sqrt(bound.z / bound.s);
    bound.lambda = std::sqrt(bound.z * bound.s);
  }
  refresh();
}

void IpmBarrier::start_near(const Vector& g, Vector& y) {
  const double tau = unknowns_.nearby_gap(y, g);
  for (Cone& cone : cones_) {
    const ConePoint t = ConeUnknowns::segment(y, cone.block) - ConeUnknowns::segment(g, cone.block);
    const ConePoint s = smoothed_projection(t, tau);
    cone.z = s - t;
    cone.scaling = NesterovTodd::scaling_from(s, cone.z);
    ConeUnknowns::set_segment(y, cone.block, s);
  }
  unknowns_.move_bounds_near(g, tau, y, [&](std::size_t k, double slack) {
    Bound& bound = bounds_[k];
    bound.s = slack;
    bound.z = tau / slack;
    bound.factor = std::sqrt(bound.z / bound.s);
    bound.lambda = std::sqrt(bound.z * bound.s);
  });
  refresh();
}

// Updates the terms that the systems need from the scalings.
void IpmBarrier::refresh() {
  terms_.squares.setZero();
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    terms_.frames[c] = cones_[c].scaling.frame();
    ConeUnknowns::set_segment(terms_.squares, cones_[c].block, cones_[c].scaling.values().cwiseAbs2());
  }
  for (const Bound& bound : bounds_) terms_.squares[bound.unknown] += bound.factor * bound.factor;
}

void IpmBarrier::to_rows(const Vector& y, Vector& x) const {
  unknowns_.to_rows(y, x);
  // Near an upper bound, the slack of that bound is more accurate.
  for (const Bound& bound : bounds_) {
    if (bound.sign < 0.0 && bound.s <= y[bound.unknown])
      x[unknowns_.rows()[bound.unknown]] = unknowns_.below_upper(bound.unknown, bound.s);
  }
}

void IpmBarrier::subtract_multipliers(Vector& g) const {
  for (const Cone& cone : cones_)
    ConeUnknowns::set_segment(g, cone.block, ConeUnknowns::segment(g, cone.block) - cone.z);
  for (const Bound& bound : bounds_) g[bound.unknown] -= bound.sign * bound.z;
}

double IpmBarrier::multiplier_norm() const {
  double sum = 0.0;
  for (const Cone& cone : cones_) sum += cone.z.squaredNorm();
  for (const Bound& bound : bounds_) sum += bound.z * bound.z;
  return std::sqrt(sum);
}

double IpmBarrier::gap() const {
  double sum = 0.0;
  for (const Cone& cone : cones_) sum += cone.scaling.lambda().squaredNorm();
  for (const Bound& bound : bounds_) sum += bound.lambda * bound.lambda;
  return sum;
}

void IpmBarrier::aim_at_zero() {
  for (Cone& cone : cones_) cone.target = -cone.scaling.lambda();
  for (Bound& bound : bounds_) bound.target = -bound.lambda;
}

void IpmBarrier::aim_at_path(double sigma) {
  const double aim = sigma * gap() / static_cast<double>(degree());
  for (Cone& cone : cones_) {
    const ConePoint& lambda = cone.scaling.lambda();
    const ConePoint rest = aim * cone_identity() - jordan_product(cone.ds, cone.dz);
    cone.target = jordan_divide(lambda, rest) - lambda;
  }
  for (Bound& bound : bounds_) bound.target = (aim - bound.ds * bound.dz) / bound.lambda - bound.lambda;
}

void IpmBarrier::aim_at_neighbourhood(double sigma, double step) {
  const double aim = sigma * gap() / static_cast<double>(degree());
  // Moves an eigenvalue of s o z to the neighbourhood. The move down is limited, because a large one would
  // shorten the step.
  const auto correction = [aim](double value) {
    return std::max(std::clamp(value, 0.1 * aim, 10.0 * aim) - value, -10.0 * aim);
  };
  for (Cone& cone : cones_) {
    const ConePoint& lambda = cone.scaling.lambda();
    const ConePoint product = jordan_product(lambda + step * cone.ds, lambda + step * cone.dz);
    const double tangent = tangent_norm(product);
    const double low = correction(product[0] - tangent);
    const double high = correction(product[0] + tangent);
    ConePoint change = tangent > 0.0 ? ConePoint(0.5 * (high - low) / tangent * product) : ConePoint(0, 0, 0);
    change[0] = 0.5 * (low + high);
    cone.target += jordan_divide(lambda, change);
  }
  for (Bound& bound : bounds_) {
    const double product = (bound.lambda + step * bound.ds) * (bound.lambda + step * bound.dz);
    bound.target += correction(product) / bound.lambda;
  }
}

void IpmBarrier::keep_direction() {
  const auto keep = [](auto& slack) {
    slack.kept_target = slack.target;
    slack.kept_ds = slack.ds;
    slack.kept_dz = slack.dz;
  };
  std::for_each(cones_.begin(), cones_.end(), keep);
  std::for_each(bounds_.begin(), bounds_.end(), keep);
}

void IpmBarrier::restore_direction() {
  const auto restore = [](auto& slack) {
    slack.target = slack.kept_target;
    slack.ds = slack.kept_ds;
    slack.dz = slack.kept_dz;
  };
  std::for_each(cones_.begin(), cones_.end(), restore);
  std::for_each(bounds_.begin(), bounds_.end(), restore);
}

void IpmBarrier::add_targets(Vector& v) const {
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    const Cone& cone = cones_[c];
    const ConePoint share = cone.scaling.values().cwiseProduct(terms_.frames[c].transpose() * cone.target);
    ConeUnknowns::set_segment(v, cone.block, ConeUnknowns::segment(v, cone.block) + share);
  }
  for (const Bound& bound : bounds_) v[bound.unknown] += bound.sign * bound.factor * bound.target;
}

void IpmBarrier::set_direction(const Vector& frame_direction) {
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    Cone& cone = cones_[c];
    cone.ds = terms_.frames[c] *
              cone.scaling.values().cwiseProduct(ConeUnknowns::segment(frame_direction, cone.block));
    cone.dz = cone.target - cone.ds;
  }
  for (Bound& bound : bounds_) {
    bound.ds = bound.sign * bound.factor * frame_direction[bound.unknown];
    bound.dz = bound.target - bound.ds;
  }
}

double IpmBarrier::max_step() const {
  double longest = infinity;
  for (const Cone& cone : cones_) {
    const ConePoint& lambda = cone.scaling.lambda();
    longest = std::min({longest, internal::max_step(lambda, cone.ds), internal::max_step(lambda, cone.dz)});
  }
  for (const Bound& bound : bounds_) {
    longest = std::min({longest, bound_step(bound.lambda, bound.ds), bound_step(bound.lambda, bound.dz)});
  }
  return longest;
}

double IpmBarrier::gap_after(double step) const {
  double sum = 0.0;
  for (const Cone& cone : cones_) {
    const ConePoint& lambda = cone.scaling.lambda();
    sum += (lambda + step * cone.ds).dot(lambda + step * cone.dz);
  }
  for (const Bound& bound : bounds_)
    sum += (bound.lambda + step * bound.ds) * (bound.lambda + step * bound.dz);
  return sum;
}

bool IpmBarrier::step(double length, const Vector& direction, Vector& y) {
  y += length * direction;
  bool inside = true;
  for (Cone& cone : cones_) {
    cone.z += length * cone.scaling.apply(cone.dz);
    const ConePoint scaled_s = cone.scaling.lambda() + length * cone.ds;
    const ConePoint scaled_z = cone.scaling.lambda() + length * cone.dz;
    if (!is_inside(scaled_s) || !is_inside(scaled_z)) return false;
    cone.scaling.update(scaled_s, scaled_z);
    inside = inside && is_inside(cone.scaling.lambda());
  }
  for (Bound& bound : bounds_) {
    const double scaled_s = bound.lambda + length * bound.ds;
    const double scaled_z = bound.lambda + length * bound.dz;
    if (!(scaled_s > 0.0 && scaled_z > 0.0)) return false;
    bound.s = scaled_s / bound.factor;
    bound.z = scaled_z * bound.factor;
    bound.factor *= std::sqrt(scaled_z / scaled_s);
    bound.lambda = std::sqrt(scaled_s * scaled_z);
    if (bound.sign > 0.0) y[bound.unknown] = bound.s;
    inside = inside && bound.lambda > 0.0 && std::isfinite(bound.factor) && bound.factor > 0.0;
  }
  refresh();
  return inside;
}

}  // namespace slipstick::internal
