// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/projected/p_spg_fb.hpp"

#include <algorithm>

#include "slipstick/base/error.hpp"
#include "slipstick/matrix.hpp"
#include "slipstick/solvers/projected/gradient_limits.hpp"
#include "slipstick/solvers/projected/metric_step.hpp"

namespace slipstick::internal {
namespace {

constexpr int recent_steps = 9;

}  // namespace

PSpgFb::PSpgFb(const PSpgFbSettings& settings) : settings_(settings) {
  if (!(settings.shortest > 0.0 && settings.shortest <= 1.0 && settings.longest >= 1.0))
    fail("p-spg-fb needs 0 < shortest <= 1 <= longest, not {} and {}", settings.shortest, settings.longest);
}

std::string PSpgFb::explain_unsupported(const Problem& problem) const {
  return explain_needs(problem, "p-spg-fb", {.symmetry = true});
}

void PSpgFb::run(const Run& run) {
  constexpr int default_max_iterations = 100000;
  Monitor monitor(run.settings, default_max_iterations, run.observer);
  prepare(run);
  const bool conic = settings_.rescale && is_conic(run.problem.K);
  bool exact_gradient = true;
  for (;;) {
    double error = run.ruler(x_, g_);
    if (!exact_gradient && (error <= monitor.tolerance() || iteration_ % refresh_interval == 0)) {
      run.gradient(x_, g_);
      exact_gradient = true;
      error = run.ruler(x_, g_);
    }
    best_.offer(error, x_);
    if (monitor.finished(error, x_)) break;

    if (!find_direction(run)) {
      // Rounding has made the gradient or the length wrong. Computes both again, once.
      if (exact_gradient && alpha_ == 1.0) monitor.stop(Status::stalled);
      run.gradient(x_, g_);
      exact_gradient = true;
      alpha_ = 1.0;
      continue;
    }
    const Products products = multiply_direction(run);
    const double lambda = search(products);
    advance(lambda);
    remember(lambda * (slope_ + 0.5 * lambda * products.curvature));
    alpha_ = next_step(products);
    exact_gradient = false;
    ++iteration_;
    if (conic) rescale(run);
  }
  run.result.x = best_.x();
  run.finish(monitor);
}

void PSpgFb::prepare(const Run& run) {
  const Index n = run.problem.b.size();
  run.start();
  x_ = run.result.x;
  for (Vector* vector : {&g_, &d_, &Ad_, &metric_}) vector->resize(n);
  if (settings_.preconditioned || n == 0) {
    metric_ = run.ruler.scale();
  } else {
    metric_.setConstant(run.ruler.scale().mean());
  }
  best_.reset(n);
  rise_.setConstant(settings_.memory, -infinity);
  rise_[0] = 0.0;
  recent_.setConstant(recent_steps, infinity);
  threshold_ = 0.5;
  short_steps_ = 0;
  iteration_ = 0;
  rounded_steps_ = 0;
  alpha_ = 1.0;
  run.gradient(x_, g_);
}

// d = P_K(x - alpha P^-1 g) - x and its slope. If d does not descend, the plain gradient is taken (lines
// 4-7). Returns false if neither descends.
bool PSpgFb::find_direction(const Run& run) {
  metric_step(run.problem.K, x_, g_, metric_, alpha_, d_);
  d_ -= x_;
  slope_ = d_.dot(g_);
  rounding_ = slope_rounding(x_, g_);
  if (slope_ < 0.0) return true;
  if (slope_ <= rounding_ && d_.squaredNorm() > 0.0) return ++rounded_steps_ <= most_rounded_steps;
  d_ = x_ - (alpha_ / metric_.mean()) * g_;
  run.problem.K.project(d_);
  d_ -= x_;
  slope_ = d_.dot(g_);
  return slope_ < 0.0;
}

PSpgFb::Products PSpgFb::multiply_direction(const Run& run) {
  run.multiply(d_, Ad_);
  const double* d = d_.data();
  const double* Ad = Ad_.data();
  const double* p = metric_.data();
  double length = 0.0, curvature = 0.0, image = 0.0;
#pragma omp simd reduction(+ : length, curvature, image)
  for (Index i = 0; i < d_.size(); ++i) {
    length += p[i] * d[i] * d[i];
    curvature += d[i] * Ad[i];
    image += Ad[i] * Ad[i] / p[i];
  }
  return {length, curvature, image};
}

// The first lambda, from 1 on, with f(x + lambda d) <= max of the last f + xi lambda g'd (lines 8-16). The
// next lambda is the minimum of the parabola, kept within [0.1, 0.9] of the last one.
double PSpgFb::search(const Products& products) const {
  if (slope_ > -rounding_) return 1.0;
  const double highest = rise_.maxCoeff();
  double lambda = 1.0;
  while (lambda * (slope_ + 0.5 * lambda * products.curvature) >
         highest + settings_.decrease * lambda * slope_) {
    const double minimum = -slope_ / products.curvature;
    lambda = std::clamp(minimum, 0.1 * lambda, 0.9 * lambda);
  }
  return lambda;
}

void PSpgFb::advance(double move) {
  double* x = x_.data();
  double* g = g_.data();
  const double* d = d_.data();
  const double* Ad = Ad_.data();
#pragma omp simd
  for (Index i = 0; i < x_.size(); ++i) {
    x[i] += move * d[i];
    g[i] += move * Ad[i];
  }
}

// The newest objective is `change` above the last one. The kept values are relative to the newest.
void PSpgFb::remember(double change) {
  rise_.array() -= change;
  rise_[(iteration_ + 1) % rise_.size()] = 0.0;
}

// alpha of the next iteration (lines 19-23). lambda scales both s and y and cancels.
double PSpgFb::next_step(const Products& products) {
  const auto safe = [&](double step) { return std::clamp(step, settings_.shortest, settings_.longest); };
  if (!(products.curvature > 1e-14 * products.length) || !(products.image > 0.0)) return safe(10.0 * alpha_);
  const double longer = products.length / products.curvature;
  const double shorter = products.curvature / products.image;
  if (settings_.spectral == SpectralStep::alternating) return safe(iteration_ % 2 == 1 ? longer : shorter);
  recent_[short_steps_++ % recent_steps] = shorter;
  if (shorter < threshold_ * longer) {
    threshold_ *= 0.9;
    return safe(recent_.minCoeff());
  }
  threshold_ *= 1.1;
  return safe(longer);
}

// x <- t x, the minimum along its ray, if that is far.
void PSpgFb::rescale(const Run& run) {
  const Vector& b = run.problem.b;
  const double t = far_ray_minimum(b, x_, g_);
  if (t == 1.0) return;
  const double slope = b.dot(x_);
  const double curvature = x_.dot(g_) - slope;
  remember((t - 1.0) * slope + 0.5 * (t * t - 1.0) * curvature);
  x_ *= t;
  g_ = t * (g_ - b) + b;
}

}  // namespace slipstick::internal
