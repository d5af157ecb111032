// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/projected/gpminres.hpp"

#include <algorithm>

#include "slipstick/linalg/operator.hpp"
#include "slipstick/solvers/projected/gradient_limits.hpp"
#include "slipstick/solvers/projected/metric_step.hpp"

namespace slipstick::internal {
namespace {

constexpr int halvings = 4;                // limit in the projected search
constexpr double krylov_tolerance = 1e-3;  // relative to the gradient along the face, on a new face
constexpr Index most_krylov_steps = 1000;
constexpr double sufficient_decrease = 1e-4;  // mu of the projected search
constexpr double worthwhile = 0.25;  // if the share of a segment is smaller, a shorter segment is tried

}  // namespace

Gpminres::Gpminres(const GpminresSettings& settings) : preconditioned_(false) {
  static_cast<GpminresSettings&>(settings_) = settings;
}

Gpminres::Gpminres(const GpminresPSettings& settings) : settings_(settings), preconditioned_(true) {}

std::string Gpminres::explain_unsupported(const Problem& problem) const {
  const std::string_view method = preconditioned_ ? "gpminres-p" : "gpminres";
  return explain_needs(problem, method, {.sets = Needs::bounds_or_cones, .symmetry = true});
}

void Gpminres::run(const Run& run) {
  constexpr int default_max_iterations = 100000;
  Monitor monitor(run.settings, default_max_iterations, run.observer);
  prepare(run);
  const bool conic = settings_.rescale && is_conic(run.problem.K);
  monitor.guard([&] {
    while (gradient_phase(run, monitor)) {
      krylov_phase(run);
      const double share = search(run);
      // If the active set does not change and is the binding one, MINRES may take more steps next time.
      active_.choose_smallest(run.problem.K, x_);
      const bool stands = share == 1.0 && !active_.changed() && is_binding(run);
      if (conic) rescale(run);
      krylov_steps_ = stands ? std::min(most_krylov_steps, 2 * krylov_steps_) : settings_.krylov_steps;
      krylov_decrease_ = stands ? 0.1 * krylov_decrease_ : settings_.krylov_decrease;
    }
  });
  run.result.x = best_.x();
  run.finish(monitor);
}

void Gpminres::prepare(const Run& run) {
  const Index n = run.problem.b.size();
  run.start();
  x_ = run.result.x;
  for (Vector* vector : {&g_, &direction_, &load_, &d_, &Ad_}) vector->resize(n);
  best_.reset(n);
  alpha_ = 1.0;
  gradient_steps_ = 0;
  rounded_steps_ = 0;
  krylov_steps_ = settings_.krylov_steps;
  krylov_decrease_ = settings_.krylov_decrease;
  if (preconditioned_ && !seen_.same_storage(run.problem.A)) {
    seen_ = no_operator();  // until the factor is complete
    factor_.factor(*run.problem.A.assemble(), {}, {.compensation = settings_.compensation});
    seen_ = run.problem.A;
    ++run.result.counts.factorizations;
  }
  compute_gradient(run);
}

// True if the part of the gradient that leaves the face is at most as large as the part along it.
bool Gpminres::is_binding(const Run& run) {
  const Faces::Split split = active_.split(run.problem.K, x_, g_, run.ruler.scale(), load_);
  return split.leaving <= split.face;
}

void Gpminres::compute_gradient(const Run& run) {
  run.gradient(x_, g_);
  exact_gradient_ = true;
}

// Returns the error. The true gradient is computed if the error is below the tolerance, and at regular
// intervals.
double Gpminres::judge(const Run& run, Monitor& monitor) {
  double error = run.ruler(x_, g_);
  if (!exact_gradient_ && (error <= monitor.tolerance() || monitor.iterations() % refresh_interval == 0)) {
    compute_gradient(run);
    error = run.ruler(x_, g_);
  }
  best_.offer(error, x_);
  return error;
}

// Makes projected gradient steps until eq. 17 or 18 ends them. Returns false if the method must end.
bool Gpminres::gradient_phase(const Run& run, Monitor& monitor) {
  double best_decrease = 0.0;
  active_.choose_smallest(run.problem.K, x_);
  for (int step = 0;; ++step) {
    const double error = judge(run, monitor);
    if (monitor.finished(error, x_, active_.fixed_rows())) return false;
    metric_step(run.problem.K, x_, g_, run.ruler.scale(), alpha_, d_);
    d_ -= x_;
    const double decrease = descend(run);
    if (!(decrease > 0.0)) {
      // Rounding has made the gradient or the length wrong. Computes both again, once.
      if (exact_gradient_ && alpha_ == 1.0) monitor.stop(Status::stalled);
      compute_gradient(run);
      alpha_ = 1.0;
      continue;
    }
    active_.choose_smallest(run.problem.K, x_);
    if (!active_.changed() || decrease <= settings_.gradient_decrease * best_decrease ||
        step + 1 >= settings_.gradient_steps)
      return true;
    best_decrease = std::max(best_decrease, decrease);
  }
}

// x <- x + lambda d with the lambda <= 1 that minimizes. Sets the length of the next gradient step and
// returns the decrease.
double Gpminres::descend(const Run& run) {
  const Vector& metric = run.ruler.scale();
  const double slope = d_.dot(g_);
  const double rounding = slope_rounding(x_, g_);
  const bool rounded = slope > -rounding;
  if (slope > rounding || d_.squaredNorm() == 0.0 || (rounded && ++rounded_steps_ > most_rounded_steps))
    return 0.0;
  run.multiply(d_, Ad_);
  const double curvature = d_.dot(Ad_);
  const double lambda = curvature > 0.0 && !rounded ? std::min(1.0, -slope / curvature) : 1.0;
  x_ += lambda * d_;
  g_ += lambda * Ad_;
  exact_gradient_ = false;
  if (curvature > 0.0) {
    const double length = d_.cwiseAbs2().dot(metric);
    const double image = Ad_.cwiseAbs2().cwiseQuotient(metric).sum();
    alpha_ = std::clamp(gradient_steps_ % 2 == 1 ? length / curvature : curvature / image, 1e-9, 1e9);
  }
  ++gradient_steps_;
  return rounded ? rounding : -lambda * (slope + 0.5 * lambda * curvature);
}

// direction <- an approximate solution of Z'(A + C)Z w = -Z'g. Z has the directions of the tangent face.
void Gpminres::krylov_phase(const Run& run) {
  const ProductSet& K = run.problem.K;
  tangent_.choose_tangent(K, x_, g_);
  load_ = -g_;
  tangent_.project(K, load_);
  direction_.setZero();
  MinresSettings settings;
  settings.tolerance = std::min(krylov_tolerance, krylov_decrease_);
  settings.max_iterations = krylov_steps_;
  double last = -1.0;
  double best = 0.0;
  minres_.solve(
      [&](const Vector& v, Vector& product) {
        run.multiply(v, product);
        tangent_.project(K, product);
        tangent_.add_curvature(K, v, product);
      },
      load_, direction_, settings, [&](const Vector& r, Vector& z) { precondition(run, r, z); },
      [&](Index, double residual) {
        const double decrease = last < 0.0 ? residual : last - residual;
        const bool sluggish = last >= 0.0 && decrease <= krylov_decrease_ * best;
        if (last >= 0.0) best = std::max(best, decrease);
        last = residual;
        return !sluggish;
      });
}

// z = Z (Z'MZ)^-1 Z'r: D^-1, or the factor of the rows that are not fixed.
void Gpminres::precondition(const Run& run, const Vector& r, Vector& z) const {
  if (!preconditioned_) {
    z = r.cwiseQuotient(run.ruler.scale());
    return;
  }
  z = r;
  factor_.solve(tangent_.mask(), z.data());
  tangent_.project(run.problem.K, z);
}

// x <- P(x + t direction), with t = 1, 1/2, ... until the objective falls enough on the segment. If it does
// not fall enough at the end, x moves to the minimum of the segment. Returns the share of the direction that
// was taken, 0 if there was no descent.
double Gpminres::search(const Run& run) {
  double t = 1.0;
  for (int k = 0; k < halvings; ++k, t *= 0.5) {
    d_ = x_ + t * direction_;
    run.problem.K.project(d_);
    d_ -= x_;
    const double slope = d_.dot(g_);
    if (!(slope < 0.0)) continue;
    run.multiply(d_, Ad_);
    const double curvature = d_.dot(Ad_);
    double lambda = 1.0;
    if (slope + 0.5 * curvature > sufficient_decrease * slope) lambda = -slope / curvature;
    if (lambda < worthwhile && k + 1 < halvings) continue;
    x_ += lambda * d_;
    g_ += lambda * Ad_;
    exact_gradient_ = false;
    return lambda * t;
  }
  return 0.0;
}

// x <- the multiple of x with the least objective, if that is far.
void Gpminres::rescale(const Run& run) {
  const double t = far_ray_minimum(run.problem.b, x_, g_);
  if (t == 1.0) return;
  x_ *= t;
  g_ = t * (g_ - run.problem.b) + run.problem.b;
}

}  // namespace slipstick::internal
