// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solve/contact_solver.hpp"

#include <cmath>

#include "slipstick/base/interruption.hpp"
#include "slipstick/measures/contact_measures.hpp"
#include "slipstick/measures/measures.hpp"
#include "slipstick/solve/hopeless_start.hpp"

namespace slipstick::internal {

double ContactSolver::judge(const Run& run) {
  measure(run.problem, ruler_, run.result, run.settings.threads, run.result.measures);
  ++run.result.counts.products;
  return contact_error(run.result.measures, law());
}

// The error that the settings ask for. The published error alone does not accept an answer that the scaled
// natural map rates worse than zero impulse. The exception is that zero impulse is a solution too.
double ContactSolver::requested_error(const Run& run) {
  const double both = judge(run), tolerance = run.settings.tolerance;
  const Measures& measures = run.result.measures;
  if (run.settings.measure != ErrorMeasure::desaxce || law() != FrictionLaw::coulomb || both <= tolerance)
    return both;
  if (!(measures.scaled_natural_map <= largest_scaled_error)) return both;
  if (!(measures.desaxce <= tolerance)) return measures.desaxce;
  no_r_.setZero(run.problem.q.size());
  Measures zero;
  ruler_.judge(no_r_, run.problem.q, zero);
  const bool better = measures.scaled_natural_map <= share_of_zero_error * zero.scaled_natural_map;
  return better || zero.desaxce <= tolerance ? measures.desaxce : both;
}

void ContactSolver::solve(const LocalContactProblem& problem, const Settings& settings, Result& result,
                          const WarmStart* warm_start, Observer* observer) {
  check_settings(settings);
  result.counts = {};
  result.message.clear();
  attempts_.clear();
  has_run_ = false;
  const Index rows = problem.q.size();
  const Index given = warm_start != nullptr ? warm_start->x.size() : 0;
  if (warm_start != nullptr &&
      ((given != rows && given != problem.contact_rows()) || !warm_start->x.allFinite()))
    warm_start = nullptr;
  result.start_used = warm_start != nullptr;
  result.measures = {};
  result.r.setZero(rows);
  if (const std::string reason = explain_unsupported(problem); !reason.empty()) {
    result.status = Status::unsupported;
    result.message = reason;
    return;
  }
  result.status = Status::not_run;
  const Interruption interruption(settings.time_limit, observer);
  ruler_.prepare(problem, law());
  if (warm_start != nullptr && given < rows) {
    impulses_.x.setZero(rows);
    impulses_.x.head(given) = warm_start->x;
    warm_start = &impulses_;
  }
  // Without a load the solution is zero, unless bounds forbid it.
  if (!(ruler_.norm() > 0.0) && problem.joint_rows() == 0) warm_start = nullptr;
  // Judges a warm start before the method prepares anything.
  Run run{problem, settings, published_by_load_, terms_, warm_start, observer, result};
  if (warm_start != nullptr) {
    result.r = warm_start->x;
    const double error = requested_error(run);
    if (error <= settings.tolerance) {
      if (observer != nullptr) observer->observe({.error = error, .x = result.r});
      result.status = Status::solved;
      return;
    }
    result.r.setZero();
    if (!(result.measures.scaled_natural_map < hopeless_start_error)) run.warm_start = nullptr;
  }
  result.start_used = run.warm_start != nullptr;
  has_run_ = true;
  try {
    this->run(run);
  } catch (const Interrupted& interrupted) {
    result.status = interrupted.reason;
    if (!result.r.allFinite()) result.r.setZero();
  }
  const Interruption::Off whole;  // the certificate is complete after a limit, too
  if (result.status == Status::unsupported) return;

  const double error = requested_error(run);
  if (error <= settings.tolerance) {
    result.status = Status::solved;
  } else if (!std::isfinite(error)) {
    result.status = Status::numerical_error;
  } else if (result.status == Status::solved || result.status == Status::not_run) {
    result.status = Status::stalled;
  }
}

}  // namespace slipstick::internal
