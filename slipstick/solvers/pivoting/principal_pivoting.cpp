// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/principal_pivoting.hpp"

#include <cmath>
#include <limits>

#include "slipstick/matrix.hpp"
#include "slipstick/solvers/common/empty_rows.hpp"

namespace slipstick::internal {
namespace {

// delta of the proximal term: its least value, its growth if pivots fail, its decay if pivots end, and its
// largest value.
constexpr double least_proximal = 1e-10;
constexpr double least_iterative_proximal = 1e-6;
constexpr double first_growth = 100.0;
constexpr double growth = 10.0;
constexpr double first_decay = 0.1;
constexpr double most_proximal = 1.0;
constexpr int most_failures = 100;
// A move of the centre is slow if it leaves more than this share of the error. This many slow moves are
// allowed.
constexpr double slow_share = 0.5;
constexpr int most_slow_moves = 10;
// Limits of the single pivots between block pivots, while the number of wrong rows does not fall, without and
// with the proximal term.
constexpr int most_single_pivots = 100;
constexpr int most_proximal_single_pivots = 20;
// Limit of the corrections of x within a set, and the largest share of the residual that a correction should
// leave.
constexpr int most_corrections = 4;
constexpr double contraction = 0.1;

}  // namespace

PrincipalPivoting::PrincipalPivoting(const PpmSettings& settings)
    : name_("ppm"),
      blocks_allowed_(false),
      shift_settings_(settings),
      system_(std::make_unique<CholeskyFreeSystem>(settings.factor, settings.ordering)) {}

PrincipalPivoting::PrincipalPivoting(const BppSettings& settings)
    : name_("bpp"),
      blocks_allowed_(true),
      shift_settings_(settings),
      stall_limit_(settings.stall_limit),
      system_(std::make_unique<CholeskyFreeSystem>(settings.factor, settings.ordering)) {}

PrincipalPivoting::PrincipalPivoting(const BppPcgSettings& settings)
    : name_("bpp-pcg"),
      blocks_allowed_(true),
      shift_settings_(settings),
      stall_limit_(settings.stall_limit),
      inner_(settings.inner),
      system_(std::make_unique<PcgFreeSystem>(settings)) {}

std::string PrincipalPivoting::explain_unsupported(const Problem& problem) const {
  return explain_needs(problem, name_, {.sets = Needs::bounds, .symmetry = true});
}

void PrincipalPivoting::run(const Run& run) {
  constexpr int default_max_iterations = 100000;
  Monitor monitor(run.settings, default_max_iterations, run.observer);
  prepare(run, monitor);
  monitor.guard([&] {
    for (;;) {
      if (error_ > monitor.tolerance() && !choose_next_set(run)) monitor.stop(Status::stalled);
      if (monitor.finished(error_, x_, set_.active())) break;
      solve_set(run);
      if (error_ <= monitor.tolerance() && friction_.active()) {
        drop_friction_shift(run);
        solve_set(run);
      }
    }
  });
  run.result.x = best_.x();
  run.finish(monitor);
  system_->count(run.result.counts);
  if (friction_.rows() > 0) friction_.describe(run.result);
}

void PrincipalPivoting::prepare(const Run& run, Monitor& monitor) {
  run.start();
  const Problem& problem = run.problem;
  const Index n = problem.b.size();
  for (Vector* vector : {&w_, &shifted_, &residual_, &step_, &projected_w_, &center_, &pull_, &shift_}) {
    vector->resize(n);
  }
  x_ = run.result.x;
  problem.A.diagonal(step_);
  if (place_empty_rows(problem, step_, 0.0, x_) >= 0) monitor.stop(Status::unbounded);
  set_.reset(problem, run.ruler);
  system_->prepare(problem.A, run.settings.threads);
  friction_.reset(problem, shift_settings_);
  best_.reset(n);
  delta_ = 0.0;
  least_delta_ = last_delta_ = system_->iterative() ? least_iterative_proximal : least_proximal;
  failures_ = 0;
  decay_ = first_decay;
  growth_ = first_growth;
  target_ = inner_ * run.settings.tolerance * run.ruler.norm();
  shift_.setZero();
  pull_.setZero();
  center_.setZero();
  left_proximal_ = false;
  best_violations_ = std::numeric_limits<Index>::max();
  start_stage();

  evaluate(run);
  error_ = run.ruler(x_, w_);
  best_.offer(error_, x_);
  if (run.warm_start != nullptr && run.ruler.norm() > 0.0) {
    set_.take(x_);
  } else {
    set_.guess(x_, w_);
  }
  first_set_ = true;
}

// Chooses the next set to solve. Returns false if there is none.
bool PrincipalPivoting::choose_next_set(const Run& run) {
  if (first_set_) {
    first_set_ = false;
    return true;
  }
  if (error_ == infinity) return strengthen(run);
  if (violations_ == 0) return end_stage(run);
  if (!pivot_block() && !pivot_single() && !sharpen(run)) {
    if (!strengthen(run)) return false;
    set_.take(x_);
  }
  friction_.count(set_, run.ruler.scale(), [&](Index row, double amount) {
    shift_[row] += amount;
    evaluated_ = false;
    system_->add_shift(row, amount);
  });
  return true;
}

// Returns false if single pivots must follow.
bool PrincipalPivoting::pivot_block() {
  if (!blocks_allowed_) return false;
  if (violations_ < least_) {
    blocks_ = true;
    stalled_ = 0;
    single_pivots_ = 0;
    visited_.clear();
  } else if (blocks_ && ++stalled_ > stall_limit_) {
    blocks_ = false;
    visited_.clear();
  }
  least_ = std::min(least_, violations_);
  if (!blocks_) return false;
  set_.pivot_all();
  if (visited_.insert(set_.hash())) return true;
  set_.undo();
  blocks_ = false;
  visited_.clear();
  return false;
}

// Returns false if a set appears again, or if the single pivots take too long. Single pivots cycle only
// because of rounding.
bool PrincipalPivoting::pivot_single() {
  const int most = delta_ > 0.0 ? most_proximal_single_pivots : most_single_pivots;
  if (blocks_allowed_ && ++single_pivots_ > most) return false;
  set_.pivot_first();
  return visited_.insert(set_.hash());
}

// The set solves the shifted problem. The next stage has smaller shifts. Returns false if there are no
// shifts.
bool PrincipalPivoting::end_stage(const Run& run) {
  if (friction_.active()) {
    drop_friction_shift(run);
    return true;
  }
  if (delta_ == 0.0) return false;
  slow_moves_ += error_ > slow_share * moved_error_;
  moved_error_ = std::min(moved_error_, error_);
  if (slow_moves_ > most_slow_moves) return false;
  center_ = x_;
  run.problem.K.project(center_);
  double delta = std::max(least_delta_, decay_ * delta_);
  growth_ = growth;
  decay_ = std::max(0.5 * first_decay, 0.7 * decay_);
  if (delta_ <= least_delta_ && !left_proximal_) {
    // Tries delta = 0 once, because the set may be regular now.
    left_proximal_ = true;
    delta = 0.0;
  }
  set_proximal(run, delta);
  start_stage();
  return true;
}

// Starts a stage without the shift of friction rows, from the set that was found with it.
void PrincipalPivoting::drop_friction_shift(const Run& run) {
  friction_.drop();
  set_proximal(run, delta_);
  start_stage();
}

void PrincipalPivoting::solve_set(const Run& run) {
  error_ = solve_free_rows(run) ? judge(run) : infinity;
}

// Computes x of the present set. Returns false if the solve fails or x is not finite.
bool PrincipalPivoting::solve_free_rows(const Run& run) {
  while (!system_->set_free(set_.free())) {
    if (!strengthen(run)) return false;
  }
  // At a warm start x is often on its bounds already, and w is known.
  if (set_.put_on_bounds(x_) || !evaluated_) evaluate(run);
  double before = infinity;
  for (int k = 0; k < most_corrections; ++k) {
    const double left = find_residual();
    if (left <= 1.0 || residual_.norm() <= target_ || (left > contraction * before && !system_->renew()))
      return true;
    before = left;
    if (!system_->correct(residual_, target_, step_)) return false;
    x_ += step_;
    evaluate(run);
  }
  return x_.allFinite();
}

// Computes residual_ of the free rows. Returns its largest entry in units of its rounding.
double PrincipalPivoting::find_residual() {
  constexpr double share = 0.5;  // share of the rounding that pivots allow
  set_.measure_rounding(x_);
  double largest = 0.0;
  for (Index i = 0; i < x_.size(); ++i) {
    residual_[i] = set_.free()[static_cast<std::size_t>(i)] != 0 ? -shifted_[i] : 0.0;
    if (residual_[i] != 0.0) largest = std::max(largest, std::abs(residual_[i]) / (share * set_.rounding(i)));
  }
  return largest;
}

// Computes w, and w of the shifted problem.
void PrincipalPivoting::evaluate(const Run& run) {
  run.gradient(x_, w_);
  shifted_ = w_ + shift_.cwiseProduct(x_) - pull_;
  evaluated_ = true;
}

// Returns the scaled natural map of x. If it is small, or if the set is the best so far, x is first projected
// on K.
double PrincipalPivoting::judge(const Run& run) {
  const double rows = static_cast<double>(std::max<Index>(1, x_.size()));
  set_.measure_rounding(x_);
  violations_ = set_.find_violations(x_, shifted_, target_ / std::sqrt(rows));
  const double error = run.ruler(x_, w_);
  if (violations_ > best_violations_ && error > run.settings.tolerance) return error;
  best_violations_ = std::min(best_violations_, violations_);
  projected_ = x_;
  run.problem.K.project(projected_);
  double projected_error = error;
  if (projected_ != x_) {
    run.gradient(projected_, projected_w_);
    projected_error = run.ruler(projected_, projected_w_);
  }
  best_.offer(projected_error, projected_);
  return error > run.settings.tolerance ? error : projected_error;
}

// Asks for a smaller residual of the free rows. Returns false if rounding allows no smaller one.
bool PrincipalPivoting::sharpen(const Run& run) {
  const double smallest = std::numeric_limits<double>::epsilon() * run.ruler.norm();
  if (target_ <= smallest) return false;
  target_ = std::max(smallest, 1e-2 * target_);
  start_stage();
  return true;
}

// Makes the proximal term larger and starts from the best x. Returns false if the term has its largest size.
bool PrincipalPivoting::strengthen(const Run& run) {
  if (delta_ >= most_proximal || ++failures_ > most_failures) return false;
  x_ = center_ = best_.x();
  // The last decay was too fast.
  decay_ = std::min(0.7, std::sqrt(decay_));
  set_proximal(run, delta_ == 0.0 ? last_delta_ : std::min(most_proximal, growth_ * delta_));
  moved_error_ = infinity;
  slow_moves_ = 0;
  start_stage();
  return true;
}

// Sets the shifts for another delta or another centre.
void PrincipalPivoting::set_proximal(const Run& run, double delta) {
  const Vector& d = run.ruler.scale();
  step_ = delta * d + friction_.amounts();
  pull_ = delta * d.cwiseProduct(center_);
  evaluated_ = false;
  if (delta_ > 0.0) last_delta_ = delta_;
  delta_ = delta;
  if (step_ == shift_) return;
  shift_ = step_;
  system_->set_shift(shift_);
}

void PrincipalPivoting::start_stage() {
  blocks_ = true;
  stalled_ = 0;
  single_pivots_ = 0;
  least_ = std::numeric_limits<Index>::max();
  visited_.clear();
}

}  // namespace slipstick::internal
