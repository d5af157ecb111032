// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/shift_ipm.hpp"

#include <algorithm>
#include <cmath>

namespace slipstick::internal {
namespace {

// No single start solves all problems: a large smoothing keeps what is jammed, a small one suits flows.
constexpr ShiftIpm::Start shift_starts[] = {
    {},
    {.smoothing = 0.1},
    {.smoothing = 0.01, .settled = 0.01, .step_share = 0.7},
    {.smoothing = 3.0, .settled = 0.1},
    {.tau = 1e-3},
    {.smoothing = 0.01, .settled = 0.01, .growth = 1.3},
    {.tau = 1.0, .smoothing = 0.01, .settled = 0.01},
    {.tau = 1e-4, .smoothing = 1.0},
};

constexpr double convex_step_share = 0.99;
constexpr int most_convex_steps = 30;

constexpr double tau_factor = 0.2, least_tau = 1e-15;
// A point has settled only if its residual is at most 10 tau, or at the floor that delta leaves.
constexpr double residual_floor = 1e-6;
constexpr double central = 3.0;  // largest x'z / tau at which tau falls
constexpr double least_dt = 0.05, largest_dt = 1e6;
// Step lengths: dt grows above the first and falls below the second.
constexpr double long_step = 0.6, short_step = 0.3;
constexpr double grown_gap = 1.3;  // of rho - s from step to step, above which dt falls

constexpr double first_polish_tau = 1e-9, next_polish = 1e-3;
constexpr double proximal_schedule[] = {1e-6, 1e-8};
constexpr double largest_polish_error = 1e-4;  // of the best point at the end of a start
constexpr double worst_polish = 100.0;  // growth of the error at which the polish ends

}  // namespace

ShiftIpm::ShiftIpm(const ShiftIpmSettings& settings, SharedSystem system)
    : settings_(settings), shared_(std::move(system)), path_(shared_), modes_(shared_) {}

void ShiftIpm::run(const Context& context) {
  u_.resize(context.r.size());
  context.blocks.velocities(context.island, context.r, u_);
  least_error_ = relative_error(context, context.r, u_);
  if (context.monitor.finished(least_error_, context.r)) return;
  path_.prepare(context, settings_.proximal);
  convex_tau_ = 0.0;
  for (int k = 0; k < std::min<int>(settings_.starts, std::size(shift_starts)); ++k) {
    const Start& start = shift_starts[k];
    if (!descend(context, start.tau)) return;
    relax(context, start);
    if (has_ended(context)) return;
  }
  context.monitor.stop(Status::iteration_limit);
}

// Keeps the best point as the answer.
void ShiftIpm::offer(const Context& context, double error, const Vector& r) {
  if (!(error < least_error_)) return;
  least_error_ = error;
  copy_island(context, r, context.r);
}

// Phase 1, or its kept end. Returns false if the run has ended.
bool ShiftIpm::descend(const Context& context, double tau) {
  if (convex_tau_ == tau) return true;
  double error = path_.start(context);
  for (int k = 0; k < most_convex_steps; ++k) {
    offer(context, error, path_.r());
    if (context.monitor.finished(least_error_, context.r)) return false;
    const double gap = path_.gap();
    if ((gap <= 1.5 * tau && path_.residual() <= tau) || !path_.factorize(context, 0.0)) break;
    if (!path_.solve(0.0, nullptr, trial_)) break;
    const double affine = std::min(1.0, path_.max_step(trial_));
    if (!path_.solve(std::max(std::pow(1.0 - affine, 3) * gap, tau), &trial_, direction_)) break;
    error = path_.step(context, direction_, std::min(1.0, convex_step_share * path_.max_step(direction_)));
  }
  convex_ = path_.point();
  convex_tau_ = tau;
  return true;
}

// Phases 2 and 3.
void ShiftIpm::relax(const Context& context, const Start& start) {
  double error = path_.restart(context, convex_);
  double tau = start.tau, dt = 1.0, last_gap = infinity, polish_tau = first_polish_tau;
  const int most = std::max(70, static_cast<int>(2.8 * std::sqrt(path_.point().cones.size())));
  int here = 0;  // steps at this tau
  for (int k = 0; k < most; ++k, ++here) {
    offer(context, error, path_.r());
    if (context.monitor.finished(least_error_, context.r)) return;
    path_.set_shift(start.smoothing * std::sqrt(tau));
    const bool settled = has_settled(tau, start), waited = here >= most / 5 && tau > least_tau;
    if (path_.gap() < central * tau && (settled || waited)) {
      if (settled && tau <= polish_tau) {
        polish(context, path_.r());
        if (has_ended(context)) return;
        polish_tau = next_polish * tau;
      }
      if (tau <= least_tau) break;
      tau = std::max(tau_factor * tau, least_tau);
      here = 0;
      last_gap = infinity;
      path_.set_shift(start.smoothing * std::sqrt(tau));
    }
    const double gap = path_.shift_gap();
    if (!path_.factorize(context, dt / (1.0 + dt))) break;
    const double step = find_direction(tau, start.step_share);
    error = path_.step(context, direction_, step);
    if (!(error < infinity)) break;
    if (step > long_step) dt *= start.growth;
    if (step < short_step) dt *= 0.5;
    if (gap > grown_gap * last_gap) dt *= 0.5;
    dt = std::clamp(dt, least_dt, largest_dt);
    last_gap = gap;
  }
  const double tolerance = context.target.scaled / context.blocks.weighted_norm();
  if (least_error_ * tolerance < largest_polish_error) polish(context, context.r);
}

bool ShiftIpm::has_settled(double tau, const Start& start) const {
  return path_.shift_gap() < start.settled * std::sqrt(tau) &&
         path_.residual() < std::max(10.0 * tau, residual_floor);
}

// The longest of the direction to tau, the same with its second-order correction, and a centring direction.
// Returns its step length.
double ShiftIpm::find_direction(double tau, double share) {
  double longest = 0.0;
  const auto take_trial = [&](bool solved) {
    const double length = solved ? path_.max_step(trial_) : 0.0;
    if (!(length > longest)) return;
    longest = length;
    std::swap(direction_, trial_);
  };
  take_trial(path_.solve(tau, nullptr, trial_));
  if (longest < 0.95) take_trial(path_.solve(tau, &direction_, trial_));
  if (longest < 0.2) take_trial(path_.solve(std::max(tau, path_.gap()), nullptr, trial_));
  return longest >= 1.0 ? 1.0 : share * longest;
}

// Phase 3.
void ShiftIpm::polish(const Context& context, const Vector& from) {
  polished_ = from;
  for (const double delta : proximal_schedule) {
    const double first = modes_.start(context, path_.scaled(), polished_);
    for (int k = 0; k < settings_.polish_steps; ++k) {
      const double error = modes_.step(context, path_.scaled(), delta);
      offer(context, error, modes_.r());
      if (context.monitor.finished(least_error_, context.r)) return;
      if (!(error <= worst_polish * first)) break;
    }
  }
}

}  // namespace slipstick::internal
