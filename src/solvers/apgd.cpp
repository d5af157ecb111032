// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/apgd.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/solvers/metric_step.hpp"

namespace slipstick {
namespace {

constexpr int default_max_iterations = 100000;

}  // namespace

std::string Apgd::explain_unsupported(const Problem& problem) const {
  if (std::string reason = needs_no_linear_rows(problem, "apgd"); !reason.empty()) return reason;
  return needs_symmetry(problem, "apgd");
}

void Apgd::run(const Run& run) {
  Monitor monitor(run.settings, default_max_iterations, run.observer);
  prepare(run);
  const bool conic = settings_.rescale && is_conic(run.problem.K);
  double theta = 1.0;
  for (;;) {
    const double error = run.ruler(x_, w_);
    best_.offer(error, x_);
    if (monitor.finished(error, x_)) break;

    const Sums sums = descend(run);
    const double next_theta = 0.5 * theta * (std::sqrt(theta * theta + 4.0) - theta);
    const double momentum = theta * (1.0 - theta) / (theta * theta + next_theta);
    bool fresh = settings_.restart && sums.uphill > 0.0;
    const double t = conic ? ray_minimum(sums, fresh) : 1.0;
    fresh = fresh || t != 1.0;
    advance(run.problem.b, t, fresh ? 0.0 : momentum);
    theta = fresh ? 1.0 : next_theta;
    lipschitz_ *= settings_.shrinkage;
  }
  run.result.x = best_.x();
  run.finish(monitor);
}

void Apgd::prepare(const Run& run) {
  const Index n = run.problem.b.size();
  run.start();
  x_ = run.result.x;
  for (Vector* vector : {&w_, &next_, &Anext_, &y_, &g_}) vector->resize(n);
  best_.reset(n);
  lipschitz_ = first_lipschitz_estimate(run);
  run.gradient(x_, w_);
  y_ = x_;
  g_ = w_;
}

// ||D^-1/2 A D^-1/2 e|| / ||e||, a lower bound of the norm: descend() raises it where it has to be.
double Apgd::first_lipschitz_estimate(const Run& run) {
  const Vector& metric = run.ruler.scale();
  y_ = metric.cwiseSqrt().cwiseInverse();
  run.multiply(y_, g_);
  const double squared = g_.cwiseAbs2().cwiseQuotient(metric).sum();
  return squared > 0.0 ? std::sqrt(squared / static_cast<double>(y_.size())) : 1.0;
}

// x+ = P(y - g(y) / L) with L large enough for the model: (x+ - y)'A(x+ - y) <= L ||x+ - y||_D^2.
Apgd::Sums Apgd::descend(const Run& run) {
  const Vector& metric = run.ruler.scale();
  for (;;) {
    metric_step(run.problem.K, y_, g_, metric, 1.0 / lipschitz_, next_);
    run.multiply(next_, Anext_);
    const Sums sums = sum_products(run.problem.b, metric);
    if (!(sums.curvature > lipschitz_ * (1.0 + 1e-12) * sums.length)) return sums;
    lipschitz_ = std::max(settings_.growth * lipschitz_, sums.curvature / sums.length);
  }
}

// All in one pass, since an iteration is as fast as the memory.
Apgd::Sums Apgd::sum_products(const Vector& load, const Vector& metric) const {
  const double* next = next_.data();
  const double* Anext = Anext_.data();
  const double* x = x_.data();
  const double* y = y_.data();
  const double* g = g_.data();
  const double* b = load.data();
  const double* d = metric.data();
  double length = 0.0, curvature = 0.0, uphill = 0.0, ray_slope = 0.0, ray_curvature = 0.0;
#pragma omp simd reduction(+ : length, curvature, uphill, ray_slope, ray_curvature)
  for (Index i = 0; i < next_.size(); ++i) {
    const double step = next[i] - y[i];
    length += d[i] * step * step;
    curvature += step * (Anext[i] + b[i] - g[i]);
    uphill += g[i] * (next[i] - x[i]);
    ray_slope += b[i] * next[i];
    ray_curvature += next[i] * Anext[i];
  }
  return {length, curvature, uphill, ray_slope, ray_curvature};
}

// The t that minimizes the objective at t x+, where it is to be used, else 1.
double Apgd::ray_minimum(const Sums& sums, bool fresh) const {
  if (!(sums.ray_slope < 0.0) || !(sums.ray_curvature > 0.0)) return 1.0;
  const double t = -sums.ray_slope / sums.ray_curvature;
  return std::isfinite(t) && (fresh || t < 0.67 || t > 1.5) ? t : 1.0;
}

// x <- t x+ and y <- x + momentum (x - previous x), with their gradients.
void Apgd::advance(const Vector& load, double t, double momentum) {
  const double* next = next_.data();
  const double* Anext = Anext_.data();
  const double* b = load.data();
  double* x = x_.data();
  double* w = w_.data();
  double* y = y_.data();
  double* g = g_.data();
#pragma omp simd
  for (Index i = 0; i < next_.size(); ++i) {
    const double moved = t * next[i];
    const double gradient = t * Anext[i] + b[i];
    y[i] = moved + momentum * (moved - x[i]);
    g[i] = gradient + momentum * (gradient - w[i]);
    x[i] = moved;
    w[i] = gradient;
  }
}

}  // namespace slipstick
