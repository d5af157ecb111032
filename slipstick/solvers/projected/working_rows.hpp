// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/base/interruption.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal {

/// The rows that a face method visits: the free rows and every row coupled to one of them. While only free
/// rows move, A x changes only in these rows. The rows are renumbered and their part of A is copied together.
/// Iterations therefore run over short dense arrays, even with few free rows. For matrices without explicit
/// rows the set has all rows, and nothing is copied.
class WorkingRows {
 public:
  /// Drops the rows and takes the matrix. `a` must outlive the use.
  void reset(const Operator& a) {
    a_ = &a;
    source_ = storage_of<CsrMatrix>(a);
    rows_.clear();
    if (source_ == nullptr) return;
    place_.assign(static_cast<std::size_t>(a.rows()), -1);
    rows_.reserve(place_.size());
    start_.reserve(place_.size() + 1);
    column_.reserve(static_cast<std::size_t>(source_->nonZeros()));
    value_.reserve(static_cast<std::size_t>(source_->nonZeros()));
  }

  /// Chooses the rows with is_free and their neighbours.
  void choose(std::span<const char> is_free) {
    if (source_ == nullptr) return;
    const CsrView a = *source_;
    const std::size_t count = is_free.size();
    for (int& place : place_) place = -1;
    for (std::size_t i = 0; i < count; ++i) {
      if (is_free[i] == 0) continue;
      place_[i] = 0;
      count_work(a.start[i + 1] - a.start[i]);
      for (int k = a.start[i]; k < a.start[i + 1]; ++k) place_[a.column[k]] = 0;
    }
    rows_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      if (place_[i] < 0) continue;
      place_[i] = static_cast<int>(rows_.size());
      rows_.push_back(static_cast<int>(i));
    }
    copy_matrix(a);
  }

  /// All rows are working rows, with their own numbers.
  bool everything() const { return source_ == nullptr; }
  Index size() const { return everything() ? a_->rows() : static_cast<Index>(rows_.size()); }
  /// In ascending order. Empty if everything().
  std::span<const int> rows() const { return rows_; }
  /// Place of each row of the problem among the working rows. Negative if it is not one.
  std::span<const int> places() const { return place_; }
  /// The working rows and columns of A. Not available if everything().
  CsrView matrix() const { return {size(), start_.data(), column_.data(), value_.data()}; }

  template <class Value>
  void gather(const Value* full, Value* working) const {
    if (everything()) {
      std::copy(full, full + size(), working);
    } else {
      for (std::size_t k = 0; k < rows_.size(); ++k) working[k] = full[rows_[k]];
    }
  }
  void scatter(const double* working, double* full) const {
    if (everything()) {
      std::copy(working, working + size(), full);
    } else {
      for (std::size_t k = 0; k < rows_.size(); ++k) full[rows_[k]] = working[k];
    }
  }

  /// y = A x within the working rows.
  void multiply(ConstVectorView x, VectorView y, int threads) const {
    if (everything()) {
      a_->multiply(x, y, threads);
    } else {
      internal::multiply(matrix(), x, y, threads);
    }
  }

 private:
  void copy_matrix(const CsrView& a) {
    start_.clear();
    column_.clear();
    value_.clear();
    start_.push_back(0);
    for (const int row : rows_) {
      count_work(4.0 * (a.start[row + 1] - a.start[row]));
      for (int k = a.start[row]; k < a.start[row + 1]; ++k) {
        if (place_[a.column[k]] < 0) continue;
        column_.push_back(place_[a.column[k]]);
        value_.push_back(a.value[k]);
      }
      start_.push_back(static_cast<int>(column_.size()));
    }
  }

  const Operator* a_ = nullptr;
  const CsrMatrix* source_ = nullptr;  // null: everything
  std::vector<int> rows_;
  std::vector<int> place_;
  std::vector<int> start_, column_;
  std::vector<double> value_;
};

}  // namespace slipstick::internal
