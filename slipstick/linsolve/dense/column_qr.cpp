// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/dense/column_qr.hpp"

#include <cassert>

#include "slipstick/base/interruption.hpp"

namespace slipstick::internal {

void ColumnQr::reset(Index rows, Index max_columns) {
  columns_ = rank_ = 0;
  reflectors_.resize(rows, rows);
  R_.resize(rows, max_columns);
  rank_before_.resize(static_cast<std::size_t>(max_columns));
  dependent_.resize(static_cast<std::size_t>(max_columns));
  work_.resize(rows);
}

bool ColumnQr::append(ConstVectorView column, double tolerance) {
  assert(columns_ < R_.cols() && column.size() == R_.rows());
  count_work(4.0 * static_cast<double>(rank_ * R_.rows()));
  auto r = R_.col(columns_);
  r = column;
  const double length = r.norm();
  transform(r);
  auto tail = r.tail(r.size() - rank_);
  const double distance = tail.norm();
  independence_ = length > 0.0 ? distance / length : 0.0;
  const bool dependent = !(distance > tolerance * length);
  rank_before_[static_cast<std::size_t>(columns_)] = rank_;
  dependent_[static_cast<std::size_t>(columns_)] = dependent;
  ++columns_;
  if (dependent) return false;

  // Reflects the tail on its first coordinate, away from cancellation.
  const double diagonal = tail[0] > 0.0 ? -distance : distance;
  auto v = reflectors_.col(rank_).tail(tail.size());
  v = tail;
  v[0] -= diagonal;
  v /= v.norm();
  tail.setZero();
  tail[0] = diagonal;
  ++rank_;
  return true;
}

void ColumnQr::truncate(Index columns) {
  if (columns >= columns_) return;
  rank_ = rank_before_[static_cast<std::size_t>(columns)];
  columns_ = columns;
}

void ColumnQr::transform(VectorView b, Index from) const {
  const Index rows = R_.rows();
  for (Index k = from; k < rank_; ++k) {
    const auto v = reflectors_.col(k).tail(rows - k);
    auto tail = b.tail(rows - k);
    tail.noalias() -= (2.0 * v.dot(tail)) * v;
  }
}

void ColumnQr::solve(ConstVectorView transformed, VectorView y) const {
  work_ = transformed;
  back_substitute(y);
}

void ColumnQr::null_vector(Index column, VectorView y) const {
  assert(is_dependent(column));
  work_.setZero();
  const Index rank = rank_before_[static_cast<std::size_t>(column)];
  work_.head(rank) = -R_.col(column).head(rank);
  back_substitute(y);
  y[column] = 1.0;
}

// R y = work_ in the independent columns.
void ColumnQr::back_substitute(VectorView y) const {
  for (Index c = columns_ - 1; c >= 0; --c) {
    y[c] = 0.0;
    if (is_dependent(c)) continue;
    const Index row = rank_before_[static_cast<std::size_t>(c)];
    y[c] = work_[row] / R_(row, c);
    work_.head(row).noalias() -= y[c] * R_.col(c).head(row);
  }
}

}  // namespace slipstick::internal
