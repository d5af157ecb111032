// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/sweeps/sweep_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/matrix.hpp"
#include "slipstick/solvers/common/empty_rows.hpp"
#include "slipstick/solvers/common/rounding.hpp"

namespace slipstick::internal {
namespace {

constexpr int sweeps_between_checks = 50;
constexpr int sweep_stall_limit = 2000;            // checks without a better iterate: a cycle
constexpr int sweep_stall_limit_in_rounding = 20;  // the same if the error may be only rounding
constexpr double divergence = 1e8;  // a larger growth of the error, relative to the start, ends a solve

}  // namespace

std::string SweepSolver::explain_unsupported(const Problem& problem) const {
  if (std::string reason = explain_needs(problem, method_, needs_); !reason.empty()) return reason;
  const auto lower = problem.K.lower();
  const auto upper = problem.K.upper();
  for (const SetBlock& block : problem.K.blocks()) {
    if (!has_independent_rows(block)) continue;
    for (Index i = block.start; i < block.start + block.size; ++i) {
      if (lower[i] != -infinity || upper[i] != infinity) continue;
      const double diagonal = problem.A.entry(i, i);
      if (diagonal > 0.0 || (diagonal == 0.0 && is_empty_row(problem.A, i))) continue;
      return fmt::format("{} divides by the diagonal, and that of row {}, which is free, is {}", method_, i,
                         diagonal);
    }
  }
  return {};
}

void SweepSolver::begin(const Run& run, Monitor& monitor) {
  const Problem& problem = run.problem;
  const Index n = problem.b.size();
  run.start();
  rows_.step.resize(n);
  problem.A.diagonal(rows_.step);
  const Index hopeless =
      place_empty_rows(problem, rows_.step, run.settings.tolerance * run.ruler.norm(), run.result.x);
  if (hopeless >= 0) {
    monitor.stop(problem.symmetric ? Status::unbounded : Status::infeasible);
    run.result.message = explain_empty_row(problem, hopeless);
  }
  for (double& d : rows_.step) d = d > 0.0 ? 1.0 / d : 0.0;
  rows_.weight = run.ruler.scale() / (run.ruler.norm() > 0.0 ? run.ruler.norm() : 1.0);
  rows_.b = problem.b.data();
  rows_.lower = problem.K.lower().data();
  rows_.upper = problem.K.upper().data();

  w_.resize(n);
  previous_x_.resize(n);
  previous_w_.resize(n);
  best_.reset(n);
  estimate_ = infinity;
  calibration_ = 1.0;
  start_error_ = infinity;
  checks_ = 0;
  checks_since_best_ = 0;
}

void SweepSolver::relax(double relaxation) {
  rows_.step *= relaxation;
  rows_.weight /= relaxation;
}

bool SweepSolver::finished(const Run& run, Monitor& monitor) {
  const Vector& x = run.result.x;
  run.gradient(x, w_);
  const double error = run.ruler(x, w_);
  checks_since_best_ = error < best_.error() ? 0 : checks_since_best_ + 1;
  best_.offer(error, x);
  if (monitor.status() != Status::not_run) return true;

  if (checks_ == 0) start_error_ = error;
  if (estimate_ > 0.0 && estimate_ < infinity) calibration_ = error / estimate_;
  if (error > monitor.tolerance()) {
    if (checks_ > 0 && run.problem.symmetric && run.problem.K.is_box() && falls_without_end(run)) {
      monitor.stop(Status::unbounded);
    } else if (estimate_ == 0.0 || checks_since_best_ >= sweep_stall_limit ||
               (checks_since_best_ >= sweep_stall_limit_in_rounding && is_rounding(run.ruler, x, error))) {
      monitor.stop(Status::stalled);
    }
  }
  ++checks_;
  previous_x_ = x;
  previous_w_ = w_;
  sweeps_until_check_ = sweeps_between_checks;
  return monitor.finished(error, x);
}

bool SweepSolver::due(double estimate, const Run& run, Monitor& monitor) {
  estimate_ = estimate;
  if (!(estimate_ <= divergence * std::max(1.0, start_error_))) {
    monitor.stop(Status::stalled);
    run.result.message = fmt::format(
        "diverged after {} sweeps: the step grew to {:.1e} times ||b||; the best iterate is returned",
        monitor.iterations(), estimate_);
    return true;
  }
  if (estimate_ * calibration_ <= monitor.tolerance() || --sweeps_until_check_ <= 0) return true;
  return monitor.interrupted(estimate_, run.result.x);
}

// Checks the drift between two checks. A direction d of K with A d = 0 and b'd < 0 proves that the objective
// has no minimum. d'A d must be at the level of rounding and b'd far above it, so that rounding cannot cause
// a false proof.
bool SweepSolver::falls_without_end(const Run& run) {
  const Vector& x = run.result.x;
  const Vector& scale = run.ruler.scale();
  double curvature = 0.0;
  double squared = 0.0;
  for (Index i = 0; i < x.size(); ++i) {
    const double d = x[i] - previous_x_[i];
    curvature += d * (w_[i] - previous_w_[i]);
    squared += scale[i] * d * d;
  }
  if (!(squared > 0.0) || curvature > 1e-10 * squared) return false;

  Vector& direction = previous_x_;
  double slope = 0.0;
  double slope_size = 0.0;
  squared = 0.0;
  for (Index i = 0; i < x.size(); ++i) {
    double d = x[i] - previous_x_[i];
    if (d > 0.0 ? rows_.upper[i] < infinity : rows_.lower[i] > -infinity) d = 0.0;
    direction[i] = d;
    slope += rows_.b[i] * d;
    slope_size += std::abs(rows_.b[i] * d);
    squared += scale[i] * d * d;
  }
  if (!(slope < -1e-6 * slope_size)) return false;
  run.multiply(direction, previous_w_);
  return std::abs(direction.dot(previous_w_)) <= 1e-13 * squared;
}

void SweepSolver::conclude(const Run& run, const Monitor& monitor) {
  if (!best_.empty()) run.result.x = best_.x();
  run.finish(monitor);
}

}  // namespace slipstick::internal
