// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/dantzig.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipstick/matrix.hpp"
#include "slipstick/solvers/common/empty_rows.hpp"

namespace slipstick::internal {
namespace {

constexpr int most_passes = 30;
// A smaller change of w counts as rounding, relative to the largest change that the direction allows.
constexpr double negligible_change = 1e-13;

}  // namespace

std::string Dantzig::explain_unsupported(const Problem& problem) const {
  if (std::string reason = explain_needs(problem, "dantzig", {.sets = Needs::bounds, .symmetry = true});
      !reason.empty())
    return reason;
  if (problem.b.size() <= settings_.max_rows) return {};
  return fmt::format("dantzig keeps a dense factor, and {} rows are more than max_rows = {}",
                     problem.b.size(), settings_.max_rows);
}

void Dantzig::run(const Run& run) {
  constexpr int default_max_iterations = 100000;
  Monitor monitor(run.settings, default_max_iterations, run.observer);
  prepare(run, monitor);
  monitor.guard([&] {
    start_from_set(run);
    for (int pass = 0; pass < most_passes; ++pass) {
      const Index wrong = find_wrong_rows(run);
      if (wrong == 0 && !friction_.active()) break;
      if (wrong == 0) {
        // Solves the problem without the shift from here on.
        friction_.drop();
        start_from_set(run);
        continue;
      }
      bool going = true;
      for (int i = 0; i < static_cast<int>(x_.size()) && going; ++i) {
        if (taken_[i] == 0) going = drive(run, monitor, i);
      }
      solve_free_rows(run);
      if (!going) break;
    }
  });
  if (monitor.status() == Status::not_run && !monitor.finished(error(run), x_, set_.active()))
    monitor.stop(Status::stalled);
  if (!best_.empty()) run.result.x = best_.x();
  run.finish(monitor);
  if (friction_.rows() > 0) friction_.describe(run.result);
}

void Dantzig::prepare(const Run& run, Monitor& monitor) {
  run.start();
  const Problem& problem = run.problem;
  const Index n = problem.b.size();
  for (Vector* vector : {&w_, &diagonal_, &direction_, &change_, &coupling_}) vector->resize(n);
  x_ = run.result.x;
  problem.A.diagonal(diagonal_);
  if (place_empty_rows(problem, diagonal_, 0.0, x_) >= 0) monitor.stop(Status::unbounded);
  if (!seen_.same_storage(problem.A) || matrix_ == nullptr) {
    matrix_ = problem.A.assemble();
    seen_ = problem.A;
  }
  set_.reset(problem, run.ruler);
  friction_.reset(problem, settings_);
  best_.reset(n);
  for (auto* flags : {&taken_, &passed_}) flags->assign(static_cast<std::size_t>(n), 0);
  free_rows_.reserve(static_cast<std::size_t>(n));
  rest_ = 0;
  if (run.warm_start != nullptr && run.ruler.norm() > 0.0) set_.take(x_);
}

// Makes the factor of the set and solves for its x.
void Dantzig::start_from_set(const Run& run) {
  factor_.reset(x_.size());
  free_rows_.clear();
  position_.assign(static_cast<std::size_t>(x_.size()), -1);
  for (int i = 0; i < static_cast<int>(x_.size()); ++i) {
    // If the row depends on the rows before it, it does not become free.
    if (set_.free()[i] != 0 && !free_row(i)) set_.put(i, Place::at_lower);
  }
  solve_free_rows(run);
}

// Computes x of the free rows and all w again. Rows beyond a bound are put on that bound.
void Dantzig::solve_free_rows(const Run& run) {
  for (int refinement = 0; refinement < 2; ++refinement) {
    evaluate(run);
    const auto count = static_cast<Index>(free_rows_.size());
    for (Index k = 0; k < count; ++k) coupling_[k] = -w_[free_rows_[k]];
    factor_.solve(coupling_.head(count));
    for (Index k = 0; k < count; ++k) x_[free_rows_[k]] += coupling_[k];
    const auto lower = run.problem.K.lower(), upper = run.problem.K.upper();
    for (std::size_t k = free_rows_.size(); k-- > 0;) {
      const int row = free_rows_[k];
      if (x_[row] >= lower[row] && x_[row] <= upper[row]) continue;
      const Place place = x_[row] < lower[row] ? Place::at_lower : Place::at_upper;
      x_[row] = place == Place::at_lower ? lower[row] : upper[row];
      tighten_row(row, place);
      refinement = -1;
    }
  }
  evaluate(run);
  best_.offer(error(run), x_);
}

void Dantzig::evaluate(const Run& run) {
  run.gradient(x_, w_);
  w_ += friction_.amounts().cwiseProduct(x_);
  set_.measure_rounding(x_);
}

// The error in the problem without shifts.
double Dantzig::error(const Run& run) {
  if (!friction_.active()) return run.ruler(x_, w_);
  coupling_ = w_ - friction_.amounts().cwiseProduct(x_);
  return run.ruler(x_, coupling_);
}

Index Dantzig::find_wrong_rows(const Run& run) {
  Index wrong = 0;
  for (Index i = 0; i < x_.size(); ++i) {
    taken_[i] = position_[i] >= 0 || violation(run, i) <= set_.rounding(i);
    wrong += taken_[i] == 0;
  }
  return wrong;
}

// The violation of the row in the natural map.
double Dantzig::violation(const Run& run, Index row) const {
  const double d = run.ruler.scale()[row];
  const double target = x_[row] - w_[row] / d;
  const double nearest = std::min(std::max(target, run.problem.K.lower()[row]), run.problem.K.upper()[row]);
  return d * std::abs(x_[row] - nearest);
}

// Moves x_row until the row satisfies its conditions. Returns false if the solve must end.
bool Dantzig::drive(const Run& run, Monitor& monitor, int row) {
  std::fill(passed_.begin(), passed_.end(), 0);
  while (violation(run, row) > set_.rounding(row)) {
    // A shifted problem does not count as solved.
    if (friction_.active() ? monitor.interrupted(error(run), x_, set_.active())
                           : monitor.finished(error(run), x_, set_.active())) {
      return false;
    }
    const double sign = w_[row] > 0.0 ? -1.0 : 1.0;
    find_direction(run, row, sign);
    const Event event = first_event(run, row, sign);
    if (event.kind == Event::Kind::none) {
      monitor.stop(Status::unbounded);
      return false;
    }
    rest_ = event.length > 0.0 ? 0 : rest_ + 1;
    if (rest_ > 20 * x_.size() + 100) {
      monitor.stop(Status::stalled);  // too many steps of length zero
      return false;
    }
    apply(run, event, row, sign);
  }
  taken_[row] = 1;
  return true;
}

// Direction: one unit of x_row, and the free rows move so that their w does not change.
void Dantzig::find_direction(const Run& run, int row, double sign) {
  const auto count = static_cast<Index>(free_rows_.size());
  gather_coupling(row);
  factor_.solve(coupling_.head(count));
  direction_.setZero();
  direction_[row] = sign;
  for (Index k = 0; k < count; ++k) direction_[free_rows_[k]] = -sign * coupling_[k];
  run.multiply(direction_, change_);
  change_ += friction_.amounts().cwiseProduct(direction_);
  for (const int free : free_rows_) change_[free] = 0.0;
}

Dantzig::Event Dantzig::first_event(const Run& run, int row, double sign) const {
  const auto lower = run.problem.K.lower(), upper = run.problem.K.upper();
  double energy = 0.0;
  for (Index i = 0; i < x_.size(); ++i) energy += diagonal_[i] * direction_[i] * direction_[i];
  energy = std::sqrt(energy);
  Event first{infinity, -1, Event::Kind::none};
  const auto offer = [&](double length, int which, Event::Kind kind) {
    if (length < first.length) first = {std::max(0.0, length), which, kind};
  };
  for (int j = 0; j < static_cast<int>(x_.size()); ++j) {
    const double change = change_[j];
    const bool changes = std::abs(change) > negligible_change * std::sqrt(diagonal(j)) * energy;
    if (j == row) {
      if (changes && change * sign > 0.0) offer(-w_[j] / change, j, Event::Kind::driven_vanishes);
      offer(sign > 0.0 ? upper[j] - x_[j] : x_[j] - lower[j], j, Event::Kind::driven_at_bound);
    } else if (position_[j] >= 0) {
      const double p = direction_[j];
      if (p > 0.0) offer((upper[j] - x_[j]) / p, j, Event::Kind::free_at_bound);
      if (p < 0.0) offer((lower[j] - x_[j]) / p, j, Event::Kind::free_at_bound);
    } else if (taken_[j] != 0 && passed_[j] == 0 && changes && lower[j] < upper[j]) {
      // w falls at the lower bound, grows at the upper bound, or leaves zero between them.
      if (change < 0.0 ? x_[j] < upper[j] : x_[j] > lower[j])
        offer(-w_[j] / change, j, Event::Kind::tight_vanishes);
    }
  }
  return first;
}

void Dantzig::apply(const Run& run, const Event& event, int row, double sign) {
  const auto lower = run.problem.K.lower(), upper = run.problem.K.upper();
  x_ += event.length * direction_;
  w_ += event.length * change_;
  set_.measure_rounding(x_);
  const int j = event.row;
  switch (event.kind) {
    case Event::Kind::driven_at_bound:
      x_[row] = sign > 0.0 ? upper[row] : lower[row];
      set_.put(row, sign > 0.0 ? Place::at_upper : Place::at_lower);
      break;
    case Event::Kind::free_at_bound: {
      const Place place = direction_[j] > 0.0 ? Place::at_upper : Place::at_lower;
      x_[j] = place == Place::at_upper ? upper[j] : lower[j];
      w_[j] = 0.0;
      tighten_row(j, place);
      break;
    }
    default:
      w_[j] = 0.0;
      passed_[j] = !free_row(j);
  }

  // A shift changes the row's w, so the row must be driven again.
  int shifted = -1;
  friction_.count(set_, run.ruler.scale(), [&](Index which, double amount) {
    shifted = static_cast<int>(which);
    w_[which] += amount * x_[which];
  });
  if (shifted < 0) return;
  tighten_row(shifted, Place::at_lower);
  taken_[shifted] = 0;
}

// Returns false if the row depends on the free rows.
bool Dantzig::free_row(int row) {
  gather_coupling(row);
  if (!factor_.append(coupling_.head(static_cast<Index>(free_rows_.size())), diagonal(row))) return false;
  position_[row] = static_cast<int>(free_rows_.size());
  free_rows_.push_back(row);
  taken_[row] = 1;
  set_.put(row, Place::between);
  return true;
}

void Dantzig::tighten_row(int row, Place place) {
  const int k = position_[row];
  factor_.remove(k);
  free_rows_.erase(free_rows_.begin() + k);
  position_[row] = -1;
  for (std::size_t later = k; later < free_rows_.size(); ++later) --position_[free_rows_[later]];
  set_.put(row, place);
}

// coupling_ <- the row's entries with the free rows, in the order of the factor.
void Dantzig::gather_coupling(int row) {
  coupling_.head(static_cast<Index>(free_rows_.size())).setZero();
  for (CsrMatrix::InnerIterator it(*matrix_, row); it; ++it) {
    if (position_[it.col()] >= 0) coupling_[position_[it.col()]] = it.value();
  }
}

}  // namespace slipstick::internal
