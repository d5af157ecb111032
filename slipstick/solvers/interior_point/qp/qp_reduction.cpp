// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/qp/qp_reduction.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "slipstick/base/interruption.hpp"
#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick::internal {
namespace {

constexpr double no_bound = 1e20;
constexpr int most_passes = 20;
// Bounds that cross by less than this share of their size are equal.
constexpr double crossing = 1e-9;
constexpr double narrow = 1e-13;      // bounds that differ by less than this share are equal
constexpr double same_ratio = 1e-14;  // relative difference of entries of multiples

double size_of(double a, double b) {
  return std::max({1.0, std::abs(a), std::abs(b)});
}

// Bounds that cross or differ by rounding meet. Returns false if they contradict each other.
bool meet(double& lower, double& upper) {
  if (lower <= upper && !(upper - lower <= narrow * std::max(std::abs(lower), std::abs(upper)))) return true;
  if (std::isinf(lower) || std::isinf(upper)) return true;
  if (lower - upper > crossing * size_of(lower, upper)) return false;
  lower = upper = 0.5 * (lower + upper);
  return true;
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15U + (hash << 6) + (hash >> 2);
  return hash * 0xff51afd7ed558ccdU;
}

}  // namespace

bool QpReduction::reduce(const Problem& problem, const CsrMatrix& a, bool all, StandardQp& qp) {
  const Index n = problem.b.size();
  g_ = problem.rows ? problem.rows->G.get() : nullptr;
  const Index m = g_ != nullptr ? g_->rows() : 0;
  lower_ = problem.K.lower();
  upper_ = problem.K.upper();
  row_lower_.resize(m);
  row_upper_.resize(m);
  if (m > 0) {
    row_lower_ = problem.rows->lower;
    row_upper_ = problem.rows->upper;
  }
  for (Vector* bounds : {&lower_, &row_lower_})
    for (double& bound : *bounds) bound = bound <= -no_bound ? -infinity : bound;
  for (Vector* bounds : {&upper_, &row_upper_})
    for (double& bound : *bounds) bound = bound >= no_bound ? infinity : bound;
  const auto columns = static_cast<std::size_t>(n), rows = static_cast<std::size_t>(m);
  value_.setZero(n);
  fixed_.assign(columns, 0);
  lower_source_.assign(columns, -1);
  upper_source_.assign(columns, -1);
  state_.assign(rows, RowState::kept);
  singletons_.clear();
  singletons_.reserve(rows);
  low_source_.resize(rows);
  high_source_.resize(rows);
  for (int i = 0; i < static_cast<int>(m); ++i) {
    low_source_[static_cast<std::size_t>(i)] = high_source_[static_cast<std::size_t>(i)] = {i, 1.0};
    meet(row_lower_[i], row_upper_[i]);
    if (row_lower_[i] == -infinity && row_upper_[i] == infinity)
      state_[static_cast<std::size_t>(i)] = RowState::removed;
  }
  for (Index j = 0; j < n; ++j) {
    meet(lower_[j], upper_[j]);
    if (lower_[j] != upper_[j]) continue;
    fixed_[static_cast<std::size_t>(j)] = 1;
    value_[j] = lower_[j];
  }
  if (all && m > 0 && (!remove_rows() || !merge_duplicates())) return false;
  if (all) settle_free_columns(problem, a);
  gather(problem, a, qp);
  return true;
}

bool QpReduction::remove_rows() {
  bool changed = true;
  for (int pass = 0; changed && pass < most_passes; ++pass) {
    changed = false;
    for (int row = 0; row < static_cast<int>(state_.size()); ++row) {
      if (state_[static_cast<std::size_t>(row)] == RowState::kept && !look_at_row(row, changed)) return false;
    }
    count_work(10.0 * static_cast<double>(g_->nonZeros()));
  }
  return true;
}

// Returns false if no x within the bounds meets the row.
bool QpReduction::look_at_row(int row, bool& changed) {
  double least = 0.0, most = 0.0, constant = 0.0, size = 0.0, entry = 0.0;
  int count = 0, column = -1;
  for (CsrMatrix::InnerIterator it(*g_, row); it; ++it) {
    if (it.value() == 0.0) continue;
    const auto j = static_cast<int>(it.col());
    if (is_fixed(j)) {
      constant += it.value() * value_[j];
      size += std::abs(it.value() * value_[j]);
      continue;
    }
    ++count;
    column = j;
    entry = it.value();
    const double at_lower = it.value() * lower_[j], at_upper = it.value() * upper_[j];
    least += std::min(at_lower, at_upper);
    most += std::max(at_lower, at_upper);
    for (const double bound : {at_lower, at_upper})
      if (std::isfinite(bound)) size += std::abs(bound);
  }
  const double rounding = 1e-14 * size;
  const double lower = row_lower_[row] - constant, upper = row_upper_[row] - constant;
  const auto at = static_cast<std::size_t>(row);
  if (count <= 1) {
    state_[at] = RowState::removed;
    changed = true;
    if (count == 1) return tighten(row, column, entry, lower, upper, changed);
    const double slack = crossing * (size + size_of(0.0, std::isfinite(lower) ? lower : upper));
    return lower <= slack && upper >= -slack;
  }
  if (least - rounding > upper + crossing * size_of(upper, size) ||
      most + rounding < lower - crossing * size_of(lower, size))
    return false;
  const bool low = least - rounding >= lower, high = most + rounding <= upper;
  if (low && row_lower_[row] != -infinity) {
    row_lower_[row] = -infinity;
    changed = true;
  }
  if (high && row_upper_[row] != infinity) {
    row_upper_[row] = infinity;
    changed = true;
  }
  if (row_lower_[row] == -infinity && row_upper_[row] == infinity) state_[at] = RowState::removed;
  return true;
}

