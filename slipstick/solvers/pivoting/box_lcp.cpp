// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/box_lcp.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/linalg/operator.hpp"
#include "slipstick/linsolve/dense/column_qr.hpp"
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
  if (open_rows_.empty() || open_columns_.empty()) return false;
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
      contradiction_ = r;
      return false;
    }
  }
  open_rows_.resize(kept);
  return true;
}

void BoxLcp::assemble() {
  const DenseMatrix& D = box_.matrix();
  lcp_rows_.clear();
  for (Index p = 0; p < pairs_; ++p) lcp_rows_.push_back({pair_row_[p], pair_column_[p], 1.0});
  // s = width - z, and w = slack - mu.
  for (const Index p : mirrored_) lcp_rows_.push_back({pair_row_[p], pair_column_[p], -1.0});
  for (std::size_t k = 0; k < std::max(open_rows_.size(), open_columns_.size()); ++k) {
    const Index row = k < open_rows_.size() ? open_rows_[k] : -1;
    const Index column = k < open_columns_.size() ? open_columns_[k] : -1;
    for (const double sign : {1.0, -1.0}) lcp_rows_.push_back({row, column, sign});
  }

  const auto m = static_cast<Index>(lcp_rows_.size());
  M_.resize(m, m);
  q_.resize(m);
  const auto copy_column = [&](Index column, double sign, double* to) {
    const double* const from = D.col(column).data();
    for (const LcpRow& row : lcp_rows_) *to++ = row.row < 0 ? 0.0 : sign * row.sign * from[row.row];
  };
  copy_column(0, 1.0, q_.data());
  for (Index j = 0; j < m; ++j) {
    if (const LcpRow& row = lcp_rows_[j]; row.column >= 0) {
      copy_column(row.column, row.sign, M_.col(j).data());
    } else {
      M_.col(j).setZero();
    }
  }
  lcp_width_.setConstant(m, infinity);
  for (Index p = 0; p < pairs_; ++p) {
    if (!exchanged_[p]) lcp_width_[p] = box_.width(p);
  }
  for (std::size_t k = 0; k < mirrored_.size(); ++k) q_[pairs_ + k] += box_.width(mirrored_[k]);
}

void BoxLcp::combine_rows(const Problem& problem, const Vector& v, Vector& d) const {
  d.setZero(box_.origin().size());
  Vector targets = Vector::Zero(size_);
  for (Index p = 0; p < pairs_; ++p) {
    const bool exchanged = exchanged_[static_cast<std::size_t>(p)] != 0;
    // The z of an exchanged pair is the slack of its row, and its w is the unknown.
    d[box_.row(p)] = box_.row_unit(p) * (exchanged ? -M_.col(p).dot(v) : v[p]);
    if (exchanged) targets[p] = -v[p];
  }
  for (std::size_t k = 0; k < mirrored_.size(); ++k)
    targets[mirrored_[k]] += v[pairs_ + static_cast<Index>(k)];
  for (auto j = static_cast<std::size_t>(pairs_) + mirrored_.size(); j < lcp_rows_.size(); ++j) {
    if (lcp_rows_[j].row < 0) continue;
    const Index k = row_variable_[static_cast<std::size_t>(lcp_rows_[j].row)] - size_;
    d[box_.row(k)] += box_.row_unit(k) * lcp_rows_[j].sign * v[static_cast<Index>(j)];
  }
  add_eliminated_rows(problem, targets, d);
}

void BoxLcp::find_contradiction(const Problem& problem, Vector& d) const {
  d.setZero(box_.origin().size());
  const Index k = row_variable_[static_cast<std::size_t>(contradiction_)] - size_;
  d[box_.row(k)] = box_.row_unit(k) * (box_.matrix()(contradiction_, 0) > 0.0 ? -1.0 : 1.0);
  add_eliminated_rows(problem, Vector::Zero(size_), d);
}

// Adds multiples of the free rows that have left the dictionary, so that A'd is zero for free unknowns and
// the target, in units of the LCP, for exchanged ones.
void BoxLcp::add_eliminated_rows(const Problem& problem, const Vector& targets, Vector& d) const {
  std::vector<char> eliminated(static_cast<std::size_t>(size_), 0);
  std::fill(eliminated.begin() + pairs_, eliminated.end(), 1);
  for (const Index r : open_rows_)
    eliminated[static_cast<std::size_t>(row_variable_[static_cast<std::size_t>(r)] - size_)] = 0;
  std::vector<Index> equation(static_cast<std::size_t>(d.size()), -1), sources;
  Index equations = 0;
  Vector right_side(size_);
  for (Index k = 0; k < size_; ++k) {
    if (k < pairs_ && exchanged_[static_cast<std::size_t>(k)] == 0) continue;
    equation[static_cast<std::size_t>(box_.row(k))] = equations;
    right_side[equations++] = targets[k] / (box_.common_unit() * box_.unit(k));
  }
  for (Index k = pairs_; k < size_; ++k)
    if (eliminated[static_cast<std::size_t>(k)] != 0) sources.push_back(box_.row(k));
  if (sources.empty()) return;

  const std::shared_ptr<const CsrMatrix> a = problem.A.assemble();
  right_side.conservativeResize(equations);
  for (Index i = 0; i < d.size(); ++i) {
    for (CsrMatrix::InnerIterator it(*a, i); it && d[i] != 0.0; ++it) {
      const Index at = equation[static_cast<std::size_t>(it.col())];
      if (at >= 0) right_side[at] -= it.value() * d[i];
    }
  }
  ColumnQr factor;
  factor.reset(equations, static_cast<Index>(sources.size()));
  Vector column(equations);
  for (const Index row : sources) {
    column.setZero();
    for (CsrMatrix::InnerIterator it(*a, row); it; ++it) {
      const Index at = equation[static_cast<std::size_t>(it.col())];
      if (at >= 0) column[at] = it.value();
    }
    factor.append(column, zero_pivot);
  }
  factor.transform(right_side);
  Vector multiples(static_cast<Index>(sources.size()));
  factor.solve(right_side, multiples);
  for (std::size_t k = 0; k < sources.size(); ++k) d[sources[k]] += multiples[static_cast<Index>(k)];
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
    const LcpRow& row = lcp_rows_[j];
    if (row.column >= 0) values_[row.column] += row.sign * tableau.z(j);
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
