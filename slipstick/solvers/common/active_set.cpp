// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/common/active_set.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/base/choose.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/solvers/common/empty_rows.hpp"

namespace slipstick::internal {
namespace {

// Relative to the size of the terms of a row: a few dozen units in the last place.
constexpr double rounding_share = 1e-14;

std::uint64_t place_key(Index k, Place place) {
  return Random(3 * static_cast<std::uint64_t>(k) + static_cast<std::uint64_t>(place)).bits();
}

}  // namespace

void ActiveSet::reset(const Problem& problem, const Ruler& ruler, EmptyRows empty_rows) {
  problem_ = &problem;
  unknowns_ = problem.b.size();
  const Index rows = problem.rows ? problem.rows->G->rows() : 0;
  const Index count = unknowns_ + rows;
  for (Vector* vector : {&lower_, &upper_, &value_scale_, &force_scale_}) vector->resize(count);
  lower_.head(unknowns_) = problem.K.lower();
  upper_.head(unknowns_) = problem.K.upper();
  value_scale_.head(unknowns_) = ruler.scale();
  force_scale_.head(unknowns_).setOnes();
  if (rows > 0) {
    lower_.tail(rows) = problem.rows->lower;
    upper_.tail(rows) = problem.rows->upper;
    value_scale_.tail(rows) = ruler.row_weight();
    force_scale_.tail(rows) = ruler.row_length();
  }
  root_ = ruler.diagonal();
  movable_.resize(static_cast<std::size_t>(count));
  places_.resize(movable_.size());
  free_.resize(movable_.size());
  active_ = 0;
  for (Index k = 0; k < count; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const bool stays = empty_rows == EmptyRows::stay_active && k < unknowns_ && root_[k] == 0.0 &&
                       is_empty_row(problem.A, k);
    const bool unbounded = lower_[k] == -infinity && upper_[k] == infinity;
    movable_[at] = !stays && !unbounded && lower_[k] < upper_[k];
    places_[at] = unbounded && !stays ? Place::between : Place::at_lower;
    free_[at] = places_[at] == Place::between;
    active_ += free_[at] == 0;
  }
  for (double& root : root_) root = std::sqrt(std::max(0.0, root));
  energy_ = 0.0;
  hash_ = 0;
  violations_.clear();
  violations_.reserve(movable_.size());
  moves_.clear();
  moves_.reserve(movable_.size());
}

void ActiveSet::take(ConstVectorView values, double band) {
  for (Index k = 0; k < values.size(); ++k) {
    const bool low = value_scale_[k] * (values[k] - lower_[k]) <= band;
    const bool high = value_scale_[k] * (upper_[k] - values[k]) <= band;
    move(k, low ? Place::at_lower : high ? Place::at_upper : Place::between);
  }
}

// A linear row that lies on a bound without a force is free.
void ActiveSet::guess(ConstVectorView values, ConstVectorView forces) {
  for (Index k = 0; k < values.size(); ++k) {
    const double target = values[k] - forces[k] * force_scale_[k] / value_scale_[k];
    const bool low = k < unknowns_ ? target <= lower_[k] : target < lower_[k];
    const bool high = k < unknowns_ ? target >= upper_[k] : target > upper_[k];
    move(k, low ? Place::at_lower : high ? Place::at_upper : Place::between);
  }
}

// |(A x)_i| <= sqrt(a_ii) ||x||_A. The norm with the diagonal replaces the norm with A. A scaling of rows and
// columns does not change what counts as rounding.
void ActiveSet::measure_rounding(const Vector& x) {
  energy_ = root_.cwiseProduct(x).norm();
}

double ActiveSet::rounding(Index row) const {
  return rounding_share * (std::abs(problem_->b[row]) + root_[row] * energy_);
}

// Which constraints are active cannot be predicted, so that no branch depends on it.
bool ActiveSet::is_violated(Index k, double value, double force, double slack) const {
  const Place now = place(k);
  const double scale = value_scale_[k];
  const bool between = now == Place::between;
  const bool below = scale * (lower_[k] - value) > slack, above = scale * (value - upper_[k]) > slack;
  const bool pulled = choose(now == Place::at_lower, -force, force) * force_scale_[k] > slack;
  return (between & (below | above)) | (!between & pulled);
}

Index ActiveSet::find_violations(ConstVectorView values, ConstVectorView forces, double allowance) {
  violations_.clear();
  for (Index k = 0; k < values.size(); ++k) {
    if (movable_[static_cast<std::size_t>(k)] == 0) continue;
    const double slack = allowance + (k < unknowns_ ? rounding(k) : 0.0);
    if (!is_violated(k, values[k], forces[k], slack)) continue;
    const bool below = value_scale_[k] * (lower_[k] - values[k]) > slack;
    violations_.push_back({static_cast<int>(k), is_active(k) ? Place::between
                                                : below      ? Place::at_lower
                                                             : Place::at_upper});
  }
  return static_cast<Index>(violations_.size());
}

void ActiveSet::pivot_all() {
  moves_.clear();
  for (const Move& violation : violations_) {
    moves_.push_back({violation.constraint, place(violation.constraint)});
    move(violation.constraint, violation.place);
  }
}

void ActiveSet::pivot_first() {
  moves_.clear();
  if (!violations_.empty()) put(violations_.front().constraint, violations_.front().place);
}

void ActiveSet::put(int constraint, Place to) {
  moves_.clear();
  if (movable_[static_cast<std::size_t>(constraint)] == 0) return;
  moves_.push_back({constraint, place(constraint)});
  move(constraint, to);
}

void ActiveSet::undo() {
  for (const Move& made : moves_) move(made.constraint, made.place);
  moves_.clear();
}

void ActiveSet::move(Index k, Place to) {
  Place& now = places_[static_cast<std::size_t>(k)];
  if (now == to || movable_[static_cast<std::size_t>(k)] == 0) return;
  hash_ ^= place_key(k, now) ^ place_key(k, to);
  active_ += (now == Place::between) - (to == Place::between);
  now = to;
  free_[static_cast<std::size_t>(k)] = to == Place::between;
}

bool ActiveSet::put_on_bounds(Vector& x) const {
  bool changed = false;
  for (Index i = 0; i < x.size(); ++i) {
    if (movable_[static_cast<std::size_t>(i)] == 0 || !is_active(i)) continue;
    changed = changed || x[i] != bound(i);
    x[i] = bound(i);
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

}  // namespace slipstick::internal
