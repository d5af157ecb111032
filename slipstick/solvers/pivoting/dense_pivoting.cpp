// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/dense_pivoting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipstick/linalg/vector.hpp"

namespace slipstick {
namespace {

// Of ||b||: what is wrong by less than this is rounding.
constexpr double rounding = 1e-13;
// Of the tolerance.
constexpr double loose = 1e-2;
// Of the diagonal entry: smaller pivots are rounding.
constexpr double smallest_pivot = 1e-13;

}  // namespace

std::string DensePivoting::explain_unsupported(const Problem& problem) const {
  constexpr std::string_view name = "dense-bpp";
  if (!problem.K.is_box()) return needs_box(problem, name);
  if (problem.rows) return needs_no_linear_rows(problem, name);
  const Index rows = problem.b.size();
  if (rows > settings_.max_rows)
    return fmt::format("{} is for dense problems, and {} rows are more than max_rows = {}", name, rows,
                       settings_.max_rows);
  return rows <= SweepPivoting::most_rows ? std::string() : needs_symmetry(problem, name);
}

void DensePivoting::run(const Run& run) {
  const Index rows = run.problem.b.size();
  const auto size = static_cast<double>(rows);
  PivotLimits limits(run.settings, static_cast<int>(100 + 2 * rows), 1e-7 + 1e-9 * size * size * size,
                     run.observer);
  run.start();
  if (run.warm_start != nullptr) {
    if (const double error = judge(run); error <= run.settings.tolerance) {
      run.result.status = limits.finish(error, run.result.x);
      return;
    }
  }
  const Index packed = run.problem.symmetric ? TinyPivoting::most_rows : SweepPivoting::most_rows;
  if (rows > 0 && rows <= packed) return run_packed(run, limits);
  prepare(run);
  End end = End::nowhere;
  for (;;) {
    end = pivot(run, limits);
    recover(run.problem.K, run.result.x);
    if (end != End::found || slack_ <= rounding * run.ruler.norm()) break;
    if (judge(run) <= run.settings.tolerance) break;
    slack_ = rounding * run.ruler.norm();
  }
  run.result.counts.factorizations = limits.iterations();
  finish(run, end, limits);
}

// Shows x to the limits before every set.
template <class Pivoting>
class DensePivoting::Watch final : public PivotWatch {
 public:
  Watch(const Pivoting& pivoting, Vector& x, PivotLimits& limits)
      : pivoting_(pivoting), x_(x), limits_(limits) {}
  bool interrupts() override {
    if (limits_.watched()) show();
    return limits_.interrupted(0.0, x_);
  }
  void show() const { std::copy_n(pivoting_.x().data(), x_.size(), x_.data()); }

