// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/sweep_method.hpp"

#include <cmath>

#include "slipstick/cuda/device.hpp"

namespace slipstick::internal {
namespace {

// Cones of contacts, then the bounds of joints.
void set_cones(const LocalContactProblem& problem, ProductSet& K) {
  K.clear();
  for (const double mu : problem.mu) K.append_cone(mu, problem.dimension);
  for (Index j = 0; j < problem.joint_rows(); ++j)
    K.append_interval(problem.lower[j], problem.upper[j], Role::bilateral);
}

}  // namespace

std::string SweepMethod::explain_unsupported(const LocalContactProblem& problem) const {
  if (std::string reason = explain_missing_device(name_); !reason.empty()) return reason;
  set_cones(problem, set_);
  return problem_.read(problem.W, set_, name_);
}

void SweepMethod::run(const Run& run) {
  if (run.warm_start != nullptr) run.result.r = run.warm_start->x;
  problem_.set_threads(run.settings.threads);
  run_on_device(
      run, [&] { iterate(run); }, [&] { engine_.reset(); });
}

void SweepMethod::iterate(const Run& run) {
  constexpr int default_max_iterations = 20000;
  Monitor monitor(run.settings, default_max_iterations, run.observer);
  const SweepState last = sweep(run, monitor, start(run));
  if (std::isfinite(last.best_error)) {
    engine_->copy_best(world_.data());
    problem_.layout().from_world(world_.data(), run.result.r);
  }
  run.result.counts.iterations = monitor.iterations();
  run.result.status = monitor.status();
}

SweepState SweepMethod::start(const Run& run) {
  const LocalContactProblem& problem = run.problem;
  engine_.prepare(run.settings.device, kind_);
  // One d for the rows of a contact, and one for each row of a joint, as in the ruler.
  scale_.resize(problem.q.size());
  for (Index i = 0; i < problem.contacts(); ++i)
    scale_.segment(problem.dimension * i, problem.dimension).setConstant(ruler().scale()[i]);
  scale_.tail(problem.joint_rows()) = ruler().joint_scale();
  const ContactArrays arrays = problem_.arrays(set_, problem.q, scale_);
  engine_.take_matrix(problem_.version(), [&](auto& engine) { engine.set_contacts(arrays); });
  engine_->set_problem(arrays);
  world_.resize(arrays.size());
  problem_.layout().to_world(run.result.r, world_.data());
  SweepState state = steering();
  state.norm = ruler().norm();
  state.weighted_norm = ruler().weighted_norm();
  state.weigh_by_scale = problem.joint_rows() > 0 ? 1 : 0;
  run.result.counts.products += 1;
  return engine_->start(world_.data(), state);
}

const Vector& SweepMethod::present(const Run& run) {
  if (run.observer != nullptr && run.observer->reads_iterate()) {
    engine_->copy_current(world_.data());
    problem_.layout().from_world(world_.data(), run.result.r);
  }
  return run.result.r;
}

}  // namespace slipstick::internal
