// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/incomplete/column_cholesky.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/base/interruption.hpp"

namespace slipstick::internal {
namespace {

// A shift of this size leaves little but the diagonal. Then any pivot is accepted.
constexpr double largest_shift = 1e4;

double norm_of_column(const LowerColumns& a, Index k) {
  double sum = a.pivot[k] * a.pivot[k];
  for (int p = a.start[k]; p < a.start[k + 1]; ++p) sum += a.entry[p] * a.entry[p];
  return std::sqrt(sum);
}

}  // namespace

void LowerColumns::reserve(Index rows, Index entries) {
  start.reserve(static_cast<std::size_t>(rows) + 1);
  pivot.reserve(static_cast<std::size_t>(rows));
  below.reserve(static_cast<std::size_t>(entries));
  entry.reserve(static_cast<std::size_t>(entries));
}

ColumnCholesky::Outcome ColumnCholesky::factor_threshold(const LowerColumns& a, std::span<const double> unit,
                                                         double smallest_pivot, double first_shift,
                                                         double drop_tolerance, Index most_entries,
                                                         LowerColumns& l) {
  const Index n = a.columns();
  Outcome outcome;
  l.pivot.resize(a.pivot.size());
  l.clear();
  rewind(l, 0);
  for (int k = 0; k < n; ++k) {
    const double pivot = gather(a, l, k, true) + outcome.shift * unit[k];
    const bool positive = pivot > smallest_pivot * a.pivot[k] && a.pivot[k] > 0.0;
    if (!positive && a.pivot[k] > 0.0 && outcome.shift < largest_shift) {
      ++outcome.breakdowns;
      outcome.shift = outcome.shift == 0.0 ? first_shift : 4.0 * outcome.shift;
      l.clear();
      rewind(l, 0);
      k = -1;
      continue;
    }
    const double threshold = drop_tolerance * norm_of_column(a, k);
    drop(threshold);
    l.pivot[k] = positive ? 1.0 / std::sqrt(pivot) : 1.0;
    for (const int i : gathered_) work_[i] *= l.pivot[k];
    drop(threshold);
    keep_largest(most_entries);
    std::sort(gathered_.begin(), gathered_.end());
    for (const int i : gathered_) {
      l.below.push_back(i);
      l.entry.push_back(work_[i]);
    }
    l.start.push_back(static_cast<int>(l.below.size()));
    link(l, k, l.start[k]);
  }
  return outcome;
}

ColumnCholesky::Outcome ColumnCholesky::factor_partial_shift(const LowerColumns& a,
                                                             std::span<const double> unit,
                                                             double smallest_pivot, double first_shift,
                                                             LowerColumns& l) {
  const Index n = a.columns();
  Outcome outcome;
  l.pivot.resize(a.pivot.size());
  l.start = a.start;
  l.below = a.below;
  l.entry.resize(a.entry.size());
  shift_.assign(static_cast<std::size_t>(n), 0.0);
  shifted_.assign(static_cast<std::size_t>(n), 0);
  rewind(l, 0);
  for (int k = 0; k < n; ++k) {
    const double pivot = gather(a, l, k, false) + shift_[k] * unit[k];
    const bool positive = pivot > smallest_pivot * a.pivot[k] && a.pivot[k] > 0.0;
    if (!positive && a.pivot[k] > 0.0 && shift_[k] < largest_shift) {
      ++outcome.breakdowns;
      int first = k;
      const auto shift = [&](int column) {
        shift_[column] += std::ldexp(first_shift, shifted_[column]++);
        outcome.shift = std::max(outcome.shift, shift_[column]);
        first = std::min(first, column);
      };
      // The columns that were subtracted have passed row k by one entry.
      for (int c = 0; c < k; ++c) {
        if (position_[c] > l.start[c] && l.below[position_[c] - 1] == k) shift(c);
      }
      shift(k);
      rewind(l, first);
      k = first - 1;
      continue;
    }
    l.pivot[k] = positive ? 1.0 / std::sqrt(pivot) : 1.0;
    for (int p = l.start[k]; p < l.start[k + 1]; ++p) l.entry[p] = work_[l.below[p]] * l.pivot[k];
    link(l, k, l.start[k]);
  }
  return outcome;
}

// Puts a column on the list of the row of its entry at `position`, if it has one.
void ColumnCholesky::link(const LowerColumns& l, int column, int position) {
  position_[column] = position;
  if (position == l.start[column + 1]) return;
  const int row = l.below[position];
  next_[column] = head_[row];
  head_[row] = column;
}

// Restores the lists to their state before `column` is gathered, from the columns of L before it.
void ColumnCholesky::rewind(const LowerColumns& l, Index column) {
  const std::size_t n = l.pivot.size();
  head_.assign(n, -1);
  mark_.assign(n, -1);
  for (auto* list : {&next_, &position_}) list->resize(n);
  work_.resize(n);
  for (int c = 0; c < column; ++c) {
    const auto begin = l.below.begin() + l.start[c];
    const auto end = l.below.begin() + l.start[c + 1];
    link(l, c, static_cast<int>(std::lower_bound(begin, end, column) - l.below.begin()));
  }
}

// Computes column k of A minus the contributions of the columns before it. The entries go to work_, in the
// rows gathered_. The diagonal is returned. Fill is left out unless `fill` is set.
double ColumnCholesky::gather(const LowerColumns& a, const LowerColumns& l, int column, bool fill) {
  gathered_.clear();
  for (int p = a.start[column]; p < a.start[column + 1]; ++p) {
    const int i = a.below[p];
    mark_[i] = column;
    work_[i] = a.entry[p];
    gathered_.push_back(i);
  }
  double diagonal = a.pivot[column], work = 20.0;
  for (int c = head_[column]; c != -1;) {
    const int following = next_[c];
    const int position = position_[c];
    work += 4.0 * (l.start[c + 1] - position);
    const double factor = l.entry[position];
    diagonal -= factor * factor;
    for (int p = position + 1; p < l.start[c + 1]; ++p) {
      const int i = l.below[p];
      if (mark_[i] != column) {
        if (!fill) continue;
        mark_[i] = column;
        work_[i] = 0.0;
        gathered_.push_back(i);
      }
      work_[i] -= factor * l.entry[p];
    }
    link(l, c, position + 1);
    c = following;
  }
  count_work(work);
  return diagonal;
}

void ColumnCholesky::drop(double threshold) {
  std::erase_if(gathered_, [&](int i) { return std::abs(work_[i]) < threshold; });
}

void ColumnCholesky::keep_largest(Index count) {
  if (count <= 0 || count >= static_cast<Index>(gathered_.size())) return;
  std::nth_element(gathered_.begin(), gathered_.begin() + count, gathered_.end(), [&](int i, int j) {
    const double left = std::abs(work_[i]), right = std::abs(work_[j]);
    return left != right ? left > right : i < j;
  });
  gathered_.resize(static_cast<std::size_t>(count));
}

}  // namespace slipstick::internal