 private:
  const Pivoting& pivoting_;
  Vector& x_;
  PivotLimits& limits_;
};

void DensePivoting::run_packed(const Run& run, PivotLimits& limits) {
  const Problem& problem = run.problem;
  const double *lower = problem.K.lower().data(), *upper = problem.K.upper().data();
  const bool tiny = problem.b.size() <= TinyPivoting::most_rows;
  if (!packed_.holds(problem.A, lower, upper)) {
    const bool other_matrix = !packed_.matrix().holds(problem.A);
    packed_.load(problem.A, lower, upper);
    if (tiny) {
      tiny_.load(packed_, run.ruler.scale().data(), other_matrix);
    } else {
      sweeps_.load(packed_, run.ruler.scale().data());
    }
  }
  PackedArray<SweepPivoting::most_rows> b = {};
  std::copy_n(problem.b.data(), problem.b.size(), b.data());
  const auto start = [&](auto& pivoting) {
    if (run.warm_start != nullptr && run.ruler.norm() > 0.0) {
      pivoting.start_at(packed_, run.warm_start->x);
    } else {
      pivoting.start();
    }
  };
  End end = End::nowhere;
  if (tiny) {
    start(tiny_);
    Watch watch(tiny_, run.result.x, limits);
    end = tiny_.solve(packed_, b.data(), run.ruler.norm(), settings_.patience, &watch);
    watch.show();
  } else {
    start(sweeps_);
    Watch watch(sweeps_, run.result.x, limits);
    end = sweeps_.solve(packed_, b.data(), rounding * run.ruler.norm(), settings_.patience, &watch);
    watch.show();
  }
  finish(run, end, limits);
}

// What it believes; the judge may find it solved.
void DensePivoting::finish(const Run& run, End end, PivotLimits& limits) {
  run.result.counts.iterations = limits.iterations();
  if (end == End::interrupted) {
    run.result.status = limits.status();
  } else if (limits.watched()) {
    run.result.status = limits.finish(judge(run), run.result.x);
  } else {
    run.result.status = Status::stalled;
  }
}

// Judice and Pires 1994.
DensePivoting::End DensePivoting::pivot(const Run& run, PivotLimits& limits) {
  std::size_t least = wrong_.max_size();
  int patience = settings_.patience;
  for (;;) {
    if (limits.watched()) recover(run.problem.K, run.result.x);
    if (limits.interrupted(static_cast<double>(wrong_.size()), run.result.x)) return End::interrupted;
    if (!solve_set()) return End::nowhere;
    find_wrong_rows();
    if (wrong_.empty()) return End::found;
    if (wrong_.size() < least) {
      least = wrong_.size();
      patience = settings_.patience;
    } else if (--patience < 0) {
      wrong_.erase(wrong_.begin() + 1, wrong_.end());
    }
    for (const int row : wrong_) move(row);
  }
}

void DensePivoting::prepare(const Run& run) {
  const Problem& problem = run.problem;
  if (!matrix_.holds(problem.A) || !has_same_bounds(problem.K)) load(problem, run.ruler);
  const Index n = problem.b.size();
  if (has_origin_) {
    for (Index i = 0; i < n; ++i) q_[i] = problem.b[i] + base_[i];
  } else {
    for (Index i = 0; i < n; ++i) q_[i] = problem.b[i];
  }
  slack_ = std::max(rounding, loose * run.settings.tolerance) * run.ruler.norm();

  const WarmStart* warm = run.ruler.norm() > 0.0 ? run.warm_start : nullptr;
  for (const int i : movable_rows_) {
    Place place = lower_[i] > -infinity ? Place::at_lower : Place::at_upper;
    if (warm != nullptr && warm->x[i] > lower_[i])
      place = warm->x[i] < upper_[i] ? Place::between : Place::at_upper;
    put(i, place);
  }
}

bool DensePivoting::has_same_bounds(const ProductSet& K) const {
  if (lower_.size() != K.rows()) return false;
  const double* const lower = K.lower().data();
  const double* const upper = K.upper().data();
  bool same = true;
  for (Index i = 0; i < lower_.size(); ++i) same = same && lower_[i] == lower[i] && upper_[i] == upper[i];
  return same;
}

void DensePivoting::load(const Problem& problem, const Ruler& ruler) {
  const Index n = problem.b.size();
  if (!matrix_.holds(problem.A)) matrix_.load(problem.A);
  lower_ = problem.K.lower();
  upper_ = problem.K.upper();
  for (Vector* vector : {&origin_, &base_, &low_, &high_, &grace_, &q_, &y_, &shifted_, &z_})
    vector->setZero(matrix_.stride());
  inverse_scale_ = ruler.scale().cwiseInverse();
  places_.assign(static_cast<std::size_t>(n), Place::at_lower);
  movable_rows_.clear();
  // Rows that cannot move are never wrong.
  low_.setConstant(-infinity);
  high_.setConstant(infinity);
  for (Index i = 0; i < n; ++i) {
    const bool is_free = lower_[i] == -infinity && upper_[i] == infinity;
    origin_[i] = lower_[i] > -infinity ? lower_[i] : upper_[i] < infinity ? upper_[i] : 0.0;
    if (is_free) put(i, Place::between);
    if (is_free || lower_[i] == upper_[i]) continue;
    movable_rows_.push_back(static_cast<int>(i));
  }
  wrong_.reserve(static_cast<std::size_t>(n));
  free_rows_.reserve(static_cast<std::size_t>(n));
  has_origin_ = (origin_.array() != 0.0).any();
  if (has_origin_) matrix_.multiply_add(origin_.data(), z_.data(), base_.data());
}

// y of the set; false where it is singular.
bool DensePivoting::solve_set() {
  const Index n = matrix_.rows();
  z_.setZero();
  free_rows_.clear();
  wrong_.clear();
  for (Index i = 0; i < n; ++i) {
    const Place place = places_[static_cast<std::size_t>(i)];
    if (place == Place::between) free_rows_.push_back(static_cast<int>(i));
    if (place != Place::at_upper || upper_[i] == origin_[i]) continue;
    z_[i] = upper_[i] - origin_[i];
    wrong_.push_back(static_cast<int>(i));
  }
  y_ = q_;
  add_columns(wrong_.data(), static_cast<Index>(wrong_.size()), y_.data());
  const auto count = static_cast<Index>(free_rows_.size());
  factor_.resize(count);
  for (Index j = 0; j < count; ++j) {
    const double* const from = matrix_.column(free_rows_[static_cast<std::size_t>(j)]);
    double* const to = factor_.column(j);
    for (Index i = j; i < count; ++i) to[i] = from[free_rows_[static_cast<std::size_t>(i)]];
    to[count] = -y_[free_rows_[static_cast<std::size_t>(j)]];
  }
  // Only numbers of the free rows are wanted of shifted_.
  if (!factor_.solve(smallest_pivot, shifted_.data())) return false;
  for (Index j = 0; j < count; ++j) z_[free_rows_[static_cast<std::size_t>(j)]] = shifted_[j];
  add_columns(free_rows_.data(), count, y_.data());
  for (Index j = 0; j < count; ++j) y_[free_rows_[static_cast<std::size_t>(j)]] = shifted_[j];
  return true;
}

// y += A z for the given columns, four at a time.
void DensePivoting::add_columns(const int* columns, Index count, double* y) const {
  const Index stride = matrix_.stride();
  Index k = 0;
  for (; k + 4 <= count; k += 4) {
    const double* const a[] = {matrix_.column(columns[k]), matrix_.column(columns[k + 1]),
                               matrix_.column(columns[k + 2]), matrix_.column(columns[k + 3])};
    const double z[] = {z_[columns[k]], z_[columns[k + 1]], z_[columns[k + 2]], z_[columns[k + 3]]};
    for (Index i = 0; i < stride; i += pack_size) {
      const Pack left = z[0] * load_pack(a[0] + i) + z[1] * load_pack(a[1] + i);
      const Pack right = z[2] * load_pack(a[2] + i) + z[3] * load_pack(a[3] + i);
      store_pack(y + i, load_pack(y + i) + (left + right));
    }
  }
  for (; k < count; ++k) {
    for (Index i = 0; i < stride; i += pack_size)
      store_pack(y + i, load_pack(y + i) + z_[columns[k]] * load_pack(matrix_.column(columns[k]) + i));
  }
}

void DensePivoting::find_wrong_rows() {
  wrong_.clear();
  const double *y = y_.data(), *low = low_.data(), *high = high_.data(), *grace = grace_.data();
  for (Index i = 0; i < matrix_.rows(); ++i) {
    const double allowed = slack_ * grace[i];
    if (!(y[i] >= low[i] - allowed && y[i] <= high[i] + allowed)) wrong_.push_back(static_cast<int>(i));
  }
}

// A wrong row to where it should be.
void DensePivoting::move(int row) {
  if (places_[static_cast<std::size_t>(row)] != Place::between) {
    put(row, Place::between);
  } else {
    put(row, y_[row] > high_[row] ? Place::at_upper : Place::at_lower);
  }
}

void DensePivoting::put(Index row, Place place) {
  places_[static_cast<std::size_t>(row)] = place;
  if (place == Place::between) {
    low_[row] = lower_[row] - origin_[row];
    high_[row] = upper_[row] - origin_[row];
    grace_[row] = inverse_scale_[row];
  } else {
    low_[row] = place == Place::at_lower ? 0.0 : -infinity;
    high_[row] = place == Place::at_lower ? infinity : 0.0;
    grace_[row] = 1.0;
  }
}

void DensePivoting::recover(const ProductSet& K, Vector& x) const {
  for (Index i = 0; i < matrix_.rows(); ++i) {
    const Place place = places_[static_cast<std::size_t>(i)];
    x[i] = place == Place::at_upper ? upper_[i] : place == Place::at_lower ? origin_[i] : origin_[i] + y_[i];
  }
  K.project(x);
}

double DensePivoting::judge(const Run& run) {
  w_.resize(run.result.x.size());
  run.gradient(run.result.x, w_);
  return run.ruler(run.result.x, w_);
}

}  // namespace slipstick
