// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick::internal {

/// The places of the stored entries of a sparse matrix, by rows. A factorization keeps the pattern that it
/// has analyzed, and analyzes again only if the next matrix has another one.
class SparsityPattern {
 public:
  /// The columns of row i are columns[start[i]] to columns[start[i + 1] - 1].
  std::span<const int> start() const { return start_; }
  std::span<const int> columns() const { return columns_; }

  bool matches(std::span<const int> start, std::span<const int> columns) const {
    return std::ranges::equal(start, start_) && std::ranges::equal(columns, columns_);
  }
  bool matches(const CsrMatrix& a) const { return matches(starts_of(a), columns_of(a)); }
  void set(std::span<const int> start, std::span<const int> columns) {
    start_.assign(start.begin(), start.end());
    columns_.assign(columns.begin(), columns.end());
  }
  void set(const CsrMatrix& a) { set(starts_of(a), columns_of(a)); }
  /// Matches no matrix afterwards.
  void clear() { start_.clear(); }

 private:
  static std::span<const int> starts_of(const CsrMatrix& a) {
    return {a.outerIndexPtr(), static_cast<std::size_t>(a.rows()) + 1};
  }
  static std::span<const int> columns_of(const CsrMatrix& a) {
    return {a.innerIndexPtr(), static_cast<std::size_t>(a.nonZeros())};
  }

  std::vector<int> start_, columns_;
};

}  // namespace slipstick::internal
