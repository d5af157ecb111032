// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solve/contact_solver.hpp"

#include <fmt/format.h>

#include <cmath>

#include "slipstick/base/timer.hpp"
#include "slipstick/measures/measures.hpp"
#include "slipstick/problems/convert.hpp"

namespace slipstick {

void ContactSolver::solve(const LocalContactProblem& problem, const Settings& settings, Result& result,
                          const WarmStart* warm_start, Observer* observer) {
  const Timer timer;
  check_settings(settings);
  result.counts = {};
  result.measures = {};
  result.message.clear();
  result.r.setZero(problem.q.size());
  result.l.setZero(problem.bilateral ? problem.bilateral->s.size() : 0);
  if (const std::string reason = explain_unsupported(problem); !reason.empty()) {
    result.status = Status::unsupported;
    result.message = reason;
    result.seconds = timer.seconds();
    return;
  }
  if (warm_start != nullptr && (warm_start->x.size() != problem.q.size() || !warm_start->x.allFinite()))
    warm_start = nullptr;
  result.status = Status::not_run;
  run({problem, settings, warm_start, observer, result});
  if (result.status == Status::unsupported) return;

  measure(problem, law(), result, result.measures);
  ++result.counts.products;
  const double error = result.measures.scaled_natural_map;
  if (error <= settings.tolerance) {
    result.status = Status::solved;
  } else if (!std::isfinite(error)) {
    result.status = Status::numerical_error;
  } else if (result.status == Status::solved || result.status == Status::not_run) {
    result.status = Status::stalled;
  }
  result.seconds = timer.seconds();
  result.message = fmt::format("{} after {} iterations, scaled natural map {:.2e}", name(result.status),
                               result.counts.iterations, error);
}

std::string needs_symmetric_contacts(const LocalContactProblem& problem, std::string_view method) {
  const double asymmetry = problem.W.asymmetry();
  if (asymmetry <= symmetry_tolerance) return {};
  return fmt::format("{} needs a symmetric W, and its asymmetry is {:.2e} of the largest entry", method,
                     asymmetry);
}

}  // namespace slipstick
