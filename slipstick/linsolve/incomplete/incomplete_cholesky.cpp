// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/incomplete/incomplete_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "slipstick/base/interruption.hpp"

namespace slipstick::internal {

void IncompleteCholesky::factor(const CsrView& a, std::span<const char> wanted,
                                const IncompleteCholeskySettings& settings) {
  load(a, wanted, settings.scaling);
  state_.assign(static_cast<std::size_t>(a.rows), 0);
  shift_ = 0.0;
  breakdowns_ = 0;
  floored_ = 0;
  switch (settings.variant) {
    case IncompleteVariant::shifted:
      while (!factor_pattern(settings)) shift_ = shift_ == 0.0 ? settings.shift : 4.0 * shift_;
      break;
    case IncompleteVariant::imaginary:
      factor_pattern(settings);
      break;
    case IncompleteVariant::partial_shift: {
      const auto outcome =
          left_looking_.factor_partial_shift(a_, unit_, settings.smallest_pivot, settings.partial_shift, l_);
      shift_ = outcome.shift;
      breakdowns_ = outcome.breakdowns;
      break;
    }
    case IncompleteVariant::threshold: {
      const bool scaled = settings.scaling != IncompleteScaling::none;
      if (scaled) scale_matrix();
      const auto outcome = left_looking_.factor_threshold(a_, unit_, settings.smallest_pivot, settings.shift,
                                                          settings.drop_tolerance, settings.most_entries, l_);
      if (scaled) unscale_factor();
      shift_ = outcome.shift;
      breakdowns_ = outcome.breakdowns;
      break;
    }
  }
}

// Column k below the diagonal is row k of A right of it.
void IncompleteCholesky::load(const CsrView& a, std::span<const char> wanted, IncompleteScaling scaling) {
  const auto is_wanted = [&](Index i) { return wanted.empty() || wanted[static_cast<std::size_t>(i)] != 0; };
  a_.clear();
  a_.pivot.assign(static_cast<std::size_t>(a.rows), 0.0);
  unit_.resize(a_.pivot.size());
  for (Index k = 0; k < a.rows; ++k) {
    count_work(10.0 * (a.start[k + 1] - a.start[k]));
    double norm = 0.0;
    for (int p = a.start[k]; p < a.start[k + 1]; ++p) {
      const int i = a.column[p];
      if (i == k) a_.pivot[k] = a.value[p];
      if (!is_wanted(k) || !is_wanted(i)) continue;
      norm += a.value[p] * a.value[p];
      if (i <= k) continue;
      a_.below.push_back(i);
      a_.entry.push_back(a.value[p]);
    }
    a_.start.push_back(static_cast<int>(a_.below.size()));
    const bool by_norm = scaling == IncompleteScaling::column_norm && norm > 0.0;
    unit_[k] = by_norm ? std::sqrt(norm) : a_.pivot[k];
  }
}

bool IncompleteCholesky::factor_pattern(const IncompleteCholeskySettings& settings) {
  const bool imaginary = settings.variant == IncompleteVariant::imaginary;
  l_ = a_;
  const std::size_t count = l_.pivot.size();
  if (shift_ > 0.0) {
    for (std::size_t k = 0; k < count; ++k) l_.pivot[k] += shift_ * unit_[k];
  }
  for (std::size_t k = 0; k < count; ++k) {
    const double diagonal = a_.pivot[k];
    double sign = 1.0;
    double magnitude = l_.pivot[k];
    if (!(diagonal > 0.0)) {
      magnitude = 1.0;  // the row is empty, or the matrix is not positive definite
    } else if (imaginary) {
      sign = magnitude < 0.0 ? -1.0 : 1.0;
      breakdowns_ += magnitude <= 0.0 ? 1 : 0;
      floored_ += std::abs(magnitude) < settings.imaginary_floor * diagonal ? 1 : 0;
      magnitude = std::max(std::abs(magnitude), settings.imaginary_floor * diagonal);
    } else if (!(magnitude > settings.smallest_pivot * diagonal)) {
      ++breakdowns_;
      // A shift of 1e4 leaves little but the diagonal.
      if (shift_ < 1e4) return false;
      magnitude = 1.0;
    }
    const double inverse = 1.0 / std::sqrt(magnitude);
    l_.pivot[k] = inverse;
    const int begin = l_.start[k];
    const int end = l_.start[k + 1];
    for (int p = begin; p < end; ++p) l_.entry[p] *= sign * inverse;
    count_work(4.0 * (end - begin) * (end - begin));
    for (int p = begin; p < end; ++p) {
      const int i = l_.below[p];
      const double factor = sign * l_.entry[p];
      l_.pivot[i] -= factor * l_.entry[p];
      // The entries (j, i), j > i, of column i are found in one pass over its sorted rows.
      int target = l_.start[i];
      const int target_end = l_.start[i + 1];
      for (int q = p + 1; q < end; ++q) {
        const int j = l_.below[q];
        const double update = factor * l_.entry[q];
        while (target < target_end && l_.below[target] < j) ++target;
        if (target < target_end && l_.below[target] == j) {
          l_.entry[target] -= update;
        } else {
          l_.pivot[i] -= settings.compensation * update;
          l_.pivot[j] -= settings.compensation * update;
        }
      }
    }
  }
  return true;
}

// A <- S A S with s_k = unit_k^-1/2: the diagonal, or the norms of the columns, become 1.
void IncompleteCholesky::scale_matrix() {
  scale_.resize(unit_.size());
  for (std::size_t k = 0; k < unit_.size(); ++k) {
    scale_[k] = unit_[k] > 0.0 ? 1.0 / std::sqrt(unit_[k]) : 1.0;
    if (unit_[k] > 0.0) unit_[k] = 1.0;
  }
  for (Index k = 0; k < a_.columns(); ++k) {
    a_.pivot[k] *= scale_[k] * scale_[k];
    for (int p = a_.start[k]; p < a_.start[k + 1]; ++p) a_.entry[p] *= scale_[k] * scale_[a_.below[p]];
  }
}

// L <- S^-1 L
void IncompleteCholesky::unscale_factor() {
  for (Index k = 0; k < l_.columns(); ++k) {
    l_.pivot[k] *= scale_[k];
    for (int p = l_.start[k]; p < l_.start[k + 1]; ++p) l_.entry[p] /= scale_[l_.below[p]];
  }
}

void IncompleteCholesky::take_rows(const IncompleteCholesky& whole, std::span<const int> rows,
                                   std::span<const int> place) {
  l_.start.clear();
  l_.below.clear();
  l_.entry.clear();
  l_.pivot.resize(rows.size());
  l_.start.push_back(0);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const int row = rows[k];
    l_.pivot[k] = whole.l_.pivot[row];
    for (int p = whole.l_.start[row]; p < whole.l_.start[row + 1]; ++p) {
      const int target = place[whole.l_.below[p]];
      if (target < 0) continue;
      l_.below.push_back(target);
      l_.entry.push_back(whole.l_.entry[p]);
    }
    l_.start.push_back(static_cast<int>(l_.below.size()));
  }
}

