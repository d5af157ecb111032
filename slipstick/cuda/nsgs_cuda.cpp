// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/nsgs_cuda.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/contact/coulomb/sweeps/coulomb_sweep.hpp"
#include "slipstick/contact/coulomb/sweeps/nsgs.hpp"
#include "slipstick/cuda/device.hpp"

namespace slipstick::internal {
namespace {

constexpr const char* nsgs_name = "nsgs-cuda";

// Cones of contacts, then the bounds of joints.
void set_cones(const LocalContactProblem& problem, ProductSet& K) {
  K.clear();
  for (const double mu : problem.mu) K.append_cone(mu, problem.dimension);
  for (Index j = 0; j < problem.joint_rows(); ++j)
    K.append_interval(problem.lower[j], problem.upper[j], Role::bilateral);
}

}  // namespace

NsgsCuda::NsgsCuda(const NsgsSettings& settings) : settings_(settings) {
  check_relaxation(settings);
}

std::string NsgsCuda::explain_unsupported(const LocalContactProblem& problem) const {
  if (std::string reason = explain_missing_device(nsgs_name); !reason.empty()) return reason;
  set_cones(problem, set_);
  return problem_.read(problem.W, set_, nsgs_name);
}

void NsgsCuda::run(const Run& run) {
  if (run.warm_start != nullptr) run.result.r = run.warm_start->x;
  try {
    sweep(run);
  } catch (const DeviceError& error) {
    engine_.reset();
    run.result.status = run.result.counts.products > 0 ? Status::numerical_error : Status::unsupported;
    run.result.message = error.what();
  }
}

void NsgsCuda::sweep(const Run& run) {
  constexpr int default_max_iterations = 20000;
  Monitor monitor(run.settings, default_max_iterations, run.observer);
  const double tolerance = std::max(run.settings.tolerance, std::numeric_limits<double>::min());
  const int most = std::min(settings_.test, SweepEngine::sweeps_per_replay);
  SweepRule rule(settings_.order, most, 1.0);
  SweepState state = start(run);
  Vector& r = run.result.r;
  for (;;) {
    if (run.observer != nullptr) {
      engine_->copy_current(world_.data());
      problem_.layout().from_world(world_.data(), r);
    }
    rule.tested(0.0, state.error / tolerance);
    if (rule.stalled()) monitor.stop(Status::stalled);
    if (monitor.finished(state.error, r)) break;
    const int sweeps = std::min({std::max(rule.sweeps(), 1), most, monitor.iterations_left() + 1});
    const bool backward = rule.next_backward();
    bool alternate = false;
    for (int i = 1; i < sweeps; ++i) alternate = rule.next_backward() != backward || alternate;
    state = engine_->sweep(sweeps, alternate, backward);
    run.result.counts.products += sweeps;
    monitor.set_iterations(rule.sweeps());
  }
  if (std::isfinite(state.best_error)) {
    engine_->copy_best(world_.data());
    problem_.layout().from_world(world_.data(), r);
  }
  run.result.counts.iterations = monitor.iterations();
  run.result.status = monitor.status();
}

SweepState NsgsCuda::start(const Run& run) {
  const LocalContactProblem& problem = run.problem;
  if (engine_ == nullptr) {
    engine_ = std::make_unique<SweepEngine>();
    version_ = 0;
  }
  // One d for the rows of a contact, and one for each row of a joint, as in the ruler.
  scale_.resize(problem.q.size());
  for (Index i = 0; i < problem.contacts(); ++i)
    scale_.segment(problem.dimension * i, problem.dimension).setConstant(ruler().scale()[i]);
  scale_.tail(problem.joint_rows()) = ruler().joint_scale();
  const ContactArrays arrays = problem_.arrays(set_, problem.q, scale_);
  if (version_ != problem_.version()) engine_->set_contacts(arrays);
  version_ = problem_.version();
  engine_->set_problem(arrays);
  world_.resize(arrays.size());
  problem_.layout().to_world(run.result.r, world_.data());
  SweepState state;
  state.relaxation = settings_.relaxation;
  state.proximal = settings_.proximal;
  state.norm = ruler().norm();
  state.weighted_norm = ruler().weighted_norm();
  state.weigh_by_scale = problem.joint_rows() > 0 ? 1 : 0;
  run.result.counts.products += 1;
  return engine_->start(world_.data(), state);
}

}  // namespace slipstick::internal
