// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/qp_ipm.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "slipstick/measures/certificate.hpp"
#include "slipstick/measures/measures.hpp"

namespace slipstick::internal {
namespace {

constexpr int most_qp_iterations = 500;
// What is tried one after the other. If the rows nearly depend on each other, the solution has huge
// multipliers (LISWET, YAO). A small start then makes short steps, and so does a large shift of the system.
struct QpAttempt {
  double least_multiplier;
  double shift;
};
constexpr QpAttempt qp_attempts[] = {{1.0, 1e-9}, {1e5, 1e-13}, {1e7, 1e-13}, {1e3, 1e-9}};
constexpr double short_step = 0.1;
constexpr double growing = 1.1;        // a step that is so many times longer than the last one is not short
constexpr int most_short_steps = 3;    // one after the other, unless it is the last attempt
constexpr double largest_gap = 100.0;  // of a solution, relative to the objective and the tolerance
// With a larger error, the first stall asks whether there is a solution at all.
constexpr double error_near_a_solution = 1e-2;
constexpr int qp_stall_limit = 20;     // iterations without a smaller error
constexpr double polish_below = 1e-4;  // error from which the active set is tried
constexpr double polish_again = 1e-2;  // decrease of the error from one trial to the next
constexpr int polish_rounds = 3;
constexpr int warm_rounds = 6;
constexpr double quick_fall = 0.1;      // of the error in a round, for another one
constexpr double far_start = 1.0;       // error of a start that is no better than none
constexpr double touching_band = 1e-7;  // a warm start that is nearer to a bound, in scaled units, is on it
constexpr double error_of_no_solution = 1e-5;  // a smaller error means that there is one
constexpr int least_corrections = 2;
constexpr double worth_corrections = 10.0;  // cost of a factorization over a solve, for each correction
// A point of this size suggests that there is no solution, if the error has not fallen for some iterations.
constexpr double far_away = 1e8;
constexpr int worse_far_away = 5;

}  // namespace

std::string QpIpm::explain_unsupported(const Problem& problem) const {
  return explain_needs(problem, "qp-ipm", {.sets = Needs::bounds, .symmetry = true, .no_linear_rows = false});
}

void QpIpm::run(const Run& run) {
  Monitor monitor(run.settings, most_qp_iterations, run.observer);
  const Index n = run.problem.b.size();
  const Index m = run.result.multipliers.size();
  run.start();
  for (Vector* vector : {&x_, &w_, &best_x_}) vector->resize(n);
  for (Vector* vector : {&y_, &best_y_}) vector->setZero(m);
  best_x_ = run.result.x;
  run.gradient(best_x_, w_);
  best_error_ = run.problem.rows ? run.ruler(best_x_, w_, best_y_) : run.ruler(best_x_, w_);
  best_gap_ = infinity;
  factorizations_ = 0;
  if (best_error_ <= monitor.tolerance() || n == 0) {
    monitor.finished(best_error_, best_x_);
  } else {
    monitor.guard([&] {
      if (!prepare(run, settings_.presolve)) {
        prove(run, monitor);
        // Without a proof, the presolve was misled by rounding.
        if (monitor.status() == Status::stalled) monitor.stop(Status::not_run);
        if (monitor.status() == Status::not_run) prepare(run, false);
      }
      if (monitor.status() == Status::not_run) solve_reduced(run, monitor);
    });
  }
  if (best_error_ <= monitor.tolerance()) monitor.stop(Status::solved);
  run.result.x = best_x_;
  run.result.multipliers = best_y_;
  run.result.counts.factorizations = factorizations_;
  run.finish(monitor);
}

void QpIpm::solve_reduced(const Run& run, Monitor& monitor) {
  if (run.warm_start != nullptr) {
    system_.set_shift({qp_attempts[0].shift});
    try_warm_start(run, monitor);
  }
  bool searched = false;  // for a proof
  for (const QpAttempt& attempt : qp_attempts) {
    if (monitor.status() == Status::stalled) monitor.stop(Status::not_run);
    if (monitor.status() != Status::not_run) break;
    system_.set_shift({attempt.shift});
    follow_path(run, path_.start(attempt.least_multiplier), &attempt == std::end(qp_attempts) - 1, monitor);
    if (monitor.status() == Status::stalled && !searched && best_error_ > error_near_a_solution) {
      searched = true;
      prove(run, monitor);
    }
  }
  factorizations_ += system_.factorizations();
  if (monitor.status() == Status::stalled && !searched && best_error_ > error_of_no_solution)
    prove(run, monitor);
}

void QpIpm::take_matrix(const Problem& problem) {
  if (a_ != nullptr && problem.A.same_storage(operator_)) return;
  a_ = problem.A.assemble();
  operator_ = problem.A;
}

// Returns false if the rows contradict each other.
bool QpIpm::prepare(const Run& run, bool presolve) {
  take_matrix(run.problem);
  if (!reduction_.reduce(run.problem, *a_, presolve, qp_)) return false;
  scaling_.scale(qp_);
  unscaled_x_.resize(qp_.unknowns());
  unscaled_y_.resize(qp_.rows());
  near_x_.resize(qp_.unknowns());
  near_y_.resize(qp_.rows());
  system_.prepare(qp_);
  path_.prepare(qp_, system_);
  polish_.prepare(qp_, system_);
  return true;
}

void QpIpm::follow_path(const Run& run, bool started, bool is_last, Monitor& monitor) {
  const int correctors =
      std::min(settings_.correctors,
               std::max(least_corrections, static_cast<int>(system_.factor_to_solve() / worth_corrections)));
  bool moved = started;
  double least = infinity, polish_at = polish_below, last_length = infinity;
  for (int since_least = 0, short_steps = 0; moved;) {
    const double error = judge(run, path_.x(), path_.y());
    since_least = error < 0.9 * least ? 0 : since_least + 1;
    least = std::min(least, error);
    if (settings_.polish && error <= polish_at) {
      polish_.take(path_);
      polish(run, polish_rounds);
      polish_at = polish_again * error;
    }
    if (is_finished(monitor)) return;
    if (since_least > qp_stall_limit) break;
    if (since_least > worse_far_away && is_far_away()) break;
    if (short_steps == most_short_steps && !is_last) break;
    moved = path_.step(correctors);
    const double length = path_.step_length();
    short_steps = length < short_step && length < growing * last_length ? short_steps + 1 : 0;
    last_length = length;
  }
  if (settings_.polish && least < 1.0) {
    polish_.take(path_);
    if (polish(run, polish_rounds) && is_finished(monitor)) return;
  }
  if (monitor.status() == Status::not_run) monitor.stop(Status::stalled);
}

bool QpIpm::is_solved(double tolerance) const {
  return best_error_ <= tolerance && best_gap_ <= largest_gap * tolerance;
}

// A point whose gap alone is too large is not the end.
bool QpIpm::is_finished(Monitor& monitor) {
  const bool wants_gap = best_error_ <= monitor.tolerance() && !is_solved(monitor.tolerance());
  return wants_gap ? monitor.interrupted(best_error_, best_x_) : monitor.finished(best_error_, best_x_);
}

bool QpIpm::is_far_away() const {
  return (qp_.rows() > 0 && path_.y().lpNorm<Eigen::Infinity>() > far_away) ||
         (qp_.unknowns() > 0 && path_.x().lpNorm<Eigen::Infinity>() > far_away);
}

// The active set of the start, and those that its signs show. Then the path near the best of these points.
void QpIpm::try_warm_start(const Run& run, Monitor& monitor) {
  for (std::size_t k = 0; k < reduction_.columns().size(); ++k) {
    const auto at = static_cast<Index>(k);
    unscaled_x_[at] = best_x_[reduction_.columns()[k]] / scaling_.columns()[at];
  }
  polish_.take_touching(unscaled_x_, touching_band);
  near_x_ = unscaled_x_;
  double least = infinity, last = infinity;
  for (int round = 0; round < warm_rounds && !is_finished(monitor) && polish_.solve(); ++round) {
    if (round == 0) {
      near_y_ = polish_.y();
      least = judge(run, near_x_, near_y_);
    }
    const double error = judge(run, polish_.x(), polish_.y());
    if (is_solved(monitor.tolerance())) {
      monitor.finished(best_error_, best_x_);
      return;
    }
    if (error < least) {
      least = error;
      near_x_ = polish_.x();
      near_y_ = polish_.y();
    }
    if (!(error < quick_fall * std::exchange(last, error)) || !polish_.revise()) break;
  }
  if (monitor.status() != Status::not_run || !(least < far_start)) return;
  system_.set_shift({qp_attempts[0].shift});
  path_.start_near(near_x_, near_y_);
  follow_path(run, true, false, monitor);
}

// Returns true if that solves the problem. A factor of the active set may need a larger shift than the path.
bool QpIpm::polish(const Run& run, int rounds) {
  const QpSystem::Shift shift = system_.shift();
  const bool solved = polish_rounds_of(run, rounds);
  system_.set_shift(shift);
  return solved;
}

bool QpIpm::polish_rounds_of(const Run& run, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    const double before = best_error_;
    if (!polish_.solve()) return false;
    judge(run, polish_.x(), polish_.y());
    if (is_solved(run.settings.tolerance)) return true;
    if ((round > 0 && !(best_error_ < before)) || !polish_.revise()) return false;
  }
  return false;
}

