// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/pdip.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

constexpr double pdip_shortest_step = 1e-10;
// If the step is shorter, the direction without correction is taken.
constexpr double least_corrected_step = 0.3;
constexpr double most_centering = 0.8;
constexpr double decrease = 0.01;        // alpha of the line search: decrease of the residual
constexpr double shrinkage = 0.5;        // beta of the line search: shrinkage of the step
constexpr double short_shrinkage = 0.9;  // the same for centrality
// Least product of a function and its multiplier, relative to the mean product.
constexpr double least_product = 0.01;
// Share of the load below which residuals of directions are not reduced.
constexpr double load_rounding = 1e-15;
constexpr int pdip_stall_limit = 20;  // iterations without a smaller error

}  // namespace

KrylovSettings pdip_krylov_settings(const PdipCommonSettings& settings) {
  return {.tolerance = settings.krylov_tolerance, .max_iterations = settings.krylov_iterations};
}

// No matching: the matrix is positive definite with a unit diagonal. Small pivots come from a singular A and
// must not be replaced.
BandedPreconditionerSettings pdip_preconditioner_settings(const PPdipSettings& settings) {
  return {.match = false,
          .drop_off = {.share = settings.drop_off, .max_half_bandwidth = settings.max_half_bandwidth},
          .single_precision = settings.single_precision,
          .spike = {.partitions = settings.partitions,
                    .truncated = settings.truncated,
                    .pivot_threshold = std::numeric_limits<double>::epsilon(),
                    .symmetric = true}};
}

Pdip::Pdip(std::string_view name, const PdipCommonSettings& settings, std::unique_ptr<PdipSystem> system)
    : name_(name), settings_(settings), system_(std::move(system)) {}

Pdip::Pdip(const PdipSettings& settings)
    : Pdip("pdip", settings,
           std::make_unique<PdipSystem>(settings.direction, pdip_krylov_settings(settings),
                                        BandedPreconditionerSettings{})) {}

Pdip::Pdip(const PPdipSettings& settings)
    : Pdip("p-pdip", settings,
           std::make_unique<PdipSystem>(PdipDirection::spike, pdip_krylov_settings(settings),
                                        pdip_preconditioner_settings(settings))) {}

std::string Pdip::explain_unsupported(const Problem& problem) const {
  return explain_needs(problem, name_, {.sets = Needs::bounds_or_cones, .symmetry = true});
}

void Pdip::follow_path(const Run& run, Monitor& monitor) {
  double least = std::numeric_limits<double>::infinity();  // least error of the interior points
  for (int since_least = 0;;) {
    barrier_.to_rows(y_, x_);
    const double error = judge(run, x_);
    since_least = error < least ? 0 : since_least + 1;
    least = std::min(least, error);
    best_.offer(error, x_);
    if (monitor.finished(error, x_)) break;
    if (is_unbounded(run, barrier_.unknowns(), y_)) {
      monitor.stop(Status::infeasible);
      break;
    }
    const bool usable = since_least <= pdip_stall_limit && system_->update(barrier_.terms());
    run.result.counts.factorizations = system_->factorizations();
    if (!usable) {
      monitor.stop(Status::stalled);
      break;
    }
    find_residual();
    const double tau = find_corrected_direction(run);
    double step = find_step(tau);
    if (step < least_corrected_step) {
      find_newton_direction(run, tau);
      step = find_step(tau);
    }
    if (!(step > pdip_shortest_step) || !direction_.allFinite()) {
      monitor.stop(Status::stalled);
      break;
    }
    y_ += step * direction_;
    barrier_.step(step, y_);
  }
}

void Pdip::start(const Run& run, bool near) {
  barrier_.prepare(run.problem, run.ruler.scale());
  const Index n = barrier_.unknowns().size();
  for (Vector* vector : {&y_, &slope_, &dual_, &direction_, &right_side_, &change_, &bend_, &trial_})
    vector->resize(n);
  find_margin(run, barrier_.unknowns(), barrier_.degree(), y_);
  system_->prepare(run.problem.A, barrier_.unknowns());
  if (near) {
    barrier_.start_near(start_gradient_, y_);
  } else {
    barrier_.start(margin_, y_);
  }
}

// r_dual = A y + b + sum lambda_i grad f_i
void Pdip::find_residual() {
  barrier_.unknowns().gather(w_, slope_);
  dual_ = slope_;
  barrier_.residual_after(0.0, 0.0, dual_);
}

// Computes Newton's direction to products of tau.
void Pdip::find_newton_direction(const Run& run, double tau) {
  barrier_.aim(tau);
  right_side_ = -dual_;
  solve_direction(run);
}

// Mehrotra's predictor and corrector; returns tau = 1 / t.
double Pdip::find_corrected_direction(const Run& run) {
  find_newton_direction(run, 0.0);
  const double gap = barrier_.gap();
  if (!(gap > 0.0)) return 0.0;
  const double affine = std::min(1.0, settings_.step_fraction * barrier_.max_step());
  const double sigma = std::clamp(std::pow(barrier_.gap_after(affine) / gap, 3), 1.0 / settings_.growth,
                                  std::max(most_centering, 1.0 / settings_.growth));
  const double tau = sigma * gap / static_cast<double>(barrier_.functions());

  // The predictor neglects second-order terms. They are measured half way and extrapolated.
  const double half = 0.5 * affine;
  const double weight = affine;
  residual_after(half, 0.0);
  right_side_ = -dual_ - weight / (half * half) * (trial_ - (1.0 - half) * dual_);
  barrier_.aim_with_correction(tau, half, weight);
  solve_direction(run);
  return tau;
}

// Solves (A + H) dy = right side + the contribution of the targets, and computes the data that depend on dy.
void Pdip::solve_direction(const Run& run) {
  const ConeUnknowns& unknowns = barrier_.unknowns();
  barrier_.add_targets(right_side_);
  barrier_.terms().to_frame(unknowns, right_side_);
  run.result.counts.products +=
      system_->solve(run.problem.A, unknowns, barrier_.terms(), right_side_, load_rounding * gradient_.norm(),
                     run.settings.threads, direction_);
  barrier_.terms().from_frame(unknowns, direction_);

  const bool bent = barrier_.set_direction(direction_, bend_);
  multiply(run, direction_, change_);
  if (bent) multiply(run, bend_, bend_);
}

// result = S A S v
void Pdip::multiply(const Run& run, const Vector& v, Vector& result) {
  barrier_.unknowns().scatter(v, x_);
  run.multiply(x_, product_);
  barrier_.unknowns().gather(product_, result);
}

// Shortens the step, first for strict feasibility with some centrality, then for the norm of the residual.
double Pdip::find_step(double tau) {
  const double before = residual_after(0.0, tau);
  double step = std::min(1.0, settings_.step_fraction * barrier_.max_step());
  while (step > pdip_shortest_step && !barrier_.is_centred(step, least_product)) step *= short_shrinkage;
  while (step > pdip_shortest_step && !(residual_after(step, tau) <= (1.0 - decrease * step) * before))
    step *= shrinkage;
  return step;
}

// ||(r_dual, r_cent)|| after a step. r_cent is divided by the margin, so that both have the same unit.
double Pdip::residual_after(double step, double tau) {
  trial_ = slope_ + step * change_ + (step * step) * bend_;
  const double centrality = barrier_.residual_after(step, tau, trial_);
  return std::hypot(trial_.norm(), centrality / margin_);
}

}  // namespace slipstick::internal
