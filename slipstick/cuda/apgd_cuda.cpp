// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/apgd_cuda.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/cuda/device.hpp"
#include "slipstick/solvers/projected/metric_step.hpp"

namespace slipstick::internal {
namespace {

constexpr const char* method_name = "apgd-cuda";

// The next test comes after as many iterations as there were, at most those of a replay.
int steps_until_test(const Monitor& monitor, int iteration) {
  return std::min({std::max(iteration, 1), ApgdEngine::steps_per_replay, monitor.iterations_left() + 1});
}

}  // namespace

std::string ApgdCuda::explain_unsupported(const Problem& problem) const {
  if (std::string reason = explain_needs(problem, method_name, {.symmetry = true}); !reason.empty())
    return reason;
  if (std::string reason = explain_missing_device(method_name); !reason.empty()) return reason;
  return problem_.read(problem.A, problem.K, method_name);
}

void ApgdCuda::run(const Run& run) {
  run.start();
  try {
    iterate(run);
  } catch (const DeviceError& error) {
    engine_.reset();
    run.result.status = run.result.counts.products > 0 ? Status::numerical_error : Status::unsupported;
    run.result.message = error.what();
  }
}

void ApgdCuda::iterate(const Run& run) {
  constexpr int default_max_iterations = 100000;
  Monitor monitor(run.settings, default_max_iterations, run.observer);
  ApgdState state = start(run);
  for (;;) {
    if (run.observer != nullptr) copy_current(x_);
    if (monitor.finished(run.ruler.error_of(state.error_shares), x_)) break;
    const int before = state.iteration + state.redone;
    state = engine_->iterate(steps_until_test(monitor, state.iteration));
    run.result.counts.products += state.iteration + state.redone - before;
    monitor.set_iterations(state.iteration);
  }
  if (std::isfinite(state.best_shares)) {
    engine_->copy_best(world_.data());
    problem_.layout().from_world(world_.data(), run.result.x);
    run.problem.K.project(run.result.x);  // the turn of axes rounds
  }
  run.finish(monitor);
}

ApgdState ApgdCuda::start(const Run& run) {
  if (engine_ == nullptr) {
    engine_ = std::make_unique<ApgdEngine>();
    version_ = 0;
  }
  const ContactArrays arrays = problem_.arrays(run.problem.K, run.problem.b, run.ruler.scale());
  if (version_ != problem_.version()) engine_->set_contacts(arrays);
  version_ = problem_.version();
  engine_->set_problem(arrays);
  world_.resize(arrays.size());
  ApgdState state;
  state.growth = settings_.growth;
  state.shrinkage = settings_.shrinkage;
  state.restart = settings_.restart ? 1 : 0;
  state.conic = settings_.rescale && is_conic(run.problem.K) ? 1 : 0;
  state.weight = run.ruler.norm() > 0.0 ? 1.0 / run.ruler.norm() : 1.0;
  state.lipschitz = first_lipschitz_estimate(run);
  x_ = run.result.x;
  problem_.layout().to_world(x_, world_.data());
  run.result.counts.products += 1;
  return engine_->start(world_.data(), state);
}

// See Apgd.
double ApgdCuda::first_lipschitz_estimate(const Run& run) {
  x_ = run.ruler.scale().cwiseSqrt().cwiseInverse();
  problem_.layout().to_world(x_, world_.data());
  const double squared = engine_->multiply(world_.data(), nullptr);
  run.result.counts.products += 1;
  return squared > 0.0 ? std::sqrt(squared / static_cast<double>(x_.size())) : 1.0;
}

void ApgdCuda::copy_current(Vector& x) {
  engine_->copy_current(world_.data());
  problem_.layout().from_world(world_.data(), x);
}

}  // namespace slipstick::internal
