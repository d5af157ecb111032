// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/ipm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slipstick {
namespace {

constexpr int default_max_iterations = 100;
constexpr double shortest_step = 1e-10;
// Contacts carry impulses of up to mass ratios times number of bodies, in units of the load; solutions beyond
// this size are none.
constexpr double largest_solution = 1e9;
constexpr int patience = 20;  // iterations without a better iterate

}  // namespace

std::string Ipm::explain_unsupported(const Problem& problem) const {
  for (const SetBlock& block : problem.K.blocks()) {
    if (block.kind == SetKind::diamond || block.kind == SetKind::disk) {
      return fmt::format("ipm takes cones, bounds and free rows, and the rows from {} on form a {}",
                         block.start, name(block.kind));
    }
  }
  if (std::string reason = needs_no_linear_rows(problem, "ipm"); !reason.empty()) return reason;
  return needs_symmetry(problem, "ipm");
}

void Ipm::run(const Run& run) {
  Monitor monitor(run.settings, default_max_iterations, run.observer);
  if (judge_start(run, monitor)) {
    run.finish(monitor);
    return;
  }
  start(run);
  for (int since_best = 0;;) {
    barrier_.to_rows(y_, x_);
    const double error = judge(run, x_);
    since_best = error < best_.error() ? 0 : since_best + 1;
    best_.offer(error, x_);
    if (monitor.finished(error, x_)) break;
    if (is_unbounded(run)) {
      monitor.stop(Status::infeasible);
      break;
    }
    const double gap = barrier_.gap();
    if (residual() == 0.0 && gap == 0.0) monitor.stop(Status::stalled);
    if (since_best > patience || !system_.factorize(barrier_)) monitor.stop(Status::stalled);
    if (monitor.status() != Status::not_run) break;
    ++run.result.counts.factorizations;

    barrier_.aim_at_zero();
    find_direction(1.0);
    double step = std::min(1.0, barrier_.max_step());
    if (gap > 0.0) {
      const double sigma = std::pow(std::clamp(barrier_.gap_after(step) / gap, 0.0, 1.0), 3);
      barrier_.aim_at_path(sigma);
      find_direction(1.0 - sigma);
      step = lengthen(sigma, std::min(1.0, settings_.step_fraction * barrier_.max_step()));
    }
    if (!(step > shortest_step) || !direction_.allFinite() || !barrier_.step(step, direction_, y_)) {
      monitor.stop(Status::stalled);
      break;
    }
  }
  run.result.x = best_.x();
  run.finish(monitor);
}

// The measure of x, with w = A x + b.
double Ipm::judge(const Run& run, const Vector& x) {
  run.problem.A.multiply(x, w_, run.settings.threads);
  ++run.result.counts.products;
  w_ += run.problem.b;
  return run.ruler(x, w_);
}

// The given point, or that next to the origin, may do as it is.
bool Ipm::judge_start(const Run& run, Monitor& monitor) {
  const Index n = run.problem.b.size();
  run.start();
  w_.resize(n);
  product_.resize(n);
  best_.reset(n);
  const double error = judge(run, run.result.x);
  best_.offer(error, run.result.x);
  return error <= monitor.tolerance() && monitor.finished(error, run.result.x);
}

void Ipm::start(const Run& run) {
  barrier_.prepare(run.problem, run.ruler.scale());
  const Index n = barrier_.unknowns();
  for (Vector* vector : {&y_, &residual_, &direction_, &right_side_, &gradient_, &kept_direction_})
    vector->resize(n);
  x_ = run.result.x;
  gather_gradient(residual_);
  barrier_.to_unknowns(x_, y_);
  const double degree = static_cast<double>(std::max<Index>(1, barrier_.degree()));
  double margin = residual_.norm() / std::sqrt(degree);
  if (!(margin > 0.0)) margin = 1.0;
  barrier_.start(margin, y_);
  system_.prepare(run.problem.A, barrier_);
  y_.swap(direction_);
  y_.setZero();
  barrier_.to_rows(y_, x_);
  judge(run, x_);
  gather_gradient(gradient_);
  y_.swap(direction_);
}

// g = S w on the unknowns.
void Ipm::gather_gradient(Vector& g) const {
  for (Index k = 0; k < g.size(); ++k) g[k] = barrier_.scale()[k] * w_[barrier_.rows()[k]];
}

// r = A y + b - z, 0 where it is rounding; its norm.
double Ipm::residual() {
  gather_gradient(residual_);
  const double size = std::max({gradient_.norm(), residual_.norm(), barrier_.multiplier_norm()});
  barrier_.subtract_multipliers(residual_);
  const double norm = residual_.norm();
  if (norm > 1e-14 * size) return norm;
  residual_.setZero();
  return 0.0;
}

// The direction for the barrier's targets with the given share of the residual.
void Ipm::find_direction(double share) {
  right_side_ = -share * residual_;
  barrier_.to_frame(right_side_);
  barrier_.add_targets(right_side_);
  system_.solve(right_side_, direction_);
  barrier_.set_direction(direction_);
  barrier_.from_frame(direction_);
}

// The step after centrality corrections, as long as each lengthens it by a tenth of what it was after.
double Ipm::lengthen(double sigma, double step) {
  for (int k = 0; k < settings_.correctors && step < 0.9; ++k) {
    const double longer = std::min(1.0, 1.5 * step + 0.3);
    barrier_.keep_direction();
    kept_direction_ = direction_;
    barrier_.aim_at_neighbourhood(sigma, longer);
    find_direction(1.0 - sigma);
    const double corrected = std::min(1.0, settings_.step_fraction * barrier_.max_step());
    if (corrected < step + 0.1 * (longer - step)) {
      barrier_.restore_direction();
      direction_ = kept_direction_;
      break;
    }
    step = corrected;
  }
  return step;
}

// d = y in K with b'd < 0 and next to no A d: a solution x has d'(A x + b) >= 0, so ||x|| >= -b'd / ||A d||.
bool Ipm::is_unbounded(const Run& run) {
  const double load = gradient_.norm();
  if (!(y_.norm() > largest_solution * load)) return false;
  x_.setZero();
  double slope = 0.0;
  for (Index k = 0; k < y_.size(); ++k) {
    if (barrier_.is_bounded(k)) continue;
    x_[barrier_.rows()[k]] = barrier_.scale()[k] * y_[k];
    slope += gradient_[k] * y_[k];
  }
  if (!(slope < 0.0)) return false;
  run.problem.A.multiply(x_, product_, run.settings.threads);
  ++run.result.counts.products;
  double squared = 0.0;
  for (Index k = 0; k < y_.size(); ++k)
    squared += std::pow(barrier_.scale()[k] * product_[barrier_.rows()[k]], 2);
  return -slope > largest_solution * load * std::sqrt(squared);
}

}  // namespace slipstick
