// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/enumerate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/base/append_format.hpp"
#include "slipstick/linalg/dense_factor.hpp"
#include "slipstick/matrix.hpp"

namespace slipstick::internal {
namespace {

// A column nearer than this to the span of the others counts as dependent.
constexpr double dependent = 1e-11;
// If a column of a system is nearer than this to the others, the system proves nothing.
constexpr double ill_conditioned = 1e-8;
// A candidate with an error below this gets a refined solve.
constexpr double promising = 1e-4;

}  // namespace

std::string Enumerate::explain_unsupported(const Problem& problem) const {
  if (std::string reason = explain_needs(problem, "enumerate", {.sets = Needs::bounds}); !reason.empty())
    return reason;
  double bits = 0.0;
  for (Index i = 0; i < problem.K.rows(); ++i) {
    const double lower = problem.K.lower()[i], upper = problem.K.upper()[i];
    if (lower < upper) bits += std::log2(1.0 + (lower > -infinity) + (upper < infinity));
  }
  if (bits > settings_.max_bounded_rows) {
    return fmt::format("enumerate would try 2^{:.1f} active sets, more than max_bounded_rows = {} allows",
                       bits, settings_.max_bounded_rows);
  }
  if (problem.b.size() > settings_.max_rows) {
    return fmt::format("enumerate factorizes dense matrices, and {} unknowns are more than max_rows = {}",
                       problem.b.size(), settings_.max_rows);
  }
  return {};
}

void Enumerate::run(const Run& run) {
  run.start();
  Monitor monitor(run.settings, std::numeric_limits<int>::max(), run.observer);
  prepare(run);
  const double error = judge(run);
  best_.offer(error, x_);
  order_choices();
  bool ended = monitor.finished(error, x_);
  if (!ended) monitor.guard([&] { ended = search(run, monitor, 0); });
  if (!ended && monitor.status() == Status::not_run) {
    // Rounding can only cause a wrong verdict if a system is nearly singular or an error is close to the
    // tolerance.
    const bool proof = least_independence_ > ill_conditioned && best_.error() > ill_conditioned;
    monitor.stop(proof ? Status::infeasible : Status::stalled);
    append_format(run.result.message, "none of the {} active sets is a solution{}", monitor.iterations() - 1,
                  proof ? "" : ", some of them with singular systems");
  }
  run.result.x = best_.x();
  run.finish(monitor);
}

// Searches depth first over the bounded rows from `bounded_row` on. Returns true at the end of the search.
bool Enumerate::search(const Run& run, Monitor& monitor, Index bounded_row) {
  if (bounded_row == box_.bounded()) {
    const double error = candidate(run);
    best_.offer(error, x_);
    return monitor.finished(error, x_);
  }
  const Index level = box_.size() - box_.bounded() + bounded_row;
  for (const Choice choice : orders_[static_cast<std::size_t>(bounded_row)]) {
    if (choice == Choice::at_end && box_.width(bounded_row) == infinity) continue;
    choose(bounded_row, choice, level);
    if (search(run, monitor, bounded_row + 1)) return true;
  }
  return false;
}

// Builds the scaled problem. Its free unknowns are the first columns.
void Enumerate::prepare(const Run& run) {
  box_.build(run.problem);
  const Index n = box_.size();
  qr_.reset(n, n);
  right_side_.resize(n, n + 1);
  right_side_.col(0) = box_.matrix().col(0);
  column_.resize(n);
  y_.resize(n);
  low_.resize(n);
  high_.resize(n);
  choices_.resize(static_cast<std::size_t>(n));
  least_independence_ = 1.0;
  best_.reset(run.problem.b.size());
  for (Index k = box_.bounded(); k < n; ++k) choose(k, Choice::between, k - box_.bounded());
  x_ = run.result.x;
}

// Tries the choice that the starting point suggests first. The upper end comes last, unless the starting
// point suggests it.
void Enumerate::order_choices() {
  orders_.resize(static_cast<std::size_t>(box_.bounded()));
  for (Index k = 0; k < box_.bounded(); ++k) {
    const Index i = box_.row(k);
    const double z = (x_[i] - box_.origin()[i]) / box_.unit(k);
    const double w = box_.reflected(k) ? -w_[i] : w_[i];
    auto& order = orders_[static_cast<std::size_t>(k)];
    if (z >= box_.width(k) && w <= 0.0) {
      order = {Choice::at_end, Choice::between, Choice::at_origin};
    } else if (z > 0.0 || w < 0.0) {
      order = {Choice::between, Choice::at_origin, Choice::at_end};
    } else {
      order = {Choice::at_origin, Choice::between, Choice::at_end};
    }
  }
}

// Sets column `level` of the system sum (-M_k) z_k + sum e_k w_k = c + sum (M_k width_k). The unknown is z_k
// between the bounds, and w_k at a bound.
void Enumerate::choose(Index k, Choice choice, Index level) {
  choices_[static_cast<std::size_t>(k)] = choice;
  qr_.truncate(level);
  const auto coefficients = box_.matrix().col(k + 1);
  auto right_side = right_side_.col(level + 1);
  right_side = right_side_.col(level);
  if (choice == Choice::at_end) {
    column_ = box_.width(k) * coefficients;
    qr_.transform(column_);
    right_side += column_;
  }
  if (choice == Choice::between) {
    column_ = -coefficients;
  } else {
    column_.setZero();
    column_[k] = 1.0;
  }
  const Index rank = qr_.rank();
  qr_.append(column_, dependent);
  qr_.transform(right_side, rank);
  least_independence_ = std::min(least_independence_, qr_.independence());

  low_[level] = choice == Choice::at_end || k >= box_.bounded() ? -infinity : 0.0;
  high_[level] = choice == Choice::at_end ? 0.0 : choice == Choice::between ? box_.width(k) : infinity;
}

// Computes x_ of the chosen active set, projected on K, and returns its scaled natural map.
double Enumerate::candidate(const Run& run) {
  const Index n = box_.size();
  qr_.solve(right_side_.col(n), y_);
  // If the equations of a singular system contradict each other, it has no solutions to choose from.
  const double contradiction = right_side_.col(n).tail(n - qr_.rank()).norm();
  if (qr_.rank() < n && contradiction < promising) reduce_violation();
  x_ = box_.origin();
  places_.assign(static_cast<std::size_t>(x_.size()), Place::at_lower);
  for (Index level = 0; level < n; ++level) {
    const Index free = n - box_.bounded();
    const Index k = level < free ? box_.bounded() + level : level - free;
    const Index i = box_.row(k);
    Place& place = places_[static_cast<std::size_t>(i)];
    switch (choices_[static_cast<std::size_t>(k)]) {
      case Choice::between:
        x_[i] += box_.unit(k) * y_[level];
        place = Place::between;
        break;
      case Choice::at_end:
        x_[i] = run.problem.K.upper()[i];
        place = Place::at_upper;
        break;
      case Choice::at_origin:
        place = box_.reflected(k) ? Place::at_upper : Place::at_lower;
        break;
    }
  }
  run.problem.K.project(x_);
  double error = judge(run);
  if (error < promising) error = polish_(run.problem, run.ruler, system_, places_, error, x_);
  return error;
}

// Chooses the solution y + N t of a singular system that is nearest to the bounds. Newton's method minimizes
// the squared distance of y from [low, high]. It ends after finitely many steps, because the function is
// piecewise quadratic.
void Enumerate::reduce_violation() {
  const Index n = box_.size();
  const Index freedom = n - qr_.rank();
  null_space_.resize(n, n);
  hessian_.resize(n, n);
  trial_.resize(n);
  step_.resize(n);
  auto N = null_space_.leftCols(freedom);
  for (Index column = 0, k = 0; column < n; ++column) {
    if (qr_.is_dependent(column)) qr_.null_vector(column, N.col(k++));
  }
  double value = violation();
  for (int iteration = 0; iteration < 50 && value > 1e-28; ++iteration) {
    auto H = hessian_.topLeftCorner(freedom, freedom);
    auto step = step_.head(freedom);
    H.setZero();
    step.setZero();
    for (Index i = 0; i < n; ++i) {
      if (excess_[i] == 0.0) continue;
      step.noalias() -= excess_[i] * N.row(i).transpose();
      H.noalias() += N.row(i).transpose() * N.row(i);
    }
    H.diagonal().array() += 1e-14 * H.trace() + 1e-300;
    if (!cholesky(H)) return;
    solve_cholesky(H, step);
    trial_ = y_;
    const double before = value;
    for (int halving = 0; halving < 30; ++halving, step *= 0.5) {
      y_ = trial_;
      for (Index k = 0; k < freedom; ++k) y_.noalias() += step[k] * N.col(k);
      value = violation();
      if (value < before) break;
    }
    if (!(value < before)) {
      y_ = trial_;
      return;
    }
  }
}

// Half the squared distance of y_ from [low_, high_]; excess_ is y_ minus its projection.
double Enumerate::violation() {
  excess_ = y_ - y_.cwiseMax(low_).cwiseMin(high_);
  return 0.5 * excess_.squaredNorm();
}

double Enumerate::judge(const Run& run) {
  w_.resize(x_.size());
  run.gradient(x_, w_);
  const double error = run.ruler(x_, w_);
  return std::isnan(error) ? infinity : error;
}

}  // namespace slipstick::internal
