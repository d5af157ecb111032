// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/ncp_ipm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

constexpr double least_sigma = 1e-6;
constexpr double shortest_step = 1e-8;
constexpr double least_progress = 0.03;
constexpr int most_corrections = 3;
constexpr double first_newton_error = 1e4;
constexpr double neighbourhood = 1e-3;  // least sqrt(det x det z) relative to the gap

// Damped steps.
constexpr double jump_smoothing = 0.3;
constexpr double jump_residual = 0.1;  // mean residual relative to the gap
constexpr double jump_sigma = 0.5;
constexpr double first_shift = 1e-4, least_shift = 1e-8, largest_shift = 1.0;

// The continuation.
constexpr double arc_step_fraction = 0.9;
constexpr double arc_tolerance = 0.3;
constexpr double arc_smoothing = 0.8;
constexpr int arc_corrections = 6;
constexpr int arc_stall_limit = 250;    // factorizations in which tau must fall
constexpr int arc_first_centring = 50;  // limit of the factorizations to reach the path
constexpr double first_arc = 0.7, longest_arc = 3.0, shortest_arc = 1e-4;

ConePoint centred(const CoulombPath& path, int i, double tau) {
  const ConePoint& lambda = path.cone(i).scaling.lambda();
  return tau * cone_identity() - jordan_product(lambda, lambda);
}

}  // namespace

NcpIpm::NcpIpm(const NcpIpmSettings& settings, SharedSystem system, SharedSystem newton_system)
    : settings_(settings),
      newton_({.max_factorizations = std::max(1, settings.newton_steps), .sweeps = 0, .escape_sweeps = 0},
              std::move(newton_system)),
      path_(std::move(system)) {}

void NcpIpm::run(const Context& context) {
  u_.resize(context.r.size());
  context.blocks.velocities(context.island, context.r, u_);
  least_error_ = relative_error(context, context.r, u_);
  if (context.monitor.finished(least_error_, context.r)) return;
  if (context.warm && settings_.max_factorizations > 0 && follow_path(context, true)) return;
  if (settings_.max_factorizations > 0 && follow_path(context, false)) return;
  if (settings_.max_factorizations > 0 && least_error_ > settings_.jump_error && jump_folds(context)) return;
  if (settings_.arc_factorizations > 0 && follow_arc(context)) return;
  context.monitor.stop(Status::iteration_limit);
}

// Keeps the best point as the answer and returns its error.
double NcpIpm::offer(const Context& context, double error) {
  return offer(context, error, path_.r());
}

double NcpIpm::offer(const Context& context, double error, const Vector& r) {
  if (!(error < least_error_)) return least_error_;
  least_error_ = error;
  copy_island(context, r, context.r);
  return error;
}

// Returns true if the run has ended, false if only this phase has ended.
bool NcpIpm::follow_path(const Context& context, bool near) {
  if (near) {
    path_.start_near(context);
  } else {
    path_.start(context);
  }
  newton_error_ = first_newton_error;
  double progress = 1.0;  // a mean of the last steps
  for (int factorizations = 0;; ++factorizations) {
    const double error = path_.set_residual(context, settings_.smoothing);
    offer(context, error);
    try_newton(context, error);
    if (factorizations > 0 && context.monitor.finished(least_error_, context.r)) return true;
    const double gap = path_.gap();
    const bool is_interior = gap > 0.0 || path_.cones() == 0;
    if (factorizations == settings_.max_factorizations || !is_interior || !path_.factorize(context))
      return false;
    double step = find_direction(gap);
    for (int k = 0; k < 20 && !path_.stays_central(direction_, step, neighbourhood); ++k) step *= 0.8;
    progress = 0.6 * progress + 0.4 * step;
    if (!(step > shortest_step && progress > least_progress)) return false;
    if (!path_.stays_central(direction_, step, 0.0)) return false;
    path_.step(direction_, step);
  }
}

// Continues from the last point of the path, by damped steps. Returns true if the run has ended.
bool NcpIpm::jump_folds(const Context& context) {
  double shift = 0.0, next_shift = first_shift;
  for (int left = settings_.jump_factorizations; left > 0;) {
    const double error = path_.set_residual(context, jump_smoothing, true);
    offer(context, error);
    try_newton(context, error);
    if (context.monitor.finished(least_error_, context.r)) return true;
    const double gap = path_.gap();
    if (!(gap > 0.0)) return false;
    for (;;) {
      if (!path_.factorize(context, shift)) return false;
      if (--left == 0 || path_.determinant_sign() > 0 || shift >= largest_shift) break;
      shift = shift == 0.0 ? next_shift : 4.0 * shift;
    }
    // While the residual is large relative to the gap, the gap stays. Otherwise the gap always falls.
    const bool waits = path_.residual_norm() > jump_residual * gap * std::sqrt(path_.cones());
    double step = waits ? find_centring(gap) : find_direction(gap);
    if (!waits && sigma_ > jump_sigma) step = find_centring(jump_sigma * gap);
    for (int k = 0; k < 20 && !path_.stays_central(direction_, step, neighbourhood); ++k) step *= 0.8;
    if (!path_.stays_central(direction_, step, 0.0)) return false;
    path_.step(direction_, step);

    if (shift > 0.0) next_shift = std::max(0.3 * shift, least_shift);
    if (step < 0.1) {
      shift = shift == 0.0 ? next_shift : std::min(4.0 * shift, largest_shift);
    } else if (step > 0.4) {
      shift = shift > least_shift ? 0.25 * shift : 0.0;
    }
  }
  return false;
}