// lower <= entry x_column <= upper becomes a bound of the unknown.
bool QpReduction::tighten(int row, int column, double entry, double lower, double upper, bool& changed) {
  lower /= entry;
  upper /= entry;
  if (entry < 0.0) std::swap(lower, upper);
  const auto at = static_cast<std::size_t>(column);
  if (lower > lower_[column]) {
    lower_[column] = lower;
    lower_source_[at] = row;
  }
  if (upper < upper_[column]) {
    upper_[column] = upper;
    upper_source_[at] = row;
  }
  singletons_.push_back({row, column, entry});
  if (!meet(lower_[column], upper_[column])) return false;
  if (lower_[column] == upper_[column]) {
    fixed_[at] = 1;
    value_[column] = lower_[column];
    changed = true;
  }
  return true;
}

// Sorts the rows by a hash of their pattern and ratios, and merges neighbours that are multiples.
bool QpReduction::merge_duplicates() {
  key_.assign(state_.size(), 0);
  order_.clear();
  order_.reserve(state_.size());
  const auto first_entry = [&](int row) {
    for (CsrMatrix::InnerIterator it(*g_, row); it; ++it) {
      if (it.value() != 0.0 && !is_fixed(static_cast<int>(it.col()))) return it.value();
    }
    return 1.0;
  };
  for (int row = 0; row < static_cast<int>(state_.size()); ++row) {
    if (state_[static_cast<std::size_t>(row)] != RowState::kept) continue;
    const double first = first_entry(row);
    std::uint64_t hash = 0;
    for (CsrMatrix::InnerIterator it(*g_, row); it; ++it) {
      if (it.value() == 0.0 || is_fixed(static_cast<int>(it.col()))) continue;
      const auto ratio = static_cast<float>(it.value() / first);  // equal in spite of rounding, nearly always
      std::uint32_t bits = 0;
      std::memcpy(&bits, &ratio, sizeof bits);
      hash = mix(mix(hash, static_cast<std::uint64_t>(it.col())), bits);
    }
    key_[static_cast<std::size_t>(row)] = hash;
    count_work(10.0 * (g_->outerIndexPtr()[row + 1] - g_->outerIndexPtr()[row]));
    order_.push_back(row);
  }
  std::sort(order_.begin(), order_.end(), [&](int a, int b) {
    const auto at_a = key_[static_cast<std::size_t>(a)], at_b = key_[static_cast<std::size_t>(b)];
    return at_a != at_b ? at_a < at_b : a < b;
  });
  const auto is_multiple = [&](int row, int of, double factor) {
    CsrMatrix::InnerIterator it(*g_, row), other(*g_, of);
    const auto skip = [&](CsrMatrix::InnerIterator& at) {
      while (at && (at.value() == 0.0 || is_fixed(static_cast<int>(at.col())))) ++at;
    };
    for (skip(it), skip(other); it && other; ++it, ++other, skip(it), skip(other)) {
      if (it.col() != other.col()) return false;
      if (std::abs(it.value() - factor * other.value()) > same_ratio * std::abs(it.value())) return false;
    }
    return !it && !other;
  };
  const auto constant_of = [&](int row) {
    double sum = 0.0;
    for (CsrMatrix::InnerIterator it(*g_, row); it; ++it)
      if (is_fixed(static_cast<int>(it.col()))) sum += it.value() * value_[it.col()];
    return sum;
  };
  for (std::size_t k = 0, kept = 0; k < order_.size(); ++k) {
    const int row = order_[k], into = order_[kept];
    if (k == kept) continue;
    const double factor = first_entry(row) / first_entry(into);
    if (key_[static_cast<std::size_t>(row)] != key_[static_cast<std::size_t>(into)] ||
        !is_multiple(row, into, factor)) {
      kept = k;
      continue;
    }
    const double shift = constant_of(row), into_shift = constant_of(into);
    double lower = (row_lower_[row] - shift) / factor + into_shift;
    double upper = (row_upper_[row] - shift) / factor + into_shift;
    if (factor < 0.0) std::swap(lower, upper);
    if (lower > row_lower_[into]) {
      row_lower_[into] = lower;
      low_source_[static_cast<std::size_t>(into)] = {row, factor};
    }
    if (upper < row_upper_[into]) {
      row_upper_[into] = upper;
      high_source_[static_cast<std::size_t>(into)] = {row, factor};
    }
    state_[static_cast<std::size_t>(row)] = RowState::removed;
    if (!meet(row_lower_[into], row_upper_[into])) return false;
  }
  return true;
}

