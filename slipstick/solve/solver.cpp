// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solve/solver.hpp"

#include <fmt/format.h>

#include <cmath>

#include "slipstick/base/interruption.hpp"
#include "slipstick/measures/certificate.hpp"
#include "slipstick/problems/sets.hpp"
#include "slipstick/solve/hopeless_start.hpp"

namespace slipstick::internal {
namespace {

constexpr std::size_t message_length = 128;  // more than the messages of most methods

}  // namespace

void Solver::solve(const Problem& problem, const Settings& settings, Result& result,
                   const WarmStart* warm_start, Observer* observer) {
  check_settings(settings);
  result.counts = {};
  result.measures = {};
  result.message.clear();
  result.message.reserve(message_length);
  result.multipliers.resize(problem.rows ? problem.rows->G->rows() : 0);
  result.multipliers.setZero();
  result.ray.resize(0);
  result.farkas.resize(0);
  result.proved = false;
  result.x.resize(problem.b.size());
  result.w.resize(problem.b.size());

  if (const std::string reason = explain_unsupported(problem); !reason.empty()) {
    result.status = Status::unsupported;
    result.message = reason;
    result.x.setZero();
    result.w.setZero();
    return;
  }
  const Interruption interruption(settings.time_limit, observer);
  ruler_.prepare(problem);
  if (warm_start != nullptr && (warm_start->x.size() != problem.b.size() || !warm_start->x.allFinite()))
    warm_start = nullptr;
  result.start_used = warm_start != nullptr;
  if (warm_start != nullptr && is_solution(problem, settings, *warm_start, observer, result)) return;
  if (warm_start != nullptr && ruler_.norm() > 0.0 &&
      !(result.measures.scaled_natural_map < hopeless_start_error))
    warm_start = nullptr;
  result.status = Status::not_run;
  result.start_used = warm_start != nullptr;
  try {
    run({problem, settings, ruler_, warm_start, observer, result});
  } catch (const Interrupted& interrupted) {
    result.status = interrupted.reason;
    if (!result.multipliers.allFinite()) result.multipliers.setZero();
    if (!result.x.allFinite()) {
      result.x.setZero();
      problem.K.project(result.x);
    }
  }

  // The certificate: the measure alone decides whether the status is solved. It is complete after a limit,
  // too.
  const Interruption::Off whole;
  measure(problem, ruler_, result, settings.threads, result.measures);
  ++result.counts.products;
  const double error = result.measures.scaled_natural_map;
  const Status belief = result.status;
  if (error <= settings.tolerance) {
    result.status = Status::solved;
  } else if (std::isnan(error) || (std::isinf(error) && ruler_.norm() > 0.0)) {
    result.status = Status::numerical_error;
  } else if (belief == Status::solved || belief == Status::not_run) {
    result.status = Status::stalled;
  }
  if (result.status != belief) result.message.clear();
  check_proof(problem, result);
}

// Judges a warm start before the method prepares anything.
bool Solver::is_solution(const Problem& problem, const Settings& settings, const WarmStart& start,
                         Observer* observer, Result& result) {
  if (!(ruler_.norm() > 0.0)) return false;
  result.x = start.x;
  problem.K.project(result.x);
  measure(problem, ruler_, result, settings.threads, result.measures);
  ++result.counts.products;
  const double error = result.measures.scaled_natural_map;
  if (!(error <= settings.tolerance)) return false;
  if (observer != nullptr) observer->observe({.error = error, .x = result.x});
  result.status = Status::solved;
  return true;
}

void Solver::Run::start() const {
  // If b = 0, P_K(0) is the solution, and only an exact solution counts as solved.
  if (warm_start != nullptr && ruler.norm() > 0.0) {
    result.x = warm_start->x;
  } else {
    result.x.setZero();
  }
  problem.K.project(result.x);
}

void Solver::Run::multiply(ConstVectorView x, VectorView y) const {
  problem.A.multiply(x, y, settings.threads);
  ++result.counts.products;
}

void Solver::Run::gradient(ConstVectorView x, VectorView w) const {
  multiply(x, w);
  w += problem.b;
}

void Solver::Run::finish(const Monitor& monitor) const {
  result.status = monitor.status();
  result.counts.iterations = monitor.iterations();
}

std::string explain_needs(const Problem& problem, std::string_view method, const Needs& needs) {
  if (needs.no_linear_rows && problem.rows)
    return fmt::format("{} takes no linear rows, and the problem has {}", method, problem.rows->G->rows());
  if (needs.sets != Needs::any && !problem.K.is_box()) {
    const bool cones = needs.sets == Needs::bounds_or_cones;
    for (const SetBlock& block : problem.K.blocks()) {
      if (has_independent_rows(block) || (cones && block.kind == SetKind::cone)) continue;
      return fmt::format("{} takes {} only, and the rows from {} on form a {}", method,
                         cones ? "bounds and friction cones" : "bounds", block.start, name(block.kind));
    }
  }
  if (!needs.symmetry || problem.symmetric) return {};
  return fmt::format("{} needs a symmetric matrix, and its asymmetry is {:.2e} of the largest entry", method,
                     problem.A.asymmetry());
}

}  // namespace slipstick::internal