// Sets direction_ to the path at that gap. Returns its step length, or 0 if there is none.
double NcpIpm::find_centring(double gap) {
  if (!path_.solve(
          1.0, [&](int i) { return centred(path_, i, gap); }, direction_))
    return 0.0;
  double step = step_length(direction_);
  for (int k = 0; k < 2 && step < 0.9; ++k) {
    const auto target = [&](int i) {
      return ConePoint(centred(path_, i, gap) -
                       step * step * jordan_product(direction_.scaled_x[i], direction_.scaled_z[i]));
    };
    if (!path_.solve(1.0, target, trial_)) break;
    const double length = step_length(trial_);
    if (length <= 1.1 * step) break;
    std::swap(direction_, trial_);
    step = length;
  }
  return step;
}

// Makes a few steps of the semismooth Newton method from the present point. The point does not change.
void NcpIpm::try_newton(const Context& context, double error) {
  if (settings_.newton_steps == 0 || !(error < newton_error_) || error <= context.monitor.tolerance()) return;
  newton_error_ = error / 30.0;
  newton_r_.resize(context.r.size());
  copy_island(context, path_.r(), newton_r_);
  Monitor monitor({.tolerance = context.monitor.tolerance()}, std::numeric_limits<int>::max(), nullptr);
  const Context own{context.blocks, context.island, context.target, monitor, context.counts, newton_r_};
  newton_.run(own);
  context.blocks.velocities(context.island, newton_r_, u_);
  offer(context, relative_error(context, newton_r_, u_), newton_r_);
}

double NcpIpm::step_length(const Direction& direction) const {
  return std::min(1.0, settings_.step_fraction * path_.max_step(direction));
}

// Sets direction_. Returns its step length, or 0 if there is none.
double NcpIpm::find_direction(double gap) {
  if (!path_.solve(
          1.0, [&](int i) { return centred(path_, i, 0.0); }, affine_))
    return 0.0;
  const double affine_gap = path_.gap_after(affine_, std::min(1.0, path_.max_step(affine_)));
  double sigma = std::max(least_sigma, std::pow(std::clamp(affine_gap / gap, 0.0, 1.0), 3));
  const auto corrected = [&](const Direction& by, double share) {
    return [&, share](int i) {
      return ConePoint(centred(path_, i, sigma * gap) -
                       share * jordan_product(by.scaled_x[i], by.scaled_z[i]));
    };
  };
  if (!path_.solve(1.0, corrected(affine_, 1.0), direction_)) return 0.0;
  double step = step_length(direction_);

  // A short step needs centring.
  if (step < 0.3) {
    for (const double centring : {0.3, 0.8, 1.0}) {
      if (!path_.solve(
              1.0, [&](int i) { return centred(path_, i, centring * gap); }, trial_))
        break;
      const double length = step_length(trial_);
      if (length > 1.5 * step) {
        std::swap(direction_, trial_);
        step = length;
        sigma = centring;
      }
      if (step > 0.5) break;
    }
  }
  // Second-order corrections with the present direction.
  for (int k = 0; k < most_corrections && step < 0.9; ++k) {
    if (!path_.solve(1.0, corrected(direction_, step * step), trial_)) break;
    const double length = step_length(trial_);
    if (length <= 1.1 * step) break;
    std::swap(direction_, trial_);
    step = length;
  }
  sigma_ = sigma;
  return step;
}

// ||x o z - tau e|| / tau
double NcpIpm::off_path(double tau) const {
  double sum = 0.0;
  for (int i = 0; i < path_.cones(); ++i) sum += centred(path_, i, tau).squaredNorm();
  return std::sqrt(sum) / tau;
}