// The error of a point of the reduced problem on the problem as given. Keeps the best point.
double QpIpm::judge(const Run& run, ConstVectorView x, ConstVectorView y) {
  unscaled_x_ = x.cwiseProduct(scaling_.columns());
  unscaled_y_ = y.cwiseProduct(scaling_.rows()) / scaling_.objective();
  reduction_.restore(unscaled_x_, x_);
  run.problem.K.project(x_);
  run.gradient(x_, w_);
  const double objective = 0.5 * x_.dot(w_ + run.problem.b) + run.problem.constant;
  reduction_.restore_multipliers(unscaled_y_, x_, w_, y_);
  const double error = run.problem.rows ? run.ruler(x_, w_, y_) : run.ruler(x_, w_);
  const double gap = complementarity_gap(run.problem, x_, w_, y_) / std::max(1.0, std::abs(objective));
  const bool solved = error <= run.settings.tolerance;
  if (solved && best_error_ <= run.settings.tolerance ? gap < best_gap_ : error < best_error_) {
    best_error_ = error;
    best_gap_ = gap;
    best_x_ = x_;
    best_y_ = y_;
  }
  return error;
}

// Searches a proof that there is no solution.
void QpIpm::prove(const Run& run, Monitor& monitor) {
  if (proof_ == nullptr) proof_ = std::make_unique<QpProof>();
  const auto go_on = [&] { return !monitor.interrupted(best_error_, best_x_); };
  monitor.stop(Status::not_run);
  if (proof_->find_contradiction(run.problem, *a_, go_on, run.result.farkas)) {
    monitor.stop(Status::infeasible);
    run.result.message = "the bounds and the linear rows contradict each other";
  } else {
    run.result.farkas.resize(0);
  }
  if (monitor.status() == Status::not_run &&
      proof_->find_direction(run.problem, *a_, go_on, run.result.ray)) {
    monitor.stop(Status::unbounded);
    run.result.message = "the objective falls without end along a direction";
  } else if (monitor.status() != Status::infeasible) {
    run.result.ray.resize(0);
  }
  factorizations_ += proof_->factorizations();
  if (monitor.status() == Status::not_run) monitor.stop(Status::stalled);
}

}  // namespace slipstick::internal
