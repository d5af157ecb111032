// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/active_set/primal_asm.hpp"

namespace slipstick::internal {
namespace {

constexpr double proximal_share = 1e-8;
constexpr int degenerate_limit = 50;  // steps of length zero before the least index decides

}  // namespace

std::string PrimalAsm::explain_unsupported(const Problem& problem) const {
  return explain(problem, "primal-asm", settings_.max_unknowns);
}

void PrimalAsm::run(const Run& run) {
  constexpr int default_max_iterations = 100000;
  Monitor monitor(run.settings, default_max_iterations, run.observer);
  run.start();
  active_.prepare(run.problem, run.ruler);
  share_ = 0.0;
  if (!active_.use_matrix(share_)) share_ = proximal_share;
  if (!active_.use_matrix(share_)) {
    run.result.message = "primal-asm needs a positive semidefinite matrix, and this one is not";
    run.result.status = Status::unsupported;
    return;
  }
  monitor.guard([&] {
    if (!find_feasible_point(run, monitor)) return;
    active_.use_matrix(share_);
    active_.hold_again();
    run.result.x = active_.x();
    minimize(run, monitor);
  });
  run.finish(monitor);
}

// Finds the feasible point nearest to the start. Returns false if there is none, or if the time is over.
bool PrimalAsm::find_feasible_point(const Run& run, Monitor& monitor) {
  active_.use_diagonal();
  load_ = -active_.diagonal().cwiseProduct(run.result.x);
  if (run.warm_start != nullptr) {
    active_.x() = run.result.x;
    active_.name_touching(run.result.x, DenseActiveSet::touching * run.ruler.norm());
    active_.start_dual_from_named(load_, DenseActiveSet::contradiction * band(run));
  } else {
    active_.start_dual(load_);
  }
  bool feasible = active_.hold_equalities(DenseActiveSet::contradiction * band(run));
  while (feasible) {
    const DenseActiveSet::Violation worst = active_.most_violated(band(run));
    if (worst.constraint < 0) return true;
    if (monitor.interrupted(worst.size / run.ruler.norm(), active_.x(), active_.held())) break;
    feasible = active_.hold_by_dual_steps(worst.constraint, DenseActiveSet::contradiction * band(run));
  }
  run.result.x = active_.x();
  if (!feasible) {
    run.result.message = "no point meets all constraints";
    monitor.stop(Status::infeasible);
  }
  return false;
}

void PrimalAsm::minimize(const Run& run, Monitor& monitor) {
  reference_ = active_.x();
  step_.resize(reference_.size());
  at_minimum_ = false;
  steps_of_no_length_ = 0;
  double last_error = std::numeric_limits<double>::infinity();
  for (;;) {
    find_gradient(run);
    active_.find_step(gradient_, step_);
    const double length = run.ruler.scale().cwiseProduct(step_).norm();
    if (at_minimum_ || length <= band(run)) {
      active_.find_multipliers(gradient_);
      const Index worst = active_.worst_multiplier(band(run), steps_of_no_length_ > degenerate_limit);
      if (worst < 0) {
        // x is the minimum, at least of the proximal problem.
        const double error = refine(run);
        if (monitor.finished(error, run.result.x, active_.held())) return;
        if (share_ == 0.0 || !(error < 0.7 * last_error)) return monitor.stop(Status::stalled);
        last_error = error;
        reference_ = active_.x();
        at_minimum_ = false;
        continue;
      }
      active_.drop(worst);
      at_minimum_ = false;
    } else {
      step_to_block();
    }
    run.result.x = active_.x();
    if (monitor.interrupted(length / run.ruler.norm(), active_.x(), active_.held())) break;
  }
  find_gradient(run);
  active_.find_multipliers(gradient_);
  judge(run);
}

// The gradient of the proximal problem.
void PrimalAsm::find_gradient(const Run& run) {
  gradient_.resize(active_.x().size());
  run.gradient(active_.x(), gradient_);
  if (share_ > 0.0) gradient_ += share_ * active_.diagonal().cwiseProduct(active_.x() - reference_);
}

void PrimalAsm::step_to_block() {
  const DenseActiveSet::Block block = active_.first_block(step_, steps_of_no_length_ > degenerate_limit);
  active_.x() += block.step * step_;
  if (block.constraint >= 0) active_.hold(block.constraint, block.side);
  at_minimum_ = block.constraint < 0;
  steps_of_no_length_ = block.step > 0.0 ? 0 : steps_of_no_length_ + 1;
}

}  // namespace slipstick::internal
