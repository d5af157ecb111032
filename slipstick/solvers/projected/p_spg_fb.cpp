// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/projected/p_spg_fb.hpp"

#include "slipstick/solvers/projected/gradient_limits.hpp"
#include "slipstick/solvers/projected/metric_step.hpp"

namespace slipstick::internal {

PSpgFb::PSpgFb(const PSpgFbSettings& settings) : settings_(settings), steps_(settings) {}

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
    if (!exact_gradient && (error <= monitor.tolerance() || steps_.iteration() % refresh_interval == 0)) {
      run.gradient(x_, g_);
      exact_gradient = true;
      error = run.ruler(x_, g_);
    }
    best_.offer(error, x_);
    if (monitor.finished(error, x_)) break;

    if (!find_direction(run)) {
      // Rounding has made the gradient or the length wrong. Computes both again, once.
      if (exact_gradient && steps_.alpha() == 1.0) monitor.stop(Status::stalled);
      run.gradient(x_, g_);
      exact_gradient = true;
      steps_.reset_alpha();
      continue;
    }
    const SpectralSteps::Products products = multiply_direction(run);
    const double lambda = steps_.search(slope_, rounding_, products);
    advance(lambda);
    steps_.remember(lambda * (slope_ + 0.5 * lambda * products.curvature));
    steps_.advance(products);
    exact_gradient = false;
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
  steps_.start();
  run.gradient(x_, g_);
}

// d = P_K(x - alpha P^-1 g) - x and its slope. If d does not descend, the plain gradient is taken (lines
// 4-7). Returns false if neither descends.
bool PSpgFb::find_direction(const Run& run) {
  metric_step(run.problem.K, x_, g_, metric_, steps_.alpha(), d_);
  d_ -= x_;
  slope_ = d_.dot(g_);
  rounding_ = slope_rounding(x_, g_);
  if (slope_ < 0.0) return true;
  if (slope_ <= rounding_ && d_.squaredNorm() > 0.0) return steps_.accept_rounded();
  d_ = x_ - (steps_.alpha() / metric_.mean()) * g_;
  run.problem.K.project(d_);
  d_ -= x_;
  slope_ = d_.dot(g_);
  return slope_ < 0.0;
}

SpectralSteps::Products PSpgFb::multiply_direction(const Run& run) {
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

// x <- t x, the minimum along its ray, if that is far.
void PSpgFb::rescale(const Run& run) {
  const Vector& b = run.problem.b;
  const double t = far_ray_minimum(b, x_, g_);
  if (t == 1.0) return;
  const double slope = b.dot(x_);
  const double curvature = x_.dot(g_) - slope;
  steps_.remember((t - 1.0) * slope + 0.5 * (t * t - 1.0) * curvature);
  x_ *= t;
  g_ = t * (g_ - b) + b;
}

}  // namespace slipstick::internal
