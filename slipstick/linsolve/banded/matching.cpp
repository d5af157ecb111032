// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/banded/matching.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/base/error.hpp"
#include "slipstick/base/interruption.hpp"
#include "slipstick/matrix.hpp"

namespace slipstick::internal {

void DiagonalMatching::find(const CsrMatrix& a) {
  if (a.rows() != a.cols()) fail("a matching needs a square matrix, not {} x {}", a.rows(), a.cols());
  const auto n = static_cast<std::size_t>(a.rows());
  row_of_column_.assign(n, -1);
  column_of_row_.assign(n, -1);
  entry_of_row_.assign(n, -1);
  distance_.assign(n, infinity);
  reached_from_.assign(n, -1);
  reached_entry_.assign(n, -1);
  scanned_.assign(n, 0);
  touched_.reserve(n);
  // A column is pushed at most once per entry.
  heap_.reserve(static_cast<std::size_t>(a.nonZeros()));

  find_costs(a);
  match_cheaply(a);
  rank_ = 0;
  for (int i = 0; i < a.rows(); ++i) {
    if (column_of_row_[i] >= 0 || augment(a, i)) ++rank_;
  }
  find_scales(a);
  complete();
}

void DiagonalMatching::find_costs(const CsrMatrix& a) {
  const int* columns = a.innerIndexPtr();
  const double* values = a.valuePtr();
  column_log_.setConstant(a.cols(), -infinity);
  cost_.resize(static_cast<std::size_t>(a.nonZeros()));
  for (Index i = 0; i < a.rows(); ++i) {
    const int begin = a.outerIndexPtr()[i], end = a.outerIndexPtr()[i + 1];
    for (int p = begin; p < end; ++p) {
      if (!std::isfinite(values[p]))
        fail("a matching needs finite entries; one in column {} is not", columns[p]);
      const double size = std::log(std::abs(values[p]));
      cost_[p] = -size;
      column_log_[columns[p]] = std::max(column_log_[columns[p]], size);
    }
    count_work(40.0 * (end - begin));
  }
  for (Index p = 0; p < a.nonZeros(); ++p) {
    if (cost_[p] < infinity) cost_[p] += column_log_[columns[p]];
  }
}

// u_i = min_j c_ij and v = 0 are feasible. Each row takes a free column with zero reduced cost, if it has
// one.
void DiagonalMatching::match_cheaply(const CsrMatrix& a) {
  const int* start = a.outerIndexPtr();
  const int* columns = a.innerIndexPtr();
  v_.setZero(a.cols());
  u_.setZero(a.rows());
  for (int i = 0; i < a.rows(); ++i) {
    count_work(4.0 * (start[i + 1] - start[i]));
    double least = infinity;
    for (int p = start[i]; p < start[i + 1]; ++p) least = std::min(least, cost_[p]);
    if (least == infinity) continue;
    u_[i] = least;
    for (int p = start[i]; p < start[i + 1] && column_of_row_[i] < 0; ++p) {
      if (cost_[p] > least || row_of_column_[columns[p]] >= 0) continue;
      row_of_column_[columns[p]] = i;
      column_of_row_[i] = columns[p];
      entry_of_row_[i] = p;
    }
  }
}

// Dijkstra's algorithm from a free row to the nearest free column. Returns false if it reaches none.
bool DiagonalMatching::augment(const CsrMatrix& a, int row) {
  heap_.clear();
  touched_.clear();
  relax(a, row, 0.0);
  int sink = -1;
  double length = 0.0;
  const auto later = [](const Candidate& x, const Candidate& y) {
    return x.distance > y.distance || (x.distance == y.distance && x.column > y.column);
  };
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const Candidate nearest = heap_.back();
    heap_.pop_back();
    if (scanned_[nearest.column] != 0 || nearest.distance > distance_[nearest.column]) continue;
    length = nearest.distance;
    if (row_of_column_[nearest.column] < 0) {
      sink = nearest.column;
      break;
    }
    scanned_[nearest.column] = 1;
    relax(a, row_of_column_[nearest.column], length);
  }

  if (sink >= 0) {
    // Changes the duals of the scanned rows and columns, so that the reduced costs on the path become zero.
    u_[row] += length;
    for (const int j : touched_) {
      if (scanned_[j] == 0) continue;
      u_[row_of_column_[j]] += length - distance_[j];
      v_[j] -= length - distance_[j];
    }
    for (int j = sink; j >= 0;) {
      const int i = reached_from_[j];
      const int next = column_of_row_[i];
      row_of_column_[j] = i;
      column_of_row_[i] = j;
      entry_of_row_[i] = reached_entry_[j];
      j = i == row ? -1 : next;
    }
  }
  for (const int j : touched_) {
    distance_[j] = infinity;
    scanned_[j] = 0;
  }
  return sink >= 0;
}

// Updates the distances of the columns of a row, which itself has the given distance.
void DiagonalMatching::relax(const CsrMatrix& a, int row, double distance) {
  const auto later = [](const Candidate& x, const Candidate& y) {
    return x.distance > y.distance || (x.distance == y.distance && x.column > y.column);
  };
  count_work(20.0 * (a.outerIndexPtr()[row + 1] - a.outerIndexPtr()[row]));
  for (int p = a.outerIndexPtr()[row]; p < a.outerIndexPtr()[row + 1]; ++p) {
    const int j = a.innerIndexPtr()[p];
    if (cost_[p] == infinity || scanned_[j] != 0) continue;
    // Rounding must not make a step of negative length.
    const double reached = distance + std::max(0.0, cost_[p] - u_[row] - v_[j]);
    if (!(reached < distance_[j])) continue;
    if (distance_[j] == infinity) touched_.push_back(j);
    distance_[j] = reached;
    reached_from_[j] = row;
    reached_entry_[j] = p;
    heap_.push_back({reached, j});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }
}

void DiagonalMatching::find_scales(const CsrMatrix& a) {
  const int* start = a.outerIndexPtr();
  const int* columns = a.innerIndexPtr();
  constexpr double limit = 345.0;  // exp(345) = 1e150
  row_scale_.resize(a.rows());
  column_scale_.resize(a.cols());
  for (int i = 0; i < a.rows(); ++i) {
    // Removes the rounding error of the equality on the assignment, and of the bound for rows without a
    // column.
    double dual = 0.0;
    if (column_of_row_[i] >= 0) {
      dual = cost_[entry_of_row_[i]] - v_[column_of_row_[i]];
    } else {
      double least = infinity;
      for (int p = start[i]; p < start[i + 1]; ++p) least = std::min(least, cost_[p] - v_[columns[p]]);
      if (least < infinity) dual = least;
    }
    row_scale_[i] = std::exp(std::clamp(dual, -limit, limit));
  }
  for (Index j = 0; j < a.cols(); ++j) {
    const double log = column_log_[j] > -infinity ? column_log_[j] : 0.0;
    column_scale_[j] = std::exp(std::clamp(v_[j] - log, -limit, limit));
  }
}

void DiagonalMatching::complete() {
  std::size_t column = 0;
  for (int i = 0; i < static_cast<int>(column_of_row_.size()); ++i) {
    if (column_of_row_[i] >= 0) continue;
    while (row_of_column_[column] >= 0) ++column;
    row_of_column_[column] = i;
    column_of_row_[i] = static_cast<int>(column);
  }
}

}  // namespace slipstick::internal
