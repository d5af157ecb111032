// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/pgcg.hpp"

#include <cmath>

#include "slipstick/matrix.hpp"
#include "slipstick/solvers/common/empty_rows.hpp"
#include "slipstick/solvers/common/rounding.hpp"

namespace slipstick::internal {
namespace {

// A residual below this share of the tolerance always ends an inner loop.
constexpr double inner_share = 0.1;

}  // namespace

std::string Pgcg::explain_unsupported(const Problem& problem) const {
  return explain_needs(problem, "pgcg", {.sets = Needs::bounds, .symmetry = true});
}

void Pgcg::run(const Run& run) {
  constexpr int default_max_iterations = 1000000;
  Monitor monitor(run.settings, default_max_iterations, run.observer);
  prepare(run, monitor);
  const double floor = inner_share * run.settings.tolerance * run.ruler.norm();
  double limit = infinity;  // limit of the inner loop's residual
  monitor.guard([&] {
    while (go_on(run, monitor)) {
      if (r_.norm() <= limit) {
        release_rows(run);
        find_residual();
        limit = std::max(floor, settings_.inner * r_.norm());
      }
      if (!step(run)) {
        // Either the residual is zero, or nothing limits the step.
        monitor.stop(rz_ > 0.0 ? Status::unbounded : Status::stalled);
        break;
      }
    }
  });
  run.result.x = x_;
  run.finish(monitor);
  run.result.counts.factorizations += preconditioner_.factorizations();
  if (friction_.rows() > 0) friction_.describe(run.result);
}

void Pgcg::prepare(const Run& run, Monitor& monitor) {
  run.start();
  const Problem& problem = run.problem;
  for (Vector* vector : {&w_, &r_, &z_, &q_, &Aq_}) vector->resize(problem.b.size());
  x_ = run.result.x;
  problem.A.diagonal(z_);
  if (place_empty_rows(problem, z_, 0.0, x_) >= 0) monitor.stop(Status::unbounded);
  set_.reset(problem, run.ruler);
  friction_.reset(problem, settings_);
  preconditioner_.prepare(problem.A, settings_);
  best_exact_ = infinity;
  set_.take(x_);
  evaluate(run);
}

// Computes w of the shifted problem and the residual. The directions start again.
void Pgcg::evaluate(const Run& run) {
  run.gradient(x_, w_);
  w_ += friction_.amounts().cwiseProduct(x_);
  exact_ = true;
  find_residual();
}

void Pgcg::find_residual() {
  for (Index i = 0; i < r_.size(); ++i) r_[i] = set_.free()[static_cast<std::size_t>(i)] != 0 ? -w_[i] : 0.0;
  restart_ = true;
}

// Returns true for another step. Convergence is accepted only without a shift and with a newly computed w.
bool Pgcg::go_on(const Run& run, Monitor& monitor) {
  double error = run.ruler(x_, w_);
  const bool claims = error <= monitor.tolerance() || is_rounding(run.ruler, x_, error);
  if (claims && (friction_.active() || !exact_)) {
    friction_.drop();
    evaluate(run);
    error = run.ruler(x_, w_);
    // The rounding errors of the updates grow as fast as the error falls.
    if (error > monitor.tolerance() && error > 0.5 * best_exact_) monitor.stop(Status::stalled);
    best_exact_ = std::min(best_exact_, error);
  }
  return !(friction_.active() ? monitor.interrupted(error, x_, set_.active())
                              : monitor.finished(error, x_, set_.active()));
}

// Frees the tight rows whose w has the wrong sign.
void Pgcg::release_rows(const Run& run) {
  set_.measure_rounding(x_);
  set_.find_violations(x_, w_);
  set_.pivot_all();
  count_pivots(run);
}

// Makes one step of conjugate gradients, limited by the box. Returns false if no step is possible.
bool Pgcg::step(const Run& run) {
  find_direction();
  run.multiply(q_, Aq_);
  Aq_ += friction_.amounts().cwiseProduct(q_);
  const double curvature = q_.dot(Aq_);
  const double conjugate = curvature > 0.0 ? rz_ / curvature : infinity;
  int first = -1;
  const double longest = longest_step(run, first);
  const double length = std::min(conjugate, longest);
  if (!std::isfinite(length) || !(rz_ > 0.0)) return false;
  x_ += length * q_;
  w_ += length * Aq_;
  exact_ = false;
  if (longest <= conjugate) {
    tighten_rows(run, first);
  } else {
    for (Index i = 0; i < r_.size(); ++i) {
      if (set_.free()[static_cast<std::size_t>(i)] != 0) r_[i] -= length * Aq_[i];
    }
  }
  return true;
}

// q = z, or z + beta q.
void Pgcg::find_direction() {
  if (restart_) preconditioner_.set_free(set_.free());
  preconditioner_.apply(r_, z_);
  const double before = rz_;
  rz_ = r_.dot(z_);
  if (restart_ || before == 0.0) {
    q_ = z_;
  } else {
    q_ = z_ + (rz_ / before) * q_;
  }
  restart_ = false;
}

// alpha_max of eq. 5.1. `first` is the row that limits it.
double Pgcg::longest_step(const Run& run, int& first) const {
  const auto lower = run.problem.K.lower(), upper = run.problem.K.upper();
  double longest = infinity;
  for (Index i = 0; i < x_.size(); ++i) {
    if (q_[i] == 0.0) continue;
    const double length = ((q_[i] > 0.0 ? upper[i] : lower[i]) - x_[i]) / q_[i];
    if (!(length < longest)) continue;
    longest = std::max(0.0, length);
    first = static_cast<int>(i);
  }
  return longest;
}

// Makes the rows that met a bound tight. `first` is always one of them.
void Pgcg::tighten_rows(const Run& run, int first) {
  const auto lower = run.problem.K.lower(), upper = run.problem.K.upper();
  for (int i = 0; i < static_cast<int>(x_.size()); ++i) {
    if (q_[i] == 0.0) continue;
    const double bound = q_[i] > 0.0 ? upper[i] : lower[i];
    if (i != first && (q_[i] > 0.0 ? x_[i] < bound : x_[i] > bound)) continue;
    x_[i] = bound;
    set_.put(i, q_[i] > 0.0 ? Place::at_upper : Place::at_lower);
    count_pivots(run);
  }
  find_residual();
}

// A shift changes the w of its row.
void Pgcg::count_pivots(const Run& run) {
  friction_.count(set_, run.ruler.scale(), [&](Index row, double amount) { w_[row] += amount * x_[row]; });
}

}  // namespace slipstick::internal