void IncompleteCholesky::reserve(Index rows, Index entries) {
  for (LowerColumns* triangle : {&a_, &l_}) triangle->reserve(rows, entries);
  unit_.reserve(static_cast<std::size_t>(rows));
}

void IncompleteCholesky::downdate(Index row, double tolerance) {
  // x starts as the column of the row. It is eliminated against one pivot after another, from the top.
  constexpr char removed = 1, pending = 2;
  update_.resize(l_.pivot.size(), 0.0);
  pending_.clear();
  const auto put = [&](int i, double x) {
    if (state_[i] == removed) return;
    update_[i] = x;
    if (state_[i] == pending) return;
    state_[i] = pending;
    pending_.push_back(i);
    std::push_heap(pending_.begin(), pending_.end(), std::greater<>());
  };
  state_[row] = removed;
  for (int p = l_.start[row]; p < l_.start[row + 1]; ++p) put(l_.below[p], l_.entry[p]);
  while (!pending_.empty()) {
    std::pop_heap(pending_.begin(), pending_.end(), std::greater<>());
    const int k = pending_.back();
    pending_.pop_back();
    state_[k] = 0;
    const double sine = update_[k] * l_.pivot[k];
    update_[k] = 0.0;
    if (std::abs(sine) <= tolerance) continue;
    const double cosine = std::sqrt(1.0 + sine * sine);
    l_.pivot[k] /= cosine;
    for (int q = l_.start[k]; q < l_.start[k + 1]; ++q) {
      const int i = l_.below[q];
      const double x = update_[i];
      l_.entry[q] = (l_.entry[q] + sine * x) / cosine;
      put(i, cosine * x - sine * l_.entry[q]);
    }
  }
}

void IncompleteCholesky::solve(std::span<const char> free, double* z) const {
  for (Index k = 0; k < rows(); ++k) {
    if (free[k] == 0) {
      z[k] = 0.0;
      continue;
    }
    const double y = z[k] * l_.pivot[k];
    z[k] = y;
    for (int p = l_.start[k]; p < l_.start[k + 1]; ++p) z[l_.below[p]] -= l_.entry[p] * y;
  }
  for (Index k = rows(); k-- > 0;) {
    if (free[k] == 0) continue;
    double sum = z[k];
    for (int p = l_.start[k]; p < l_.start[k + 1]; ++p) sum -= l_.entry[p] * z[l_.below[p]];
    z[k] = sum * l_.pivot[k];
  }
}

void IncompleteCholesky::solve(VectorView z) const {
  for (Index k = 0; k < rows(); ++k) {
    z[k] *= l_.pivot[k];
    for (int p = l_.start[k]; p < l_.start[k + 1]; ++p) z[l_.below[p]] -= l_.entry[p] * z[k];
  }
  for (Index k = rows(); k-- > 0;) {
    for (int p = l_.start[k]; p < l_.start[k + 1]; ++p) z[k] -= l_.entry[p] * z[l_.below[p]];
    z[k] *= l_.pivot[k];
  }
}

}  // namespace slipstick::internal