bool NcpIpm::follow_arc(const Context& context) {
  path_.start(context);
  if (path_.cones() == 0) return false;  // the point does not depend on tau
  left_ = settings_.arc_factorizations;
  tau_ = 1.0;
  if (!centre(context, tau_)) return context.monitor.status() != Status::not_run;
  const double cones = path_.cones();
  double least_tau = tau_;
  int left_then = left_;
  for (double arc = first_arc; arc > shortest_arc && left_ > 0;) {
    if (tau_ < least_tau) {
      least_tau = tau_;
      left_then = left_;
    }
    if (left_then - left_ > arc_stall_limit) return false;
    // The tangent, normalized by (||F dx||^2 + ||F^-1 dz||^2) / tau + n (dtau / tau)^2.
    if (!path_.solve(
            0.0, [](int) { return cone_identity(); }, tangent_))
      return false;
    double norm = cones / (tau_ * tau_);
    for (int i = 0; i < path_.cones(); ++i)
      norm += (tangent_.scaled_x[i].squaredNorm() + tangent_.scaled_z[i].squaredNorm()) / tau_;
    const double slope = -path_.determinant_sign() / std::sqrt(norm);  // dtau
    path_.scale(tangent_, slope);
    double reach = path_.max_step(tangent_);
    if (slope < 0.0) reach = std::min(reach, -tau_ / slope);
    const double length = std::min(arc * std::sqrt(cones), arc_step_fraction * reach);

    path_.keep(base_, base_rows_);
    const double base_tau = tau_;
    path_.step(tangent_, length);
    tau_ += length * slope;
    int corrections = 0;
    if (correct(context, base_tau, slope, corrections)) {
      if (context.monitor.finished(least_error_, context.r)) return true;
      if (corrections <= 1) {
        arc = std::min(1.7 * arc, longest_arc);
      } else if (corrections >= 3) {
        arc *= 0.7;
      }
    } else {
      if (context.monitor.finished(least_error_, context.r)) return true;
      arc *= 0.4;
      path_.restore(base_, base_rows_);
      tau_ = base_tau;
      path_.set_residual(context, arc_smoothing, true);
      --left_;
      if (!path_.factorize(context)) return false;
    }
  }
  return false;
}

// Moves to the path at a given tau. Afterwards the system is factorized.
bool NcpIpm::centre(const Context& context, double tau) {
  for (int k = 0; k < arc_first_centring && left_-- > 0; ++k) {
    offer(context, path_.set_residual(context, arc_smoothing, true));
    if (context.monitor.finished(least_error_, context.r)) return false;
    if (!path_.factorize(context)) return false;
    if (off_path(tau) < arc_tolerance && path_.residual_norm() < 0.1 * arc_tolerance * std::sqrt(tau))
      return true;
    if (!path_.solve(
            1.0, [&](int i) { return centred(path_, i, tau); }, direction_))
      return false;
    path_.step(direction_, std::min(1.0, arc_step_fraction * path_.max_step(direction_)));
  }
  return false;
}

// Moves back to the path, in the plane through the predicted point that is normal to the tangent. Afterwards
// the system is factorized.
bool NcpIpm::correct(const Context& context, double base_tau, double slope, int& corrections) {
  const double cones = path_.cones();
  const auto along_tangent = [&](const Direction& direction, double tau) {
    double sum = cones * slope * tau / (base_tau * base_tau);
    for (int i = 0; i < path_.cones(); ++i) {
      const NesterovTodd& base = base_[i].scaling;
      sum += (base.apply(tangent_.x[i]).dot(base.apply(direction.x[i])) +
              base.apply_inverse(tangent_.z[i]).dot(base.apply_inverse(direction.z[i]))) /
             base_tau;
    }
    return sum;
  };
  double before = std::numeric_limits<double>::infinity();
  for (corrections = 0; corrections < arc_corrections && left_ > 0; ++corrections) {
    const double error = path_.set_residual(context, arc_smoothing, true);
    --left_;
    if (!path_.factorize(context)) return false;
    const double complementarity = off_path(tau_), residual = path_.residual_norm() / std::sqrt(tau_);
    if (complementarity < arc_tolerance && residual < 0.3 * arc_tolerance) {
      offer(context, error);
      return true;
    }
    if (!(complementarity + residual <= 2.0 * before)) return false;
    before = complementarity + residual;
    const auto target = [&](int i) { return centred(path_, i, tau_); };
    if (!path_.solve(1.0, target, direction_)) return false;
    if (!path_.solve(
            0.0, [](int) { return cone_identity(); }, trial_))
      return false;
    const double change = -along_tangent(direction_, 0.0) / along_tangent(trial_, 1.0);
    if (!std::isfinite(change)) return false;
    path_.add(trial_, change, direction_);
    double length = std::min(1.0, arc_step_fraction * path_.max_step(direction_));
    if (tau_ + length * change <= 0.0) length = std::min(length, -arc_step_fraction * tau_ / change);
    path_.step(direction_, length);
    tau_ += length * change;
  }
  return false;
}

}  // namespace slipstick::internal
