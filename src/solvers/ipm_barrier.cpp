// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/ipm_barrier.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Impulses are larger than loads where contacts form chains, and a start from too small ones costs steps.
constexpr double slack_size = 100.0;

double bound_step(double value, double direction) {
  return direction < 0.0 ? -value / direction : infinity;
}

double tangent_norm(const ConePoint& x) {
  return std::hypot(x[1], x[2]);
}

bool is_inside(const ConePoint& x) {
  return cone_determinant(x) > 0.0 && x[0] > 0.0 && x.allFinite();
}

}  // namespace

void IpmBarrier::prepare(const Problem& problem, const Vector& d) {
  const Index n = problem.b.size();
  blocks_.clear();
  rows_.clear();
  cones_.clear();
  bounds_.clear();
  for (Vector* vector : {&offset_, &scale_, &width_, &fixed_}) vector->resize(n);
  fixed_.setZero();
  for (const SetBlock& block : problem.K.blocks()) {
    if (block.kind == SetKind::cone) {
      add_cone(block, d);
    } else {
      add_rows(problem.K, block, d);
    }
  }
  squares_.resize(unknowns());
}

void IpmBarrier::add_unknown(Index row, double offset, double scale, double width) {
  const Index k = unknowns();
  rows_.push_back(static_cast<int>(row));
  offset_[k] = offset;
  scale_[k] = scale;
  width_[k] = width;
}

void IpmBarrier::add_cone(const SetBlock& block, const Vector& d) {
  const double unit = 1.0 / std::sqrt(d[block.start]);
  const int start = static_cast<int>(unknowns());
  add_unknown(block.start, 0.0, unit, 0.0);
  if (block.parameter == 0.0) {
    blocks_.push_back({start, 1});
    bounds_.push_back({.row = start, .sign = 1.0});
    return;
  }
  for (Index k = 1; k < block.size; ++k) add_unknown(block.start + k, 0.0, unit * block.parameter, 0.0);
  blocks_.push_back({start, static_cast<int>(block.size)});
  cones_.push_back({.start = start, .size = static_cast<int>(block.size)});
}

void IpmBarrier::add_rows(const ProductSet& K, const SetBlock& block, const Vector& d) {
  for (Index i = block.start; i < block.start + block.size; ++i) {
    const double lower = K.lower()[i];
    const double upper = K.upper()[i];
    if (lower == upper) {
      fixed_[i] = lower;
      continue;
    }
    const double unit = 1.0 / std::sqrt(d[i]);
    const int k = static_cast<int>(unknowns());
    blocks_.push_back({k, 1});
    const bool from_below = std::isfinite(lower);
    const bool from_above = std::isfinite(upper);
    const double offset = from_below ? lower : from_above ? upper : 0.0;
    const bool flipped = from_above && !from_below;
    add_unknown(i, offset, flipped ? -unit : unit, from_below && from_above ? (upper - lower) / unit : 0.0);
    if (from_below || from_above) bounds_.push_back({.row = k, .sign = 1.0});
    if (from_below && from_above) bounds_.push_back({.row = k, .sign = -1.0});
  }
}

ConePoint IpmBarrier::segment(const Vector& v, const Cone& cone) {
  return {v[cone.start], v[cone.start + 1], cone.size > 2 ? v[cone.start + 2] : 0.0};
}

void IpmBarrier::set_segment(Vector& v, const Cone& cone, const ConePoint& value) {
  for (int k = 0; k < cone.size; ++k) v[cone.start + k] = value[k];
}

