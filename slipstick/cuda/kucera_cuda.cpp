// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/kucera_cuda.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/cuda/device.hpp"
#include "slipstick/solvers/projected/gradient_limits.hpp"
#include "slipstick/solvers/projected/metric_step.hpp"

namespace slipstick::internal {
namespace {

constexpr const char* kucera_name = "kucera-cuda";

MprgpSettings on_bounds(const KuceraSettings& settings) {
  return {.proportion = settings.proportion, .expansion = settings.expansion};
}

// How far the objective falls along a direction, at most all of it.
double exact_step(double slope, double curvature) {
  return curvature > 0.0 ? std::min(1.0, -slope / curvature) : 1.0;
}

}  // namespace

KuceraCuda::KuceraCuda(const KuceraSettings& settings)
    : MprgpCuda(on_bounds(settings), kucera_name), settings_(settings) {}

std::string KuceraCuda::explain_unsupported(const Problem& problem) const {
  if (problem.K.is_box()) return MprgpCuda::explain_unsupported(problem);
  if (std::string reason =
          explain_needs(problem, kucera_name, {.sets = Needs::bounds_or_cones, .symmetry = true});
      !reason.empty())
    return reason;
  if (std::string reason = explain_missing_device(kucera_name); !reason.empty()) return reason;
  return problem_.read(problem.A, problem.K, kucera_name);
}

void KuceraCuda::run(const Run& run) {
  if (run.problem.K.is_box()) return MprgpCuda::run(run);
  run.start();
  problem_.set_threads(run.settings.threads);
  run_on_device(
      run, [&] { iterate(run); }, [&] { engine_.reset(); });
}

void KuceraCuda::iterate(const Run& run) {
  constexpr int default_max_iterations = 100000;
  Monitor monitor(run.settings, default_max_iterations, run.observer);
  start(run);
  const bool conic = settings_.rescale && is_conic(run.problem.K);
  bool exact_gradient = true;
  double best = infinity;
  split();
  for (;;) {
    double error = run.ruler.error_of(sums_.error_shares);
    if (!exact_gradient && (error <= monitor.tolerance() || monitor.iterations() % refresh_interval == 0)) {
      compute_gradient(run);
      exact_gradient = true;
      error = run.ruler.error_of(sums_.error_shares);
    }
    if (error < best) {
      best = error;
      engine_->keep();
    }
    if (run.observer != nullptr && run.observer->reads_iterate()) copy_current(x_);
    if (monitor.finished(error, x_)) break;

    const bool proportional = sums_.leaving <= settings_.proportion * settings_.proportion * sums_.face;
    const bool moved = proportional ? conjugate_gradient_or_expansion(run) : projected_gradient_step(run);
    if (!moved) {
      // Rounding has made the gradient or the length wrong. Computes both again, once.
      if (exact_gradient && alpha_ == 1.0) monitor.stop(Status::stalled);
      compute_gradient(run);
      exact_gradient = true;
      alpha_ = 1.0;
      continue;
    }
    exact_gradient = false;
    split();
    const double t = conic ? far_ray_minimum() : 1.0;
    if (t == 1.0) continue;
    engine_->scale(t);
    split();
    previous_ = 0.0;
  }
  if (best < infinity) {
    engine_->copy_best(world_.data());
    problem_.layout().from_world(world_.data(), run.result.x);
    run.problem.K.project(run.result.x);  // the turn of axes rounds
  }
  run.finish(monitor);
}

void KuceraCuda::start(const Run& run) {
  engine_.prepare(run.settings.device);
  const ContactArrays arrays = problem_.arrays(run.problem.K, run.problem.b, run.ruler.scale());
  engine_.take_matrix(problem_.version(), [&](auto& engine) { engine.set_contacts(arrays); });
  engine_->set_problem(arrays);
  world_.resize(arrays.size());
  weight_ = run.ruler.norm() > 0.0 ? 1.0 / run.ruler.norm() : 1.0;
  x_ = run.result.x;
  move_ = {};
  alpha_ = 1.0;
  gradient_steps_ = rounded_steps_ = 0;
  previous_ = 0.0;
  problem_.layout().to_world(x_, world_.data());
  engine_->start(world_.data());
  ++run.result.counts.products;
}

// Makes the move, and computes phi and beta. If the face has changed, the conjugate directions restart.
void KuceraCuda::split() {
  sums_ = engine_->split(move_.step, move_.direction, weight_);
  move_ = {};
  if (sums_.changed > 0.0) previous_ = 0.0;
}

void KuceraCuda::compute_gradient(const Run& run) {
  engine_->compute_gradient();
  ++run.result.counts.products;
  split();
}

// See internal::far_ray_minimum().
double KuceraCuda::far_ray_minimum() const {
  const double slope = sums_.ray_slope, curvature = sums_.x_g - slope;
  if (!(slope < 0.0) || !(curvature > 0.0)) return 1.0;
  const double t = -slope / curvature;
  return std::isfinite(t) && (t < 0.67 || t > 1.5) ? t : 1.0;
}

bool KuceraCuda::conjugate_gradient_or_expansion(const Run& run) {
  const double factor = previous_ > 0.0 ? sums_.face / previous_ : 0.0;
  previous_ = sums_.face;
  const FaceSums found = engine_->find_conjugate(factor);
  ++run.result.counts.products;
  if (!(found.slope > 0.0)) {  // rounding has made the direction wrong
    previous_ = 0.0;
    return projected_gradient_step(run);
  }
  const double whole_step = found.curvature > 1e-15 * std::sqrt(found.squared_size * found.squared_image)
                                ? found.slope / found.curvature
                                : infinity;
  if (whole_step < found.feasible_step) {
    move_ = {-whole_step, FaceEngine::Direction::conjugate};
    return true;
  }
  previous_ = 0.0;
  if (settings_.expansion == Expansion::projected && whole_step < infinity &&
      project_whole_step(run, whole_step))
    return true;
  // Moves to the boundary, then makes a projected gradient step.
  if (found.feasible_step < infinity) engine_->move_to_boundary(found.feasible_step);
  return projected_gradient_step(run);
}

// To P(x - step p), or a point on the segment to it if the objective falls only so far. Returns false if it
// does not fall.
bool KuceraCuda::project_whole_step(const Run& run, double step) {
  const FaceSums found = engine_->find_projected(step);
  ++run.result.counts.products;
  if (!(found.slope < 0.0)) return false;
  move_ = {exact_step(found.slope, found.curvature), FaceEngine::Direction::projected};
  return true;
}

// Towards P(x - alpha D^-1 g) as far as the objective falls. Then takes the two Barzilai-Borwein lengths in
// turn.
bool KuceraCuda::projected_gradient_step(const Run& run) {
  previous_ = 0.0;
  const FaceSums found = engine_->find_gradient_step(alpha_);
  ++run.result.counts.products;
  const double rounding = 8.0 * machine_epsilon * sums_.magnitude;
  const bool rounded = found.slope > -rounding;
  if (found.slope > rounding || found.squared_size == 0.0 ||
      (rounded && ++rounded_steps_ > most_rounded_steps))
    return false;
  move_ = {rounded ? 1.0 : exact_step(found.slope, found.curvature), FaceEngine::Direction::projected};
  if (found.curvature > 0.0) {
    const double length =
        gradient_steps_ % 2 == 1 ? found.length / found.curvature : found.curvature / found.scaled_image;
    alpha_ = std::clamp(length, 1e-9, 1e9);
  }
  ++gradient_steps_;
  return true;
}

void KuceraCuda::copy_current(Vector& x) {
  engine_->copy_current(world_.data());
  problem_.layout().from_world(world_.data(), x);
}

}  // namespace slipstick::internal
