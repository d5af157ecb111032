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
    w_ = Ax_ + run.problem.b;
    const double error = run.ruler(x_, w_);
    best_.offer(error, x_);
    if (monitor.finished(error, x_)) break;

    descend(run);
    const double next_theta = 0.5 * theta * (std::sqrt(theta * theta + 4.0) - theta);
    const double momentum = theta * (1.0 - theta) / (theta * theta + next_theta);
    // w_ holds the gradient at y: the momentum leads uphill where it points along x+ - x.
    bool fresh = settings_.restart && w_.dot(next_) > w_.dot(x_);
    if (conic) fresh = rescale_ray(run, fresh) || fresh;
    if (fresh) {
      y_ = next_;
      Ay_ = Anext_;
      theta = 1.0;
    } else {
      y_ = next_ + momentum * (next_ - x_);
      Ay_ = Anext_ + momentum * (Anext_ - Ax_);
      theta = next_theta;
    }
    x_.swap(next_);
    Ax_.swap(Anext_);
    lipschitz_ *= settings_.shrinkage;
  }
  run.result.x = best_.x();
  run.finish(monitor);
}

void Apgd::prepare(const Run& run) {
  const Index n = run.problem.b.size();
  run.start();
  x_ = run.result.x;
  for (Vector* vector : {&Ax_, &next_, &Anext_, &y_, &Ay_, &w_}) vector->resize(n);
  best_.reset(n);
  lipschitz_ = first_lipschitz_estimate(run);
  run.problem.A.multiply(x_, Ax_, run.settings.threads);
  ++run.result.counts.products;
  y_ = x_;
  Ay_ = Ax_;
}

// ||D^-1/2 A D^-1/2 e|| / ||e||, a lower bound of the norm: descend() raises it where it has to be.
double Apgd::first_lipschitz_estimate(const Run& run) {
  const Vector& metric = run.ruler.scale();
  y_ = metric.cwiseSqrt().cwiseInverse();
  run.problem.A.multiply(y_, Ay_, run.settings.threads);
  ++run.result.counts.products;
  const double squared = Ay_.cwiseAbs2().cwiseQuotient(metric).sum();
  return squared > 0.0 ? std::sqrt(squared / static_cast<double>(y_.size())) : 1.0;
}

// x+ = P(y - g(y) / L) with L large enough for the model: (x+ - y)'A(x+ - y) <= L ||x+ - y||_D^2.
void Apgd::descend(const Run& run) {
  const Vector& metric = run.ruler.scale();
  w_ = Ay_ + run.problem.b;
  for (;;) {
    metric_step(run.problem.K, y_, w_, metric, 1.0 / lipschitz_, next_);
    run.problem.A.multiply(next_, Anext_, run.settings.threads);
    ++run.result.counts.products;
    const auto step = next_ - y_;
    const double length = step.cwiseAbs2().cwiseProduct(metric).sum();
    const double curvature = step.dot(Anext_ - Ay_);
    if (!(curvature > lipschitz_ * (1.0 + 1e-12) * length)) return;
    lipschitz_ = std::max(settings_.growth * lipschitz_, curvature / length);
  }
}

// x+ <- t x+ with the t that minimizes the objective along the ray.
bool Apgd::rescale_ray(const Run& run, bool always) {
  const double slope = run.problem.b.dot(next_);
  const double curvature = next_.dot(Anext_);
  if (!(slope < 0.0) || !(curvature > 0.0)) return false;
  const double t = -slope / curvature;
  if (!std::isfinite(t) || (!always && t > 0.67 && t < 1.5)) return false;
  next_ *= t;
  Anext_ *= t;
  return true;
}

}  // namespace slipstick
