// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/pivot_set.hpp"

#include <cmath>

#include "slipstick/base/random.hpp"
#include "slipstick/linalg/vector.hpp"
#include "slipstick/solvers/common/empty_rows.hpp"

namespace slipstick {
namespace {

// Of the size of a row's terms; a few dozen units in the last place.
constexpr double rounding_share = 1e-14;

std::uint64_t key(int row, Place place) {
  return Random(3 * static_cast<std::uint64_t>(row) + static_cast<std::uint64_t>(place)).bits();
}

}  // namespace

void PivotSet::reset(const Problem& problem, const Ruler& ruler) {
  problem_ = &problem;
  ruler_ = &ruler;
  const auto n = static_cast<std::size_t>(problem.b.size());
  movable_.resize(n);
  places_.resize(n);
  free_.resize(n);
  violations_.clear();
  violations_.reserve(n);
  moves_.clear();
  moves_.reserve(n);
  root_.resize(problem.b.size());
  problem.A.diagonal(root_);
  const auto lower = problem.K.lower(), upper = problem.K.upper();
  tight_ = 0;
  hash_ = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = static_cast<Index>(i);
    const bool empty = root_[row] == 0.0 && is_empty_row(problem.A, row);
    const bool unbounded = lower[row] == -infinity && upper[row] == infinity;
    movable_[i] = !empty && !unbounded && lower[row] < upper[row];
    places_[i] = unbounded && !empty ? Place::between : Place::at_lower;
    free_[i] = places_[i] == Place::between;
    tight_ += free_[i] == 0;
    root_[row] = std::sqrt(std::max(0.0, root_[row]));
  }
}

void PivotSet::take(const Vector& x) {
  const auto lower = problem_->K.lower(), upper = problem_->K.upper();
  for (Index i = 0; i < x.size(); ++i) {
    if (movable_[static_cast<std::size_t>(i)] == 0) continue;
    move(static_cast<int>(i), x[i] <= lower[i]   ? Place::at_lower
                              : x[i] >= upper[i] ? Place::at_upper
                                                 : Place::between);
  }
}

void PivotSet::guess(const Vector& x, const Vector& w) {
  const auto lower = problem_->K.lower(), upper = problem_->K.upper();
  for (Index i = 0; i < x.size(); ++i) {
    if (movable_[static_cast<std::size_t>(i)] == 0) continue;
    const double target = x[i] - w[i] / ruler_->scale()[i];
    move(static_cast<int>(i), target <= lower[i]   ? Place::at_lower
                              : target >= upper[i] ? Place::at_upper
                                                   : Place::between);
  }
}

// |(A x)_i| <= sqrt(a_ii) ||x||_A; the norm in the diagonal stands for that in A. Scaling rows and columns
// does not change what counts as rounding.
void PivotSet::measure_rounding(const Vector& x) {
  energy_ = root_.cwiseProduct(x).norm();
}

double PivotSet::rounding(Index row) const {
  return rounding_share * (std::abs(problem_->b[row]) + root_[row] * energy_);
}

Index PivotSet::find_violations(const Vector& x, const Vector& w, double allowance) {
  const auto lower = problem_->K.lower(), upper = problem_->K.upper();
  const Vector& d = ruler_->scale();
  measure_rounding(x);
  violations_.clear();
  for (Index i = 0; i < x.size(); ++i) {
    if (movable_[static_cast<std::size_t>(i)] == 0) continue;
    const double slack = rounding(i) + allowance;
    const Place place = places_[static_cast<std::size_t>(i)];
    Place to = place;
    if (place == Place::between) {
      if (d[i] * (lower[i] - x[i]) > slack) to = Place::at_lower;
      if (d[i] * (x[i] - upper[i]) > slack) to = Place::at_upper;
    } else if (place == Place::at_lower ? w[i] < -slack : w[i] > slack) {
      to = Place::between;
    }
    if (to != place) violations_.push_back({static_cast<int>(i), to});
  }
  return static_cast<Index>(violations_.size());
}

void PivotSet::pivot_all() {
  moves_.clear();
  for (const Move& violation : violations_) {
    moves_.push_back({violation.row, place(violation.row)});
    move(violation.row, violation.place);
  }
}

void PivotSet::pivot_first() {
  moves_.clear();
  if (!violations_.empty()) put(violations_.front().row, violations_.front().place);
}

void PivotSet::put(int row, Place to) {
  moves_.clear();
  if (movable_[static_cast<std::size_t>(row)] == 0) return;
  moves_.push_back({row, place(row)});
  move(row, to);
}

void PivotSet::undo() {
  for (const Move& made : moves_) move(made.row, made.place);
  moves_.clear();
}

void PivotSet::move(int row, Place to) {
  Place& place = places_[static_cast<std::size_t>(row)];
  if (place == to) return;
  hash_ ^= key(row, place) ^ key(row, to);
  tight_ += (place == Place::between) - (to == Place::between);
  place = to;
  free_[static_cast<std::size_t>(row)] = to == Place::between;
}

bool PivotSet::put_on_bounds(Vector& x) const {
  bool changed = false;
  const auto lower = problem_->K.lower(), upper = problem_->K.upper();
  for (Index i = 0; i < x.size(); ++i) {
    const auto row = static_cast<std::size_t>(i);
    if (movable_[row] == 0 || places_[row] == Place::between) continue;
    const double bound = places_[row] == Place::at_lower ? lower[i] : upper[i];
    changed = changed || x[i] != bound;
    x[i] = bound;
  }
  return changed;
}

void VisitedSets::clear() {
  for (const std::size_t slot : used_) table_[slot] = 0;
  used_.clear();
  used_.reserve(table_.size() / 2);
}

bool VisitedSets::insert(std::uint64_t hash) {
  if (hash == 0) hash = 1;
  std::size_t slot = hash % table_.size();
  while (table_[slot] != 0 && table_[slot] != hash) slot = (slot + 1) % table_.size();
  if (table_[slot] == hash) return false;
  if (used_.size() < table_.size() / 2) {
    table_[slot] = hash;
    used_.push_back(slot);
  }
  return true;
}

}  // namespace slipstick
