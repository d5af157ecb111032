// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/tableau.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "slipstick/linalg/vector.hpp"
#include "slipstick/solvers/common/dense_copy.hpp"

namespace slipstick {
namespace {

// Relative to the largest entry of a column: smaller ones are rounding, not pivots.
constexpr double tableau_pivot_tolerance = 1e-11;
// Ratios closer than this, relative to the size of the constants, count as equal.
constexpr double tableau_tie_tolerance = 1e-13;
// Entries of a row without pivots, relative to the largest constant.
constexpr double empty_tolerance = 1e-11;

using TableauPack = Eigen::Array4d;
constexpr Index pack = 4;

Index tableau_packs(Index rows) {
  return (rows + pack - 1) / pack * pack;
}

}  // namespace

std::string Tableau::explain_unsupported(const Problem& problem) const {
  if (std::string reason = needs_box(problem, "tableau"); !reason.empty()) return reason;
  if (std::string reason = needs_no_linear_rows(problem, "tableau"); !reason.empty()) return reason;
  if (problem.b.size() > settings_.max_rows) {
    return fmt::format("tableau is for small problems, and {} rows are more than max_rows = {}",
                       problem.b.size(), settings_.max_rows);
  }
  return {};
}

void Tableau::run(const Run& run) {
  const Index rows = run.problem.b.size();
  Monitor monitor(run.settings, static_cast<int>(50 + 20 * rows), run.observer);
  load(run.problem);
  End end = End::ray;
  if (eliminate_free_unknowns()) end = pivot_to_the_end(run, monitor);
  if (end == End::ray) {
    load(run.problem);
    if (eliminate_free_unknowns() && enter_negative_rows()) end = pivot_to_the_end(run, monitor);
  }
  recover(run.problem.K, run.result.x);
  double error = judge(run);
  if (end != End::ray && error > run.settings.tolerance) {
    ++run.result.counts.factorizations;
    error = polish_(run.problem, run.ruler, system_, places_, error, run.result.x);
  }
  if (end != End::interrupted && !monitor.finished(error, run.result.x)) monitor.stop(Status::stalled);
  run.finish(monitor);
  if (end == End::ray) run.result.message = "stalled: ray termination from two starts, which proves nothing";
}

// UIC survey, Alg. 1.
Tableau::End Tableau::pivot_to_the_end(const Run& run, Monitor& monitor) {
  bool more = start();
  while (more) {
    if (run.observer != nullptr) recover(run.problem.K, run.result.x);
    if (monitor.interrupted(value(artificial()), run.result.x)) return End::interrupted;
    const Index s = -1 - position_[static_cast<std::size_t>(driving_)];
    const Index r = choose_row(s);
    if (r == none) {
      // Nothing is in the way but the other bound of the driving variable.
      if (!has_two_bounds(driving_)) return End::ray;
      reflect_column(s);
      driving_ = complement(driving_);
      continue;
    }
    if (T_(r, s) > 0.0) reflect_row(r);
    const Index leaving = row_variable_[static_cast<std::size_t>(r)];
    exchange(free_, free_, r, s);
    more = leaving != artificial();
    if (more) driving_ = complement(leaving);
  }
  return End::basis;
}

// The dictionary with every slack basic.
void Tableau::load(const Problem& problem) {
  classify(problem.K);
  const auto size = static_cast<std::size_t>(size_);
  T_.resize(tableau_packs(size_) + pack, size_ + 2);
  pivot_column_.resize(T_.rows());
  T_.bottomRows(T_.rows() - size_).setZero();
  copy_submatrix(problem.A, rows_, place_, T_.topLeftCorner(size_, size_));

  auto constant = T_.col(constants());
  const bool at_zero = (origin_.array() == 0.0).all();
  w_.resize(problem.b.size());
  if (!at_zero) problem.A.multiply(origin_, w_);
  for (Index k = 0; k < size_; ++k) {
    const Index i = rows_[static_cast<std::size_t>(k)];
    constant[k] = at_zero ? problem.b[i] : problem.b[i] + w_[i];
  }
  for (Index k = 0; k < size_; ++k) {
    if (sign_[k] > 0.0) continue;
    T_.row(k) = -T_.row(k);
    T_.col(k) = -T_.col(k);
  }

  first_column_ = 0;
  row_variable_.resize(size);
  column_variable_.resize(size + 2);
  position_.resize(2 * size + 1);
  reflected_.assign(size, 0);
  for (Index k = 0; k < size_; ++k) {
    row_variable_[static_cast<std::size_t>(k)] = size_ + k;
    position_[static_cast<std::size_t>(size_ + k)] = k;
    column_variable_[static_cast<std::size_t>(k)] = k;
    position_[static_cast<std::size_t>(k)] = -1 - k;
  }
  T_.col(artificial_column()).setZero();
  column_variable_[size + 1] = artificial();
  position_[2 * size] = -1 - artificial_column();
}

// Free rows first; fixed ones stay out. z = 0 is the lower bound, or the upper one where it is alone.
void Tableau::classify(const ProductSet& K) {
  const double* lower = K.lower().data();
  const double* upper = K.upper().data();
  origin_.resize(K.rows());
  sign_.resize(K.rows());
  width_.resize(K.rows());
  rows_.clear();
  for (Index i = 0; i < K.rows(); ++i) {
    if (lower[i] == -infinity && upper[i] == infinity) rows_.push_back(static_cast<int>(i));
  }
  free_ = static_cast<Index>(rows_.size());
  two_sided_ = false;
  for (Index i = 0; i < K.rows(); ++i) {
    origin_[i] = lower[i] > -infinity ? lower[i] : upper[i] < infinity ? upper[i] : 0.0;
    const bool is_free = lower[i] == -infinity && upper[i] == infinity;
    if (is_free || lower[i] == upper[i]) continue;
    const auto k = static_cast<Index>(rows_.size());
    sign_[k] = lower[i] > -infinity ? 1.0 : -1.0;
    width_[k] = lower[i] > -infinity ? upper[i] - lower[i] : infinity;
    two_sided_ = two_sided_ || width_[k] < infinity;
    rows_.push_back(static_cast<int>(i));
  }
  size_ = static_cast<Index>(rows_.size());
  sign_.head(free_).setOnes();
  width_.head(free_).setConstant(infinity);
}

// Makes the free unknowns basic in place of the slacks of their rows, which are zero, so that their columns
// go. False where rows are left that ask for something else.
bool Tableau::eliminate_free_unknowns() {
  column_size_.resize(free_);
  for (Index k = 0; k < free_; ++k) column_size_[k] = T_.col(k).head(size_).cwiseAbs().maxCoeff();
  for (bool progress = true; progress && first_column_ < free_;) {
    progress = false;
    for (Index column = first_column_; column < free_; ++column) {
      if (eliminate_one(column)) progress = true;
    }
    if (!progress) progress = exchange_with_pair();
  }
  const bool complete = first_column_ == free_ || rows_left_are_empty();
  first_column_ = free_;  // what is left of the free unknowns stays at zero
  start_columns_ = column_variable_;
  return complete;
}

// The largest pivot of a free unknown's column; its column is then the first.
bool Tableau::eliminate_one(Index column) {
  const auto entries = T_.col(column);
  Index row = none;
  double largest = tableau_pivot_tolerance * column_size_[column_variable_[static_cast<std::size_t>(column)]];
  for (Index r = 0; r < free_; ++r) {
    if (row_variable_[static_cast<std::size_t>(r)] < size_ || !(std::abs(entries[r]) > largest)) continue;
    largest = std::abs(entries[r]);
    row = r;
  }
  if (row == none) return false;
  exchange(0, first_column_, row, column);
  if (column != first_column_) {
    T_.col(column) = T_.col(first_column_);
    std::swap(column_variable_[static_cast<std::size_t>(column)],
              column_variable_[static_cast<std::size_t>(first_column_)]);
    position_[static_cast<std::size_t>(column_variable_[static_cast<std::size_t>(column)])] = -1 - column;
  }
  ++first_column_;
  return true;
}

// No pivot is left in the block of the free rows: a pair k enters by two pivots, (free row, z_k) and (w_k,
// free unknown), after which z_k is basic in place of w_k.
bool Tableau::exchange_with_pair() {
  const Index column = first_column_;
  const double size = T_.topLeftCorner(size_, size_).rightCols(size_ - first_column_).cwiseAbs().maxCoeff();
  double best = 1e-8 * size;
  Index row = none, pair = none;
  for (Index r = 0; r < free_; ++r) {
    if (row_variable_[static_cast<std::size_t>(r)] < size_) continue;
    for (Index k = free_; k < size_; ++k) {
      const bool exchanged = row_variable_[static_cast<std::size_t>(k)] < size_;
      if (exchanged || width_[k] < infinity) continue;
      const double pivot = std::min(std::abs(T_(r, k)), std::abs(T_(k, column)));
      if (!(pivot > best)) continue;
      best = pivot;
      row = r;
      pair = k;
    }
  }
  if (pair == none) return false;
  for (Index r = 0; r < free_; ++r) {
    if (row_variable_[static_cast<std::size_t>(r)] >= size_) T_(r, column) = 0.0;
  }
  exchange(0, first_column_, row, pair);
  exchange(0, first_column_, pair, column);
  // Pairs keep their rows and columns: z_k comes from the free row, w_k from the free unknown's column.
  T_.row(row).swap(T_.row(pair));
  T_.col(pair) = T_.col(column);
  std::swap(row_variable_[static_cast<std::size_t>(row)], row_variable_[static_cast<std::size_t>(pair)]);
  std::swap(column_variable_[static_cast<std::size_t>(column)],
            column_variable_[static_cast<std::size_t>(pair)]);
  for (const Index r : {row, pair})
    position_[static_cast<std::size_t>(row_variable_[static_cast<std::size_t>(r)])] = r;
  for (const Index c : {column, pair})
    position_[static_cast<std::size_t>(column_variable_[static_cast<std::size_t>(c)])] = -1 - c;
  ++first_column_;
  return true;
}

// Free rows that are true of every x.
bool Tableau::rows_left_are_empty() const {
  const double size = T_.middleCols(free_, size_ + 1 - free_).topRows(size_).cwiseAbs().maxCoeff();
  for (Index r = 0; r < free_; ++r) {
    if (row_variable_[static_cast<std::size_t>(r)] < size_) continue;
    const double largest = T_.row(r).segment(free_, size_ + 1 - free_).cwiseAbs().maxCoeff();
    if (largest > empty_tolerance * size) return false;
  }
  return true;
}

// Moves the z of all rows with a negative constant into the basis, but for those with two bounds; false where
// there are none, or their block is singular.
bool Tableau::enter_negative_rows() {
  entering_.clear();
  for (Index k = free_; k < size_; ++k) {
    if (T_(k, constants()) < 0.0 && width_[k] == infinity) entering_.push_back(k);
  }
  open_rows_ = entering_;
  for (const Index s : entering_) {
    const auto column = T_.col(s);
    double largest = tableau_pivot_tolerance * column.segment(free_, size_ - free_).cwiseAbs().maxCoeff();
    auto pivot_row = open_rows_.end();
    for (auto r = open_rows_.begin(); r != open_rows_.end(); ++r) {
      if (!(std::abs(column[*r]) > largest)) continue;
      largest = std::abs(column[*r]);
      pivot_row = r;
    }
    if (pivot_row == open_rows_.end()) return false;
    exchange(free_, free_, *pivot_row, s);
    open_rows_.erase(pivot_row);
  }
  return !entering_.empty();
}

// Brings the artificial variable z_0 into the basis with ones as the covering vector; false where the basis
// is feasible already.
bool Tableau::start() {
  const auto constant = T_.col(constants());
  const Index pairs = size_ - free_;
  if (pairs == 0) return false;
  const double* c = constant.data();
  Index row = none;
  double most_negative = -0.0;
  for (Index i = free_; i < size_; ++i) {
    // The last of equal rows is the lexicographic minimum of (q_i, e_i).
    if (c[i] < 0.0 && c[i] <= most_negative) {
      most_negative = c[i];
      row = i;
    }
  }
  if (row == none) return false;
  T_.col(artificial_column()).segment(free_, pairs).setOnes();
  start_rows_ = row_variable_;
  ties_.reserve(static_cast<std::size_t>(size_) + 1);
  driving_ = complement(row_variable_[static_cast<std::size_t>(row)]);
  exchange(free_, free_, row, artificial_column());
  return true;
}

// The ratio test: the row whose variable is the first to meet a bound as the driving variable grows; none
// where that is the driving variable's other bound, or nothing at all.
Index Tableau::choose_row(Index s) {
  const Index pairs = size_ - free_;
  const auto column = T_.col(s).segment(free_, pairs);
  const auto constant = T_.col(constants()).segment(free_, pairs);
  const double smallest_pivot = tableau_pivot_tolerance * column.cwiseAbs().maxCoeff();
  const double size = constant.cwiseAbs().maxCoeff();
  ratio_.resize(pairs);
  for (Index i = 0; i < pairs; ++i) {
    const double ratio = std::max(constant[i], 0.0) / -column[i];
    ratio_[i] = column[i] < -smallest_pivot ? ratio : infinity;
  }
  for (Index i = 0; two_sided_ && i < pairs; ++i) {
    const Index label = row_variable_[static_cast<std::size_t>(free_ + i)];
    if (column[i] > smallest_pivot && has_two_bounds(label))
      ratio_[i] = std::max(width_[label] - constant[i], 0.0) / column[i];
  }
  const double own = has_two_bounds(driving_) ? width_[driving_] : infinity;
  const double step = std::min(own, ratio_.minCoeff());
  if (!(step < infinity)) return none;

  ties_.clear();
  for (Index i = 0; i < pairs; ++i) {
    if (!((ratio_[i] - step) * std::abs(column[i]) <= tableau_tie_tolerance * size)) continue;
    // z_0 among the ties: a solution.
    if (row_variable_[static_cast<std::size_t>(free_ + i)] == artificial()) return free_ + i;
    ties_.push_back(free_ + i);
  }
  if (own <= step) ties_.push_back(none);
  if (ties_.size() > 1) break_ties(s);
  return ties_.empty() ? none : ties_.front();  // empty where a constant has overflowed
}

// Leaves in ties_ the row that comes first when the constants are perturbed by (e, e^2, e^3, ...) in the
// basis of the start: that of each of its variables enters a row with minus the variable's own column where
// it is nonbasic now, and one where it is basic there; reflected ones with the other sign. The driving
// variable's own bound is not perturbed.
void Tableau::break_ties(Index s) {
  for (Index k = free_; k < size_ && ties_.size() > 1; ++k) {
    const Index label = start_rows_[static_cast<std::size_t>(k)];
    const double sign = reflected_[static_cast<std::size_t>(pair_of(label))] ? -1.0 : 1.0;
    const Index place = position_[static_cast<std::size_t>(label)];
    const auto ratio = [&](Index i) {
      if (i == none) return 0.0;
      const double perturbation = place >= 0 ? (place == i ? 1.0 : 0.0) : -T_(i, -1 - place);
      return sign * perturbation / -T_(i, s);
    };
    double least = infinity, size = 0.0;
    for (const Index i : ties_) {
      least = std::min(least, ratio(i));
      size = std::max(size, std::abs(ratio(i)));
    }
    std::erase_if(ties_, [&](Index i) { return ratio(i) > least + 1e-12 * size; });
  }
}

// A basic z with two bounds, measured from the other one.
void Tableau::reflect_row(Index r) {
  const Index label = row_variable_[static_cast<std::size_t>(r)];
  for (Index j = free_; j < size_ + 2; ++j) T_(r, j) = -T_(r, j);
  T_(r, constants()) += width_[label];
  negate_column(-1 - position_[static_cast<std::size_t>(complement(label))]);
  reflected_[static_cast<std::size_t>(label)] ^= 1;
}

// The same for a nonbasic z, whose w is nonbasic too.
void Tableau::reflect_column(Index s) {
  const Index label = column_variable_[static_cast<std::size_t>(s)];
  T_.col(constants()).segment(free_, size_ - free_) +=
      width_[label] * T_.col(s).segment(free_, size_ - free_);
  negate_column(s);
  negate_column(-1 - position_[static_cast<std::size_t>(complement(label))]);
  reflected_[static_cast<std::size_t>(label)] ^= 1;
}

void Tableau::negate_column(Index s) {
  T_.col(s).segment(free_, size_ - free_) = -T_.col(s).segment(free_, size_ - free_);
}

// Exchanges the basic variable of row r and the nonbasic one of column s, for the rows and columns from the
// given ones on.
void Tableau::exchange(Index first_row, Index first_column, Index r, Index s) {
  const Index rows = tableau_packs(size_ - first_row);
  const Index stride = T_.rows();
  double* const top = T_.data() + first_row;
  const Index pivot_row = r - first_row;
  double* const entering = top + s * stride;
  double* const kept = pivot_column_.data();
  const double inverse = 1.0 / entering[pivot_row];
  for (Index i = 0; i < rows; i += pack) TableauPack::Map(kept + i) = TableauPack::Map(entering + i);
  kept[pivot_row] = 0.0;
  for (Index j = first_column; j < size_ + 2; ++j) {
    double* const column = top + j * stride;
    const double factor = -inverse * column[pivot_row];
    if (factor == 0.0 || j == s) continue;
    for (Index i = 0; i < rows; i += pack)
      TableauPack::Map(column + i) += factor * TableauPack::Map(kept + i);
    column[pivot_row] = factor;
  }
  for (Index i = 0; i < rows; i += pack)
    TableauPack::Map(entering + i) = inverse * TableauPack::Map(kept + i);
  entering[pivot_row] = inverse;
  swap_labels(r, s);
}

void Tableau::swap_labels(Index r, Index s) {
  Index& basic = row_variable_[static_cast<std::size_t>(r)];
  Index& nonbasic = column_variable_[static_cast<std::size_t>(s)];
  std::swap(basic, nonbasic);
  position_[static_cast<std::size_t>(basic)] = r;
  position_[static_cast<std::size_t>(nonbasic)] = -1 - s;
}

bool Tableau::has_two_bounds(Index label) const {
  return label < size_ && width_[label] < infinity;
}

// Of a variable as it was before reflections.
double Tableau::value(Index label) const {
  const Index place = position_[static_cast<std::size_t>(label)];
  const double current = place >= 0 ? T_(place, constants()) : 0.0;
  if (label == artificial() || !reflected_[static_cast<std::size_t>(pair_of(label))]) return current;
  return label < size_ ? width_[label] - current : -current;
}

// x and the places of the basis, projected on K.
void Tableau::recover(const ProductSet& K, Vector& x) {
  x = origin_;
  places_.assign(static_cast<std::size_t>(x.size()), Place::at_lower);
  for (Index k = free_; k < size_; ++k) {
    const auto i = static_cast<std::size_t>(rows_[static_cast<std::size_t>(k)]);
    const bool basic = position_[static_cast<std::size_t>(k)] >= 0;
    const bool upper = (sign_[k] < 0.0) != (reflected_[static_cast<std::size_t>(k)] != 0);
    x[static_cast<Index>(i)] += sign_[k] * value(k);
    places_[i] = basic ? Place::between : upper ? Place::at_upper : Place::at_lower;
  }
  // The rows of free unknowns stand as they were at the start.
  for (Index r = 0; r < free_; ++r) {
    const Index unknown = row_variable_[static_cast<std::size_t>(r)];
    if (unknown >= size_) continue;
    double sum = T_(r, constants());
    for (Index j = free_; j < size_; ++j) {
      if (T_(r, j) != 0.0) sum += T_(r, j) * value(start_columns_[static_cast<std::size_t>(j)]);
    }
    x[rows_[static_cast<std::size_t>(unknown)]] = sum;
  }
  for (Index k = 0; k < free_; ++k)
    places_[static_cast<std::size_t>(rows_[static_cast<std::size_t>(k)])] = Place::between;
  K.project(x);
}

double Tableau::judge(const Run& run) {
  w_.resize(run.result.x.size());
  run.gradient(run.result.x, w_);
  return run.ruler(run.result.x, w_);
}

}  // namespace slipstick