// Unknowns that no row and no product sees.
void QpReduction::settle_free_columns(const Problem& problem, const CsrMatrix& a) {
  used_.assign(fixed_.size(), 0);
  for (Index i = 0; i < a.rows(); ++i) {
    const double* begin = a.valuePtr() + a.outerIndexPtr()[i];
    const double* end = a.valuePtr() + a.outerIndexPtr()[i + 1];
    used_[static_cast<std::size_t>(i)] = std::any_of(begin, end, [](double entry) { return entry != 0.0; });
  }
  for (int row = 0; row < static_cast<int>(state_.size()); ++row) {
    if (state_[static_cast<std::size_t>(row)] != RowState::kept) continue;
    for (CsrMatrix::InnerIterator it(*g_, row); it; ++it)
      if (it.value() != 0.0) used_[static_cast<std::size_t>(it.col())] = 1;
  }
  for (Index j = 0; j < lower_.size(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    if (used_[at] != 0 || fixed_[at] != 0) continue;
    const double b = problem.b[j];
    const double value = b > 0.0 ? lower_[j] : b < 0.0 ? upper_[j] : std::clamp(0.0, lower_[j], upper_[j]);
    if (!std::isfinite(value)) continue;  // the path finds that there is no solution
    fixed_[at] = 1;
    value_[j] = value;
  }
}

void QpReduction::gather(const Problem& problem, const CsrMatrix& a, StandardQp& qp) {
  columns_.clear();
  rows_.clear();
  for (int j = 0; j < static_cast<int>(fixed_.size()); ++j)
    if (!is_fixed(j)) columns_.push_back(j);
  for (int i = 0; i < static_cast<int>(state_.size()); ++i)
    if (state_[static_cast<std::size_t>(i)] == RowState::kept) rows_.push_back(i);
  const auto n = static_cast<Index>(columns_.size()), m = static_cast<Index>(rows_.size());
  submatrix(a, columns_, columns_, qp.H, new_column_);
  if (g_ != nullptr) {
    submatrix(*g_, rows_, columns_, qp.G, new_column_);
  } else if (qp.G.rows() != 0 || qp.G.cols() != n) {
    qp.G.resize(0, n);
  }
  for (Vector* vector : {&qp.c, &qp.lower, &qp.upper}) vector->resize(n);
  for (Vector* vector : {&qp.row_lower, &qp.row_upper}) vector->resize(m);
  qp.compliance = 0.0;
  for (Index k = 0; k < n; ++k) {
    const int j = columns_[static_cast<std::size_t>(k)];
    double slope = problem.b[j];
    for (CsrMatrix::InnerIterator it(a, j); it; ++it)
      if (is_fixed(static_cast<int>(it.col()))) slope += it.value() * value_[it.col()];
    count_work(a.outerIndexPtr()[j + 1] - a.outerIndexPtr()[j]);
    qp.c[k] = slope;
    qp.lower[k] = lower_[j];
    qp.upper[k] = upper_[j];
  }
  for (Index k = 0; k < m; ++k) {
    const int i = rows_[static_cast<std::size_t>(k)];
    double constant = 0.0;
    for (CsrMatrix::InnerIterator it(*g_, i); it; ++it)
      if (is_fixed(static_cast<int>(it.col()))) constant += it.value() * value_[it.col()];
    qp.row_lower[k] = row_lower_[i] - constant;
    qp.row_upper[k] = row_upper_[i] - constant;
  }
}

void QpReduction::restore(ConstVectorView reduced, Vector& x) const {
  x = value_;
  for (std::size_t k = 0; k < columns_.size(); ++k) x[columns_[k]] = reduced[static_cast<Index>(k)];
}

void QpReduction::restore_multipliers(ConstVectorView reduced, const Vector& x, Vector& w, Vector& y) const {
  const auto take = [&](int row, double force) {
    y[row] = force;
    for (CsrMatrix::InnerIterator it(*g_, row); it; ++it) w[it.col()] -= it.value() * force;
  };
  y.setZero(given_rows());
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const double force = reduced[static_cast<Index>(k)];
    const auto row = static_cast<std::size_t>(rows_[k]);
    const Source& source = force >= 0.0 ? low_source_[row] : high_source_[row];
    take(source.row, force / source.factor);
  }
  // A row that became a bound takes the force of the bound, if no other bound of the unknown does. Later
  // rows have more unknowns that earlier ones have fixed.
  for (auto singleton = singletons_.rbegin(); singleton != singletons_.rend(); ++singleton) {
    const auto [row, j, entry] = *singleton;
    const auto at = static_cast<std::size_t>(j);
    const bool low = w[j] > 0.0 && lower_source_[at] == row && x[j] - lower_[j] <= upper_[j] - x[j];
    const bool high = w[j] < 0.0 && upper_source_[at] == row && upper_[j] - x[j] <= x[j] - lower_[j];
    if (low || high) take(row, w[j] / entry);
  }
}

}  // namespace slipstick::internal
