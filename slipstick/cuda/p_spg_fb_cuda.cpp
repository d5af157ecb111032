// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/p_spg_fb_cuda.hpp"

#include <cmath>

#include "slipstick/cuda/device.hpp"
#include "slipstick/solvers/projected/gradient_limits.hpp"
#include "slipstick/solvers/projected/metric_step.hpp"

namespace slipstick::internal {
namespace {

constexpr const char* spectral_name = "p-spg-fb-cuda";

}  // namespace

std::string PSpgFbCuda::explain_unsupported(const Problem& problem) const {
  if (std::string reason = explain_needs(problem, spectral_name, {.symmetry = true}); !reason.empty())
    return reason;
  if (std::string reason = explain_missing_device(spectral_name); !reason.empty()) return reason;
  return problem_.read(problem.A, problem.K, spectral_name);
}

void PSpgFbCuda::run(const Run& run) {
  run.start();
  problem_.set_threads(run.settings.threads);
  run_on_device(
      run, [&] { iterate(run); }, [&] { engine_.reset(); });
}

void PSpgFbCuda::iterate(const Run& run) {
  constexpr int default_max_iterations = 100000;
  Monitor monitor(run.settings, default_max_iterations, run.observer);
  start(run);
  const bool conic = settings_.rescale && is_conic(run.problem.K);
  const auto compute_gradient = [&] {
    engine_->compute_gradient();
    ++run.result.counts.products;
    step(0.0);
  };
  bool exact_gradient = true;
  double best = infinity;
  for (;;) {
    double error = run.ruler.error_of(sums_.error_shares);
    if (!exact_gradient && (error <= monitor.tolerance() || steps_.iteration() % refresh_interval == 0)) {
      compute_gradient();
      exact_gradient = true;
      error = run.ruler.error_of(sums_.error_shares);
    }
    if (error < best) {
      best = error;
      engine_->keep();
    }
    if (run.observer != nullptr && run.observer->reads_iterate()) copy_current(x_);
    if (monitor.finished(error, x_)) break;

    if (!find_direction()) {
      // Rounding has made the gradient or the length wrong. Computes both again, once.
      if (exact_gradient && steps_.alpha() == 1.0) monitor.stop(Status::stalled);
      steps_.reset_alpha();
      compute_gradient();
      exact_gradient = true;
      continue;
    }
    const double slope = sums_.slope;
    const SpectralSums product = engine_->multiply(metric_);
    ++run.result.counts.products;
    const SpectralSteps::Products products{product.length, product.curvature, product.image};
    const double lambda = steps_.search(slope, rounding_, products);
    steps_.remember(lambda * (slope + 0.5 * lambda * products.curvature));
    steps_.advance(products);
    step(lambda);
    exact_gradient = false;
    if (conic) rescale();
  }
  if (best < infinity) {
    engine_->copy_best(world_.data());
    problem_.layout().from_world(world_.data(), run.result.x);
    run.problem.K.project(run.result.x);  // the turn of axes rounds
  }
  run.finish(monitor);
}

void PSpgFbCuda::start(const Run& run) {
  engine_.prepare(run.settings.device);
  const ContactArrays arrays = problem_.arrays(run.problem.K, run.problem.b, run.ruler.scale());
  engine_.take_matrix(problem_.version(), [&](auto& engine) { engine.set_contacts(arrays); });
  engine_->set_problem(arrays);
  world_.resize(arrays.size());
  x_ = run.result.x;
  mean_metric_ = x_.size() > 0 ? run.ruler.scale().mean() : 1.0;
  metric_ = settings_.preconditioned ? 0.0 : mean_metric_;
  weight_ = run.ruler.norm() > 0.0 ? 1.0 / run.ruler.norm() : 1.0;
  steps_.start();
  problem_.layout().to_world(x_, world_.data());
  engine_->start(world_.data());
  ++run.result.counts.products;
  step(0.0);
}

// The step, and the direction of the next one.
void PSpgFbCuda::step(double lambda) {
  sums_ = engine_->step(lambda, steps_.alpha(), metric_, weight_);
  rounding_ = 8.0 * machine_epsilon * sums_.magnitude;
}

// See PSpgFb.
bool PSpgFbCuda::find_direction() {
  if (sums_.slope < 0.0) return true;
  if (sums_.slope <= rounding_ && sums_.squared > 0.0) return steps_.accept_rounded();
  sums_ = engine_->step(0.0, steps_.alpha(), mean_metric_, weight_);
  return sums_.slope < 0.0;
}

// x <- t x, the minimum along its ray, if that is far.
void PSpgFbCuda::rescale() {
  const double slope = sums_.ray_slope, curvature = sums_.x_g - slope;
  if (!(slope < 0.0) || !(curvature > 0.0)) return;
  const double t = -slope / curvature;
  if (!std::isfinite(t) || (t >= 0.67 && t <= 1.5)) return;
  steps_.remember((t - 1.0) * slope + 0.5 * (t * t - 1.0) * curvature);
  engine_->scale(t);
  step(0.0);
}

void PSpgFbCuda::copy_current(Vector& x) {
  engine_->copy_current(world_.data());
  problem_.layout().from_world(world_.data(), x);
}

}  // namespace slipstick::internal
