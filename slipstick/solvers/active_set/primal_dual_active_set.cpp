// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/active_set/primal_dual_active_set.hpp"

#include <cmath>
#include <limits>

#include "slipstick/base/choose.hpp"
#include "slipstick/base/processor_time.hpp"

namespace slipstick::internal {
namespace {

constexpr double row_shift = 1e-9;      // relative to the diagonal of G diag(A)^-1 G'
constexpr double unknown_shift = 1e-8;  // relative to the diagonal of A
constexpr double dead_band = 1e-14;     // smaller relative violations are rounding
constexpr double touching = 1e-9;  // a warm start at a smaller relative distance to a bound is on the bound
constexpr double refined = 1e-14;  // a smaller relative residual needs no refinement
constexpr double unsolved = 1e-7;  // a larger relative residual means that the system is singular
constexpr int refinements = 4;
constexpr int stall_limit = 20;  // iterations without fewer violations, then one constraint at a time

}  // namespace

std::string PrimalDualActiveSet::explain_unsupported(const Problem& problem) const {
  return explain_needs(problem, name_, {.sets = Needs::bounds, .symmetry = true, .no_linear_rows = false});
}

void PrimalDualActiveSet::run(const Run& run) {
  constexpr int default_max_iterations = 2000;
  Monitor monitor(run.settings, default_max_iterations, run.observer);
  prepare(run);
  double error = choose_start(run);
  monitor.guard([&] {
    for (;; error = judge(run)) {
      if (monitor.finished(error, z_.head(set_.unknowns()), set_.active())) break;
      if (monitor.iterations() > 1 && !revise_set() && !move_reference(error)) {
        monitor.stop(Status::stalled);
        break;
      }
      if (!solve_set(run)) {
        run.result.message = "the matrix is not positive semidefinite";
        monitor.stop(Status::unsupported);
        break;
      }
    }
  });
  if (monitor.status() == Status::time_limit || monitor.status() == Status::cancelled)
    forget_systems();  // one of them may be incomplete
  take_answer(run);
  run.finish(monitor);
}

void PrimalDualActiveSet::prepare(const Run& run) {
  set_.reset(run.problem, run.ruler, ActiveSet::EmptyRows::move);
  matrix_.prepare(run.problem, set_, row_shift, reads_rows());
  const bool same_systems = factor_version_ == matrix_.version() && !shifted_ && !run.problem.rows;
  if (factor_version_ != matrix_.version()) take_matrix();
  factor_version_ = matrix_.version();
  if (!same_systems || !keeps_systems()) forget_systems();
  work_ = {};
  shifted_ = false;
  const Index n = set_.unknowns();
  for (Vector* vector : {&z_, &product_, &constant_, &residual_, &values_, &forces_})
    vector->setZero(set_.size());
  inside_.assign(static_cast<std::size_t>(set_.size()), 0);
  w_.resize(n);
  best_x_.resize(n);
  y_.resize(set_.size() - n);
  best_y_.resize(set_.size() - n);
  best_error_ = std::numeric_limits<double>::infinity();
  reference_error_ = std::numeric_limits<double>::infinity();
  visited_.clear();
  fewest_violations_ = std::numeric_limits<Index>::max();
  stalled_ = 0;
  one_by_one_ = false;
}

// With a warm start, the set has the constraints that are at a bound, and the error is infinity because it is
// not computed. Otherwise the set has the constraints that a projected step from the point nearest to 0 puts
// on a bound. Returns the error of the start.
double PrimalDualActiveSet::choose_start(const Run& run) {
  run.start();
  const Index n = set_.unknowns();
  reference_ = run.result.x;
  best_x_ = run.result.x;
  best_y_.setZero();
  if (run.warm_start != nullptr && run.ruler.norm() > 0.0) {
    values_.head(n) = run.result.x;
    if (run.problem.rows) internal::multiply(*run.problem.rows->G, run.result.x, values_.tail(y_.size()));
    set_.take(values_, touching * run.ruler.norm());
    z_.setZero();
    product_.setZero();
    product_is_current_ = true;
    return std::numeric_limits<double>::infinity();
  }
  z_.head(n) = run.result.x;
  multiply(run);
  constant_.head(n) = -run.problem.b;
  find_values_and_forces();
  set_.guess(values_, forces_);
  return judge(run);
}

// product_ = M z
void PrimalDualActiveSet::multiply(const Run& run) {
  multiply_matrix(z_, product_, run.settings.threads);
  ++run.result.counts.products;
  product_is_current_ = true;
}

// Computes x and y of the set, with M z in product_. Returns false if A is not positive semidefinite.
bool PrimalDualActiveSet::solve_set(const Run& run) {
  put_on_bounds();
  if (refine(run)) return true;
  // First tries a factor of exactly this set. If that does not help, A is singular on the set.
  if (forget_systems() && refine(run)) return true;
  if (!shifted_) {
    matrix_.shift_unknowns(set_, unknown_shift);
    shifted_ = true;
    forget_systems();
    z_.head(set_.unknowns()) = best_x_;
    z_.tail(y_.size()).setZero();
    product_is_current_ = false;
    put_on_bounds();
    if (refine(run)) return true;
  }
  return solvable_ && z_.allFinite();
}

// Marks the rows inside the system of the set, and sets the other entries of z to their known values. Which
// rows are inside cannot be predicted, so that no branch depends on it.
void PrimalDualActiveSet::put_on_bounds() {
  const Index n = set_.unknowns();
  Index moves = 0;
  for (Index k = 0; k < set_.size(); ++k) {
    const Place place = set_.place(k);
    const bool in = (place != Place::between) != (k < n);
    inside_[static_cast<std::size_t>(k)] = in;
    const double bound = choose(place == Place::at_lower, set_.lower(k), set_.upper(k));
    const double own = z_[k], target = choose(in, own, k < n ? bound : 0.0);
    const double move = target - own;
    if (move == 0.0) continue;
    z_[k] = target;
    // A few moves are added to the product. For more moves a new product is cheaper.
    product_is_current_ = product_is_current_ && reads_rows() && ++moves <= set_.size() / 16;
    if (!product_is_current_) continue;
    matrix_.for_each_in_row(k, [&](Index j, double value) {
      if (j != k || k < n) product_[j] += move * value;
    });
  }
}

// Solves and refines until the residual is rounding. Returns false if the residual stays large, or if there
// is no factor.
bool PrimalDualActiveSet::refine(const Run& run) {
  const Index n = set_.unknowns();
  constant_.head(n) = matrix_.shift().head(n).cwiseProduct(reference_) - run.problem.b;
  for (Index k = n; k < set_.size(); ++k) constant_[k] = set_.is_active(k) ? set_.bound(k) : 0.0;
  double before = std::numeric_limits<double>::infinity();
  for (int step = 0;; ++step) {
    if (!product_is_current_) multiply(run);
    size_ = run.ruler.norm() + run.ruler.scale().cwiseProduct(z_.head(n)).norm();
    const auto [unknowns, rows] = residual();
    const double now = std::hypot(unknowns, rows);
    if (!std::isfinite(now)) return false;
    if (step > 0 && (now <= refined * size_ || step > refinements || now > 0.5 * before))
      return unknowns <= unsolved * size_;
    before = step > 0 ? now : std::numeric_limits<double>::infinity();
    solvable_ = solve_system(residual_);
    if (!solvable_) return false;
    z_ += residual_;
    product_is_current_ = false;
  }
}

// The residual of the set's system without the shift of the rows, zero outside. Returns the norms of its two
// parts in the ruler's units.
std::pair<double, double> PrimalDualActiveSet::residual() {
  const Index n = set_.unknowns();
  for (Index k = 0; k < set_.size(); ++k) {
    residual_[k] = choose(inside_[static_cast<std::size_t>(k)] != 0, constant_[k] - product_[k], 0.0);
  }
  double rows = 0.0;
  for (Index k = n; k < set_.size(); ++k) {
    const double weighed = set_.value_scale(k) * residual_[k];
    rows += weighed * weighed;
  }
  return {residual_.head(n).norm(), std::sqrt(rows)};
}

// Returns the scaled natural map of (x, y) on the original problem, and keeps the best point.
double PrimalDualActiveSet::judge(const Run& run) {
  const Index n = set_.unknowns();
  const auto x = z_.head(n);
  w_ = product_.head(n) - matrix_.shift().head(n).cwiseProduct(x) + run.problem.b;
  y_ = -z_.tail(y_.size());
  const double error = run.problem.rows ? run.ruler(x, w_, y_) : run.ruler(x, w_);
  if (error < best_error_) {
    best_error_ = error;
    best_x_ = x;
    best_y_ = y_;
  }
  return error;
}

// The values and forces of the constraints. Bounds have the values x and the forces M z - constant. Rows have
// the values G x and the forces y.
void PrimalDualActiveSet::find_values_and_forces() {
  const Index n = set_.unknowns();
  const Index m = set_.size() - n;
  values_.head(n) = z_.head(n);
  forces_.head(n) = product_.head(n) - constant_.head(n);
  values_.tail(m) = product_.tail(m);
  forces_.tail(m) = -z_.tail(m);
}

// Changes the set by the signs. Returns false if no constraint has a wrong sign.
bool PrimalDualActiveSet::revise_set() {
  find_values_and_forces();
  const Index violations = set_.find_violations(values_, forces_, dead_band * size_);
  if (violations == 0) return false;
  if (violations < fewest_violations_) {
    fewest_violations_ = violations;
    stalled_ = 0;
    one_by_one_ = false;
    visited_.clear();
  } else if (++stalled_ > stall_limit) {
    one_by_one_ = true;
  }
  if (!one_by_one_) one_by_one_ = !visited_.insert(set_.hash());
  if (one_by_one_) {
    set_.pivot_first();
  } else {
    set_.pivot_all();
  }
  return true;
}

// Returns false if nothing is shifted, or if the last move reduced the error too little.
bool PrimalDualActiveSet::move_reference(double error) {
  if (!shifted_ || !(error < 0.7 * reference_error_)) return false;
  reference_error_ = error;
  reference_ = z_.head(set_.unknowns());
  visited_.clear();
  fewest_violations_ = std::numeric_limits<Index>::max();
  stalled_ = 0;
  one_by_one_ = false;
  return true;
}

// Takes the best answer and projects it on K, unless the projection makes the error too large.
void PrimalDualActiveSet::take_answer(const Run& run) {
  run.result.multipliers = best_y_;
  run.result.counts.factorizations = work_.factorizations;
  run.result.x = best_x_;
  run.problem.K.project(run.result.x);
  if (run.result.x == best_x_ || best_error_ > run.settings.tolerance) return;
  const double unprojected = best_error_;
  z_.head(set_.unknowns()) = run.result.x;
  z_.tail(y_.size()) = -best_y_;
  w_ = best_x_;
  multiply(run);
  if (judge(run) > run.settings.tolerance && unprojected <= run.settings.tolerance) run.result.x = w_;
}

bool PrimalDualActiveSet::factorize(const std::vector<char>& inside) {
  const double start = processor_seconds();
  const bool done = factor_->factorize(matrix_, inside);
  ++work_.factorizations;
  work_.factor_seconds += processor_seconds() - start;
  return done;
}

void PrimalDualActiveSet::solve_lower(MatrixView x) {
  const double start = processor_seconds();
  factor_->solve_lower(x);
  work_.solves += x.cols();
  work_.solve_seconds += processor_seconds() - start;
}

void PrimalDualActiveSet::solve_upper(VectorView x) {
  const double start = processor_seconds();
  factor_->solve_upper(x);
  work_.solve_seconds += processor_seconds() - start;
}

}  // namespace slipstick::internal
