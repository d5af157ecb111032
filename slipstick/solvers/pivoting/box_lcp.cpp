// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/box_lcp.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/matrix.hpp"

namespace slipstick::internal {
namespace {

// Smaller pivots of the scaled matrix count as rounding.
constexpr double zero_pivot = 1e-11;
// A pivot of this size is taken at once. If there is none, the largest one is taken.
constexpr double good_pivot = 0.1;
// Smallest entry for exchanging a free unknown together with a bounded one.
constexpr double exchange_pivot = 1e-8;
// Constant of an empty free row above which the row is a contradiction.
constexpr double contradiction = 1e-9;

}  // namespace

Index BoxLcp::count_rows(const ProductSet& K) {
  Index count = 0;
  for (Index i = 0; i < K.rows(); ++i) {
    const double lower = K.lower()[i], upper = K.upper()[i];
    count += lower < upper && (lower > -infinity || upper < infinity);
  }
  return count;
}

bool BoxLcp::build(const Problem& problem) {
  box_.build(problem);
  number_variables();
  while (eliminate_free_unknown() || exchange_free_unknown()) {
  }
  if (!drop_empty_rows()) return false;
  assemble();
  return true;
}

void BoxLcp::number_variables() {
  size_ = box_.size();
  pairs_ = box_.bounded();
  columns_ = size_ + 1;
  row_variable_.resize(static_cast<std::size_t>(size_));
  column_variable_.resize(static_cast<std::size_t>(size_ + 1));
  column_variable_[0] = -1;
  open_rows_.clear();
  open_columns_.clear();
  mirrored_.clear();
  pair_row_.clear();
  pair_column_.clear();
  for (Index k = 0; k < size_; ++k) {
    row_variable_[static_cast<std::size_t>(k)] = size_ + k;
    column_variable_[static_cast<std::size_t>(k + 1)] = k;
    (k < pairs_ ? pair_row_ : open_rows_).push_back(k);
    (k < pairs_ ? pair_column_ : open_columns_).push_back(k + 1);
  }
  exchanged_.assign(static_cast<std::size_t>(pairs_), 0);
  scratch_.resize(size_);
}

// Makes one more free unknown basic in place of a free row's slack, by a good pivot or else the largest one.
bool BoxLcp::eliminate_free_unknown() {
  DenseMatrix& D = box_.matrix();
  std::size_t row = 0, column = 0;
  double largest = zero_pivot;
  for (std::size_t c = 0; c < open_columns_.size() && largest < good_pivot; ++c) {
    for (std::size_t r = 0; r < open_rows_.size(); ++r) {
      const double size = std::abs(D(open_rows_[r], open_columns_[c]));
      if (!(size > largest)) continue;
      largest = size;
      row = r;
      column = c;
    }
  }
  if (!(largest > zero_pivot)) return false;
  const Index r = open_rows_[row], c = open_columns_[column];
  exchange(D, columns_, r, c, scratch_);
  row_variable_[static_cast<std::size_t>(r)] = column_variable_[static_cast<std::size_t>(c)];
  open_rows_.erase(open_rows_.begin() + static_cast<Index>(row));
  open_columns_.erase(open_columns_.begin() + static_cast<Index>(column));
  drop_column(c);
  return true;
}

// Called if no pivot is left in the block of the free rows. Takes a bounded row k and pivots on (free row,
// z_k) and (w_k, free unknown). Then z_k is basic in place of w_k.
bool BoxLcp::exchange_free_unknown() {
  DenseMatrix& D = box_.matrix();
  for (const Index r : open_rows_) {
    for (const Index c : open_columns_) D(r, c) = 0.0;
  }
  std::size_t pair = 0, row = 0, column = 0;
  double best = exchange_pivot;
  for (std::size_t p = 0; p < pair_row_.size(); ++p) {
    if (exchanged_[p]) continue;
    std::size_t best_row = 0, best_column = 0;
    double row_size = 0.0, column_size = 0.0;
    for (std::size_t r = 0; r < open_rows_.size(); ++r) {
      const double size = std::abs(D(open_rows_[r], pair_column_[p]));
      if (size > row_size) row_size = size, best_row = r;
    }
    for (std::size_t c = 0; c < open_columns_.size(); ++c) {
      const double size = std::abs(D(pair_row_[p], open_columns_[c]));
      if (size > column_size) column_size = size, best_column = c;
    }
    if (!(std::min(row_size, column_size) > best)) continue;
    best = std::min(row_size, column_size);
    pair = p;
    row = best_row;
    column = best_column;
  }
  if (!(best > exchange_pivot)) return false;

  const Index r = open_rows_[row], c = open_columns_[column];
  const Index w_row = pair_row_[pair], z_column = pair_column_[pair];
  exchange(D, columns_, r, z_column, scratch_);
  exchange(D, columns_, w_row, c, scratch_);
  row_variable_[static_cast<std::size_t>(r)] = static_cast<Index>(pair);
  row_variable_[static_cast<std::size_t>(w_row)] = column_variable_[static_cast<std::size_t>(c)];
  column_variable_[static_cast<std::size_t>(c)] = size_ + static_cast<Index>(pair);
  pair_row_[pair] = r;
  pair_column_[pair] = c;
  exchanged_[pair] = 1;
  if (box_.width(static_cast<Index>(pair)) < infinity) mirrored_.push_back(static_cast<Index>(pair));
  open_rows_.erase(open_rows_.begin() + static_cast<Index>(row));
  open_columns_.erase(open_columns_.begin() + static_cast<Index>(column));
  drop_column(z_column);
  return true;
}

// Drops the column of a variable that is zero. The last column takes its place.
void BoxLcp::drop_column(Index column) {
  DenseMatrix& D = box_.matrix();
  --columns_;
  if (column == columns_) return;
  D.col(column) = D.col(columns_);
  column_variable_[static_cast<std::size_t>(column)] = column_variable_[static_cast<std::size_t>(columns_)];
  std::replace(open_columns_.begin(), open_columns_.end(), columns_, column);
  std::replace(pair_column_.begin(), pair_column_.end(), columns_, column);
}

// Drops the free rows without an entry. An empty row holds for every x or for none. Returns false if it holds
// for none.
bool BoxLcp::drop_empty_rows() {
  const DenseMatrix& D = box_.matrix();
  std::size_t kept = 0;
  for (const Index r : open_rows_) {
    double largest = 0.0;
    for (const Index c : pair_column_) largest = std::max(largest, std::abs(D(r, c)));
    if (largest > zero_pivot) {
      open_rows_[kept++] = r;
    } else if (std::abs(D(r, 0)) > contradiction) {
      return false;
    }
  }
  open_rows_.resize(kept);
  splits_ = static_cast<Index>(std::max(open_rows_.size(), open_columns_.size()));
  return true;
}

void BoxLcp::assemble() {
  const DenseMatrix& D = box_.matrix();
  const Index pairs = pairs_;
  const auto multipliers = static_cast<Index>(mirrored_.size());
  const Index m = pairs + multipliers + 2 * splits_;
  lcp_row_.assign(static_cast<std::size_t>(m), -1);
  lcp_column_.assign(static_cast<std::size_t>(m), -1);
  lcp_row_sign_.assign(static_cast<std::size_t>(m), 1.0);
  lcp_column_sign_.assign(static_cast<std::size_t>(m), 1.0);
  std::copy(pair_row_.begin(), pair_row_.end(), lcp_row_.begin());
  std::copy(pair_column_.begin(), pair_column_.end(), lcp_column_.begin());
  for (Index k = 0; k < multipliers; ++k) {
    const auto p = static_cast<std::size_t>(mirrored_[static_cast<std::size_t>(k)]);
    const auto row = static_cast<std::size_t>(pairs + k);
    // s = width - z, and w = slack - mu.
    lcp_row_[row] = pair_row_[p];
    lcp_column_[row] = pair_column_[p];
    lcp_row_sign_[row] = lcp_column_sign_[row] = -1.0;
  }
  for (Index k = 0; k < splits_; ++k) {
    const auto row = static_cast<std::size_t>(pairs + multipliers + 2 * k);
    const auto open = static_cast<std::size_t>(k);
    if (open < open_rows_.size()) lcp_row_[row] = lcp_row_[row + 1] = open_rows_[open];
    if (open < open_columns_.size()) lcp_column_[row] = lcp_column_[row + 1] = open_columns_[open];
    lcp_row_sign_[row + 1] = lcp_column_sign_[row + 1] = -1.0;
  }

  M_.resize(m, m);
  q_.resize(m);
  for (Index j = 0; j < m; ++j) {
    const Index c = lcp_column_[static_cast<std::size_t>(j)];
    for (Index i = 0; i < m; ++i) {
      const Index r = lcp_row_[static_cast<std::size_t>(i)];
      const double sign =
          lcp_row_sign_[static_cast<std::size_t>(i)] * lcp_column_sign_[static_cast<std::size_t>(j)];
      M_(i, j) = r < 0 || c < 0 ? 0.0 : sign * D(r, c);
    }
  }
  for (Index i = 0; i < m; ++i) {
    const Index r = lcp_row_[static_cast<std::size_t>(i)];
    q_[i] = r < 0 ? 0.0 : lcp_row_sign_[static_cast<std::size_t>(i)] * D(r, 0);
  }
  lcp_width_.setConstant(m, infinity);
  for (Index p = 0; p < pairs; ++p) {
    if (!exchanged_[static_cast<std::size_t>(p)]) lcp_width_[p] = box_.width(p);
  }
  for (Index k = 0; k < multipliers; ++k) q_[pairs + k] += box_.width(mirrored_[static_cast<std::size_t>(k)]);
}

void BoxLcp::recover(const LemkeTableau& tableau, VectorView x, std::vector<Place>& places) {
  const DenseMatrix& D = box_.matrix();
  x = box_.origin();
  places.assign(static_cast<std::size_t>(x.size()), Place::at_lower);
  // Sums the columns of the LCP to the values of the dictionary's nonbasic variables.
  values_.resize(columns_);
  values_.setZero();
  values_[0] = 1.0;
  for (Index j = 0; j < rows(); ++j) {
    const Index c = lcp_column_[static_cast<std::size_t>(j)];
    if (c >= 0) values_[c] += lcp_column_sign_[static_cast<std::size_t>(j)] * tableau.z(j);
  }
  for (Index r = 0; r < size_; ++r) {
    const Index k = row_variable_[static_cast<std::size_t>(r)];
    if (k < size_) x[box_.row(k)] += box_.unit(k) * D.row(r).head(columns_).dot(values_);
  }
  for (Index c = 1; c < columns_; ++c) {
    const Index k = column_variable_[static_cast<std::size_t>(c)];
    if (k < size_) x[box_.row(k)] += box_.unit(k) * values_[c];
  }

  for (Index k = 0; k < size_; ++k) {
    const bool basic = k >= pairs_ || (exchanged_[static_cast<std::size_t>(k)] ? tableau.w_is_basic(k)
                                                                               : tableau.z_is_basic(k));
    const bool upper = k < pairs_ && box_.reflected(k) != tableau.reflected(k);
    places[static_cast<std::size_t>(box_.row(k))] = basic   ? Place::between
                                                    : upper ? Place::at_upper
                                                            : Place::at_lower;
  }
  for (std::size_t k = 0; k < mirrored_.size(); ++k) {
    Place& place = places[static_cast<std::size_t>(box_.row(mirrored_[k]))];
    const bool at_end = !tableau.w_is_basic(pairs_ + static_cast<Index>(k));
    if (place == Place::between && at_end) place = Place::at_upper;
  }
}

}  // namespace slipstick::internal
