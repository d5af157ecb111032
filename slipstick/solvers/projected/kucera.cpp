// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/projected/kucera.hpp"

#include <algorithm>

#include "slipstick/matrix.hpp"
#include "slipstick/solvers/projected/gradient_limits.hpp"
#include "slipstick/solvers/projected/metric_step.hpp"

namespace slipstick::internal {
namespace {

MprgpSettings on_bounds(const KuceraSettings& settings) {
  return {.proportion = settings.proportion, .expansion = settings.expansion};
}

}  // namespace

Kucera::Kucera(const KuceraSettings& settings) : Mprgp(on_bounds(settings)), settings_(settings) {}

std::string Kucera::explain_unsupported(const Problem& problem) const {
  return explain_needs(problem, "kucera", {.sets = Needs::bounds_or_cones, .symmetry = true});
}

void Kucera::run(const Run& run) {
  if (run.problem.K.is_box()) return Mprgp::run(run);
  constexpr int default_max_iterations = 100000;
  Monitor monitor(run.settings, default_max_iterations, run.observer);
  prepare(run);
  const bool conic = settings_.rescale && is_conic(run.problem.K);
  bool exact_gradient = true;
  for (;;) {
    double error = run.ruler(x_, g_);
    if (!exact_gradient && (error <= monitor.tolerance() || monitor.iterations() % refresh_interval == 0)) {
      run.gradient(x_, g_);
      exact_gradient = true;
      error = run.ruler(x_, g_);
    }
    best_.offer(error, x_);
    if (monitor.finished(error, x_, faces_.fixed_rows())) break;

    split(run);
    const bool proportional = split_.leaving <= settings_.proportion * settings_.proportion * split_.face;
    const bool moved = proportional ? conjugate_gradient_or_expansion(run) : projected_gradient_step(run);
    if (!moved) {
      // Rounding has made the gradient or the length wrong. Computes both again, once.
      if (exact_gradient && alpha_ == 1.0) monitor.stop(Status::stalled);
      run.gradient(x_, g_);
      exact_gradient = true;
      alpha_ = 1.0;
      continue;
    }
    exact_gradient = false;
    const double t = conic ? far_ray_minimum(run.problem.b, x_, g_) : 1.0;
    if (t == 1.0) continue;
    x_ *= t;
    g_ = t * (g_ - run.problem.b) + run.problem.b;
    previous_ = 0.0;
  }
  run.result.x = best_.x();
  run.finish(monitor);
}

void Kucera::prepare(const Run& run) {
  const Index n = run.problem.b.size();
  run.start();
  x_ = run.result.x;
  for (Vector* vector : {&g_, &phi_, &p_, &Ap_, &d_, &Ad_}) vector->resize(n);
  best_.reset(n);
  alpha_ = 1.0;
  gradient_steps_ = 0;
  rounded_steps_ = 0;
  previous_ = 0.0;
  run.gradient(x_, g_);
}

// Computes phi and beta. If the face has changed, the conjugate directions restart.
void Kucera::split(const Run& run) {
  faces_.choose_smallest(run.problem.K, x_);
  if (faces_.changed()) previous_ = 0.0;
  split_ = faces_.split(run.problem.K, x_, g_, run.ruler.scale(), phi_);
}

bool Kucera::conjugate_gradient_or_expansion(const Run& run) {
  const Vector& metric = run.ruler.scale();
  if (previous_ > 0.0) {
    p_ = phi_.cwiseQuotient(metric) + (split_.face / previous_) * p_;
  } else {
    p_ = phi_.cwiseQuotient(metric);
  }
  previous_ = split_.face;
  const double slope = p_.dot(g_);
  if (!(slope > 0.0)) {  // rounding has made the direction wrong
    previous_ = 0.0;
    return projected_gradient_step(run);
  }
  run.multiply(p_, Ap_);
  const double curvature = p_.dot(Ap_);
  const double whole_step = curvature > 1e-15 * p_.norm() * Ap_.norm() ? slope / curvature : infinity;
  const double feasible_step = faces_.feasible_step(run.problem.K, x_, p_);
  if (whole_step < feasible_step) {
    x_ -= whole_step * p_;
    g_ -= whole_step * Ap_;
    return true;
  }
  previous_ = 0.0;
  if (settings_.expansion == Expansion::projected && whole_step < infinity &&
      project_whole_step(run, whole_step))
    return true;
  // Moves to the boundary, then makes a projected gradient step.
  if (feasible_step < infinity) {
    x_ -= feasible_step * p_;
    g_ -= feasible_step * Ap_;
    run.problem.K.project(x_);
  }
  return projected_gradient_step(run);
}

// x <- P(x - step p), or a point on the segment to it if the objective falls only so far. Returns false if it
// does not fall.
bool Kucera::project_whole_step(const Run& run, double step) {
  d_ = x_ - step * p_;
  run.problem.K.project(d_);
  d_ -= x_;
  const double slope = d_.dot(g_);
  if (!(slope < 0.0)) return false;
  run.multiply(d_, Ad_);
  const double curvature = d_.dot(Ad_);
  move(curvature > 0.0 ? std::min(1.0, -slope / curvature) : 1.0);
  return true;
}

// Moves towards P(x - alpha D^-1 g) as far as the objective falls. Then takes the two Barzilai-Borwein
// lengths in turn.
bool Kucera::projected_gradient_step(const Run& run) {
  const Vector& metric = run.ruler.scale();
  previous_ = 0.0;
  metric_step(run.problem.K, x_, g_, metric, alpha_, d_);
  d_ -= x_;
  const double slope = d_.dot(g_);
  const double rounding = slope_rounding(x_, g_);
  const bool rounded = slope > -rounding;
  if (slope > rounding || d_.squaredNorm() == 0.0 || (rounded && ++rounded_steps_ > most_rounded_steps))
    return false;
  run.multiply(d_, Ad_);
  const double curvature = d_.dot(Ad_);
  move(curvature > 0.0 && !rounded ? std::min(1.0, -slope / curvature) : 1.0);
  if (curvature > 0.0) {
    const double length = d_.cwiseAbs2().dot(metric);
    const double image = Ad_.cwiseAbs2().cwiseQuotient(metric).sum();
    alpha_ = std::clamp(gradient_steps_ % 2 == 1 ? length / curvature : curvature / image, 1e-9, 1e9);
  }
  ++gradient_steps_;
  return true;
}

void Kucera::move(double step) {
  x_ += step * d_;
  g_ += step * Ad_;
}

}  // namespace slipstick::internal
