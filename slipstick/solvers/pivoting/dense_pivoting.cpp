// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/dense_pivoting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "slipstick/solvers/common/dense_copy.hpp"

namespace slipstick::internal {
namespace {

// Smaller pivots, relative to the diagonal entry, are rounding.
constexpr double smallest_pivot = 1e-13;

}  // namespace

std::string DensePivoting::explain_unsupported(const Problem& problem) const {
  const Needs needs{.sets = Needs::bounds, .symmetry = true};
  if (std::string reason = explain_needs(problem, "dense-bpp", needs); !reason.empty()) return reason;
  if (problem.b.size() <= settings_.max_rows) return {};
  return fmt::format("dense-bpp is for dense problems, and {} rows are more than max_rows = {}",
                     problem.b.size(), settings_.max_rows);
}

void DensePivoting::run(const Run& run) {
  const Index rows = run.problem.b.size();
  Monitor monitor(run.settings, static_cast<int>(100 + 2 * rows), run.observer);
  run.start();
  Vector& x = run.result.x;
  A_ = &dense_form(run.problem.A, copy_);
  factor_.reserve(rows);
  free_rows_.reserve(static_cast<std::size_t>(rows));
  set_w(run.problem.b, x);
  ++run.result.counts.products;
  set_.reset(run.problem, run.ruler);
  set_.guess(x, w_);
  free_rows_.clear();
  for (int i = 0; i < rows; ++i)
    if (!set_.is_active(i)) free_rows_.push_back(i);
  least_violations_ = std::numeric_limits<Index>::max();
  stalled_pivots_ = 0;
  monitor.guard([&] {
    while (!monitor.finished(run.ruler(x, w_), x, set_.active())) {
      const bool first = monitor.iterations() == 1;
      if ((first || pivot(x)) && solve_set(run.problem.b, x)) continue;
      monitor.stop(Status::stalled);
    }
  });
  run.problem.K.project(x);
  run.finish(monitor);
  run.result.counts.factorizations = monitor.iterations();
}

// Chooses the next set by the rule of Judice and Pires 1994. Returns false if no row is wrong by more than
// rounding.
bool DensePivoting::pivot(const Vector& x) {
  set_.measure_rounding(x);
  const Index violations = set_.find_violations(x, w_);
  stalled_pivots_ = violations < least_violations_ ? 0 : stalled_pivots_ + 1;
  least_violations_ = std::min(least_violations_, violations);
  if (stalled_pivots_ > settings_.stall_limit) {
    set_.pivot_first();
  } else {
    set_.pivot_all();
  }
  return violations > 0;
}

// Computes x and w of the set. Returns false if its block is singular.
bool DensePivoting::solve_set(const Vector& b, Vector& x) {
  const Index kept = update_free_rows();
  set_.put_on_bounds(x);
  for (const int i : free_rows_) x[i] = 0.0;
  set_w(b, x);
  const auto count = static_cast<Index>(free_rows_.size());
  const Index first = factor_.resize(count, kept);
  for (Index j = 0; j < count; ++j) {
    const double* const from = A_->col(free_rows_[j]).data();
    double* const to = factor_.column(j);
    for (Index i = std::max(j, first); i < count; ++i) to[i] = from[free_rows_[i]];
    to[count] = -w_[free_rows_[j]];
  }
  const double* const solution = factor_.solve(smallest_pivot);
  if (solution == nullptr) return false;
  for (Index j = 0; j < count; ++j) x[free_rows_[j]] = solution[j];
  add_free_columns(x);
  for (const int i : free_rows_) w_[i] = 0.0;
  return true;
}

// Rows that stay free keep their order, and those that became free follow. The factor of the rows before the
// first that left stays. Returns their number.
Index DensePivoting::update_free_rows() {
  const auto left = [&](int i) { return set_.is_active(i); };
  const Index kept = std::find_if(free_rows_.begin(), free_rows_.end(), left) - free_rows_.begin();
  std::erase_if(free_rows_, left);
  for (const ActiveSet::Move& move : set_.last_moves())
    if (!left(move.constraint)) free_rows_.push_back(move.constraint);
  return kept;
}

// w = A x + b
void DensePivoting::set_w(const Vector& b, const Vector& x) {
  w_ = b;
  for (Index i = 0; i < x.size(); ++i)
    if (x[i] != 0.0) w_ += x[i] * A_->col(i);
}

// w += A x for the free rows, four at a time.
void DensePivoting::add_free_columns(const Vector& x) {
  std::size_t k = 0;
  for (; k + 4 <= free_rows_.size(); k += 4) {
    const int a = free_rows_[k], b = free_rows_[k + 1], c = free_rows_[k + 2], d = free_rows_[k + 3];
    w_ += (x[a] * A_->col(a) + x[b] * A_->col(b)) + (x[c] * A_->col(c) + x[d] * A_->col(d));
  }
  for (; k < free_rows_.size(); ++k) w_ += x[free_rows_[k]] * A_->col(free_rows_[k]);
}

}  // namespace slipstick::internal
