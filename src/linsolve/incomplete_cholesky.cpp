// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/incomplete_cholesky.hpp"

#include <cmath>

namespace slipstick {

void IncompleteCholesky::factor(const CsrView& a, std::span<const char> wanted,
                                const IncompleteCholeskySettings& settings) {
  const auto is_wanted = [&](Index i) { return wanted.empty() || wanted[static_cast<std::size_t>(i)] != 0; };
  // Column k below the diagonal is row k of A right of it.
  start_.clear();
  below_.clear();
  original_.clear();
  diagonal_.assign(static_cast<std::size_t>(a.rows), 0.0);
  pivot_.resize(diagonal_.size());
  start_.push_back(0);
  for (Index k = 0; k < a.rows; ++k) {
    for (int p = a.start[k]; p < a.start[k + 1]; ++p) {
      const int i = a.column[p];
      if (i == k) diagonal_[k] = a.value[p];
      if (i <= k || !is_wanted(k) || !is_wanted(i)) continue;
      below_.push_back(i);
      original_.push_back(a.value[p]);
    }
    start_.push_back(static_cast<int>(below_.size()));
  }

  shift_ = 0.0;
  while (!try_factor(settings)) shift_ = shift_ == 0.0 ? settings.shift : 4.0 * shift_;
}

bool IncompleteCholesky::try_factor(const IncompleteCholeskySettings& settings) {
  entry_ = original_;
  const std::size_t count = diagonal_.size();
  for (std::size_t k = 0; k < count; ++k) pivot_[k] = (1.0 + shift_) * diagonal_[k];
  for (std::size_t k = 0; k < count; ++k) {
    // A shift of 1e4 leaves little but the diagonal; a row whose diagonal is not positive gets a unit pivot.
    const bool breakdown = !(pivot_[k] > settings.smallest_pivot * diagonal_[k]) || !(diagonal_[k] > 0.0);
    if (breakdown && diagonal_[k] > 0.0 && shift_ < 1e4) return false;
    const double inverse = breakdown ? 1.0 : 1.0 / std::sqrt(pivot_[k]);
    pivot_[k] = inverse;
    const int begin = start_[k];
    const int end = start_[k + 1];
    for (int p = begin; p < end; ++p) entry_[p] *= inverse;
    for (int p = begin; p < end; ++p) {
      const int i = below_[p];
      pivot_[i] -= entry_[p] * entry_[p];
      // The entries (j, i), j > i, of column i are met by walking along its sorted rows.
      int target = start_[i];
      const int target_end = start_[i + 1];
      for (int q = p + 1; q < end; ++q) {
        const int j = below_[q];
        const double update = entry_[p] * entry_[q];
        while (target < target_end && below_[target] < j) ++target;
        if (target < target_end && below_[target] == j) {
          entry_[target] -= update;
        } else {
          pivot_[i] -= settings.compensation * update;
          pivot_[j] -= settings.compensation * update;
        }
      }
    }
  }
  return true;
}

void IncompleteCholesky::take_rows(const IncompleteCholesky& whole, std::span<const int> rows,
                                   std::span<const int> place) {
  start_.clear();
  below_.clear();
  entry_.clear();
  pivot_.resize(rows.size());
  start_.push_back(0);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const int row = rows[k];
    pivot_[k] = whole.pivot_[row];
    for (int p = whole.start_[row]; p < whole.start_[row + 1]; ++p) {
      const int target = place[whole.below_[p]];
      if (target < 0) continue;
      below_.push_back(target);
      entry_.push_back(whole.entry_[p]);
    }
    start_.push_back(static_cast<int>(below_.size()));
  }
}

void IncompleteCholesky::reserve(Index rows, Index entries) {
  start_.reserve(static_cast<std::size_t>(rows) + 1);
  for (auto* list : {&diagonal_, &pivot_}) list->reserve(static_cast<std::size_t>(rows));
  below_.reserve(static_cast<std::size_t>(entries));
  for (auto* list : {&original_, &entry_}) list->reserve(static_cast<std::size_t>(entries));
}

void IncompleteCholesky::solve(std::span<const char> free, double* z) const {
  for (Index k = 0; k < rows(); ++k) {
    if (free[k] == 0) {
      z[k] = 0.0;
      continue;
    }
    const double y = z[k] * pivot_[k];
    z[k] = y;
    for (int p = start_[k]; p < start_[k + 1]; ++p) z[below_[p]] -= entry_[p] * y;
  }
  for (Index k = rows(); k-- > 0;) {
    if (free[k] == 0) continue;
    double sum = z[k];
    for (int p = start_[k]; p < start_[k + 1]; ++p) sum -= entry_[p] * z[below_[p]];
    z[k] = sum * pivot_[k];
  }
}

void IncompleteCholesky::solve(VectorView z) const {
  for (Index k = 0; k < rows(); ++k) {
    z[k] *= pivot_[k];
    for (int p = start_[k]; p < start_[k + 1]; ++p) z[below_[p]] -= entry_[p] * z[k];
  }
  for (Index k = rows(); k-- > 0;) {
    for (int p = start_[k]; p < start_[k + 1]; ++p) z[k] -= entry_[p] * z[below_[p]];
    z[k] *= pivot_[k];
  }
}

}  // namespace slipstick