void IpmBarrier::start(double margin, Vector& y) {
  for (Cone& cone : cones_) {
    ConePoint s = segment(y, cone);
    s[0] = std::max(s[0], tangent_norm(s) + slack_size * margin);
    y[cone.start] = s[0];
    cone.z = margin * cone_identity();
    cone.scaling = NesterovTodd::scaling_from(s, cone.z);
  }
  for (Bound& bound : bounds_) {
    const double width = width_[bound.row];
    double& value = y[bound.row];
    if (width > 0.0) {
      const double inside = std::min(slack_size * margin, 0.5 * width);
      value = std::clamp(value, inside, width - inside);
      bound.s = bound.sign > 0.0 ? value : width - value;
    } else {
      value = std::max(value, slack_size * margin);
      bound.s = value;
    }
    bound.z = slack_size * margin * margin / bound.s;
    bound.factor = std::sqrt(bound.z / bound.s);
    bound.lambda = std::sqrt(bound.z * bound.s);
  }
  refresh();
}

// What the systems need of the scalings.
void IpmBarrier::refresh() {
  squares_.setZero();
  for (Cone& cone : cones_) {
    cone.frame = cone.scaling.frame();
    set_segment(squares_, cone, cone.scaling.values().cwiseAbs2());
  }
  for (const Bound& bound : bounds_) squares_[bound.row] += bound.factor * bound.factor;
}

void IpmBarrier::to_unknowns(const Vector& x, Vector& y) const {
  for (Index k = 0; k < unknowns(); ++k) y[k] = (x[rows_[k]] - offset_[k]) / scale_[k];
}

void IpmBarrier::to_rows(const Vector& y, Vector& x) const {
  x = fixed_;
  for (Index k = 0; k < unknowns(); ++k) x[rows_[k]] = offset_[k] + scale_[k] * y[k];
  // Next to an upper bound its own slack is the accurate one.
  for (const Bound& bound : bounds_) {
    if (bound.sign > 0.0 || bound.s > y[bound.row]) continue;
    const Index k = bound.row;
    x[rows_[k]] = offset_[k] + scale_[k] * width_[k] - scale_[k] * bound.s;
  }
}

void IpmBarrier::subtract_multipliers(Vector& g) const {
  for (const Cone& cone : cones_) set_segment(g, cone, segment(g, cone) - cone.z);
  for (const Bound& bound : bounds_) g[bound.row] -= bound.sign * bound.z;
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

void IpmBarrier::to_frame(Vector& v) const {
  for (const Cone& cone : cones_) {
    set_segment(v, cone, cone.frame.transpose() * segment(v, cone));
  }
}

void IpmBarrier::from_frame(Vector& v) const {
  for (const Cone& cone : cones_) {
    set_segment(v, cone, cone.frame * segment(v, cone));
  }
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
  // What takes an eigenvalue of s o z to the neighbourhood; not too far down, which would cost a long step.
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
  for (const Cone& cone : cones_) {
    const ConePoint share = cone.scaling.values().cwiseProduct(cone.frame.transpose() * cone.target);
    set_segment(v, cone, segment(v, cone) + share);
  }
  for (const Bound& bound : bounds_) v[bound.row] += bound.sign * bound.factor * bound.target;
}

void IpmBarrier::set_direction(const Vector& frame_direction) {
  for (Cone& cone : cones_) {
    cone.ds = cone.frame * cone.scaling.values().cwiseProduct(segment(frame_direction, cone));
    cone.dz = cone.target - cone.ds;
  }
  for (Bound& bound : bounds_) {
    bound.ds = bound.sign * bound.factor * frame_direction[bound.row];
    bound.dz = bound.target - bound.ds;
  }
}

double IpmBarrier::max_step() const {
  double longest = infinity;
  for (const Cone& cone : cones_) {
    const ConePoint& lambda = cone.scaling.lambda();
    longest = std::min({longest, slipstick::max_step(lambda, cone.ds), slipstick::max_step(lambda, cone.dz)});
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
    if (bound.sign > 0.0) y[bound.row] = bound.s;
    inside = inside && bound.lambda > 0.0 && std::isfinite(bound.factor) && bound.factor > 0.0;
  }
  refresh();
  return inside;
}

}  // namespace slipstick
