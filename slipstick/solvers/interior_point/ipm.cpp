// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/ipm.hpp"

#include <algorithm>
#include <cmath>

namespace slipstick::internal {
namespace {

constexpr double shortest_step = 1e-10;
// The centrality corrections keep steps long for any target. At a contact with zero impulse and zero
// velocity, the error is the square root of the gap. The gap must then fall by twenty orders of magnitude.
constexpr double largest_sigma = 0.01;
constexpr int stall_limit = 20;  // iterations without a better iterate

}  // namespace

std::string Ipm::explain_unsupported(const Problem& problem) const {
  return explain_needs(problem, "ipm", {.sets = Needs::bounds_or_cones, .symmetry = true});
}

void Ipm::follow_path(const Run& run, Monitor& monitor) {
  for (int since_best = 0;;) {
    barrier_.to_rows(y_, x_);
    const double error = judge(run, x_);
    since_best = error < best_.error() ? 0 : since_best + 1;
    best_.offer(error, x_);
    if (monitor.finished(error, x_)) break;
    if (is_unbounded(run, barrier_.unknowns(), y_)) {
      monitor.stop(Status::infeasible);
      break;
    }
    const double gap = barrier_.gap();
    if (residual() == 0.0 && gap == 0.0) monitor.stop(Status::stalled);
    if (since_best > stall_limit || !system_.factorize(barrier_.terms())) monitor.stop(Status::stalled);
    if (monitor.status() != Status::not_run) break;
    ++run.result.counts.factorizations;

    barrier_.aim_at_zero();
    find_direction(1.0);
    double step = std::min(1.0, barrier_.max_step());
    if (gap > 0.0) {
      const double sigma =
          std::min(largest_sigma, std::pow(std::clamp(barrier_.gap_after(step) / gap, 0.0, 1.0), 3));
      barrier_.aim_at_path(sigma);
      find_direction(1.0 - sigma);
      step = lengthen(sigma, std::min(1.0, settings_.step_fraction * barrier_.max_step()));
    }
    if (!(step > shortest_step) || !direction_.allFinite() || !barrier_.step(step, direction_, y_)) {
      monitor.stop(Status::stalled);
      break;
    }
  }
}

void Ipm::start(const Run& run, bool near) {
  barrier_.prepare(run.problem, run.ruler.scale());
  const Index n = barrier_.unknowns().size();
  for (Vector* vector : {&y_, &residual_, &direction_, &kept_direction_, &right_side_}) vector->resize(n);
  find_margin(run, barrier_.unknowns(), barrier_.degree(), y_);
  if (near) {
    barrier_.start_near(start_gradient_, y_);
  } else {
    barrier_.start(margin_, y_);
  }
  system_.prepare(run.problem.A, barrier_.unknowns());
}

// r = A y + b - z, or 0 if it is rounding. Returns its norm.
double Ipm::residual() {
  barrier_.unknowns().gather(w_, residual_);
  const double size = std::max({gradient_.norm(), residual_.norm(), barrier_.multiplier_norm()});
  barrier_.subtract_multipliers(residual_);
  const double norm = residual_.norm();
  if (norm > 1e-14 * size) return norm;
  residual_.setZero();
  return 0.0;
}

// Computes the direction for the barrier's targets with the given share of the residual.
void Ipm::find_direction(double share) {
  right_side_ = -share * residual_;
  barrier_.terms().to_frame(barrier_.unknowns(), right_side_);
  barrier_.add_targets(right_side_);
  system_.solve(right_side_, direction_);
  barrier_.set_direction(direction_);
  barrier_.terms().from_frame(barrier_.unknowns(), direction_);
}

// Makes centrality corrections while each lengthens the step by at least one percent of the intended gain.
// Returns the step.
double Ipm::lengthen(double sigma, double step) {
  for (int k = 0; k < settings_.correctors && step < 0.97; ++k) {
    const double longer = std::min(1.0, 1.5 * step + 0.3);
    barrier_.keep_direction();
    kept_direction_ = direction_;
    barrier_.aim_at_neighbourhood(sigma, longer);
    find_direction(1.0 - sigma);
    const double corrected = std::min(1.0, settings_.step_fraction * barrier_.max_step());
    if (corrected < step + 0.01 * (longer - step)) {
      barrier_.restore_direction();
      direction_ = kept_direction_;
      break;
    }
    step = corrected;
  }
  return step;
}

}  // namespace slipstick::internal
