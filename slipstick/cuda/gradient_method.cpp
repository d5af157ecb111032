// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/gradient_method.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/cuda/device.hpp"

namespace slipstick::internal {
namespace {

constexpr int most_rounded_iterations = 2000;

// The next test comes after as many iterations as there were, at most those of a replay.
int steps_until_test(const Monitor& monitor, int iteration) {
  return std::min({std::max(iteration, 1), ApgdEngine::steps_per_replay, monitor.iterations_left() + 1});
}

}  // namespace

std::string GradientMethod::explain_unsupported(const Problem& problem) const {
  if (std::string reason = explain_needs(problem, name_, {.symmetry = true}); !reason.empty()) return reason;
  if (std::string reason = explain_missing_device(name_); !reason.empty()) return reason;
  return problem_.read(problem.A, problem.K, name_);
}

void GradientMethod::run(const Run& run) {
  run.start();
  problem_.set_threads(run.settings.threads);
  run_on_device(
      run, [&] { iterate(run); }, [&] { engine_.reset(); });
}

void GradientMethod::iterate(const Run& run) {
  Monitor monitor(run.settings, default_max_iterations_, run.observer);
  ApgdState state = start(run);
  // Rounded numbers end the descent.
  double mark = infinity;
  int last_mark = 0;
  for (;;) {
    if (state.error_shares < 0.8 * mark) {
      mark = state.error_shares;
      last_mark = state.iteration;
    } else if (number_ == StoredNumber::float32 && state.iteration - last_mark > most_rounded_iterations) {
      monitor.stop(Status::stalled);
    }
    if (run.observer != nullptr && run.observer->reads_iterate()) copy_current(x_);
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

ApgdState GradientMethod::start(const Run& run) {
  engine_.prepare(run.settings.device, number_);
  const ContactArrays arrays = problem_.arrays(run.problem.K, run.problem.b, run.ruler.scale());
  engine_.take_matrix(problem_.version(), [&](auto& engine) { engine.set_contacts(arrays); });
  engine_->set_problem(arrays);
  world_.resize(arrays.size());
  ApgdState state = steering(run);
  state.weight = run.ruler.norm() > 0.0 ? 1.0 / run.ruler.norm() : 1.0;
  x_ = run.result.x;
  problem_.layout().to_world(x_, world_.data());
  run.result.counts.products += 1;
  return engine_->start(world_.data(), state);
}

double GradientMethod::squared_product(const Run& run, const Vector& x) {
  problem_.layout().to_world(x, world_.data());
  run.result.counts.products += 1;
  return engine_->multiply(world_.data(), nullptr);
}

void GradientMethod::copy_current(Vector& x) {
  engine_->copy_current(world_.data());
  problem_.layout().from_world(world_.data(), x);
}

}  // namespace slipstick::internal
