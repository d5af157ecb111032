// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

/// A x = r for a dense symmetric positive definite A by A = L D L', right-looking in panels. The right-hand
/// side is one more row of A, so that the factorization includes the forward substitution. If the next matrix
/// begins with the same rows, their part of the factor is kept. Sizes up to the largest earlier one allocate
/// nothing.
class DenseLdl {
 public:
  /// Allocates for matrices of up to this size, and forgets the last one.
  void reserve(Index size);
  /// Sets the size. The first `kept` rows and columns of A are those of the last matrix. Returns the first
  /// row that the caller must fill, in all columns, because whole packs of rows are kept.
  Index resize(Index size, Index kept = 0);
  /// Column j of A from the diagonal down: rows j to size - 1 are at [j] and following. r_j is at [size].
  double* column(Index j) { return entries_.data() + j * stride_; }

  /// Returns the entries of x, or null if a pivot is not above `smallest` times its diagonal entry.
  const double* solve(double smallest);

 private:
  bool eliminate(Index start);
  void update(Index start, Index end, Index stop);
  void substitute_back();

  Index size_ = 0;
  Index rows_ = 0;   // with the right-hand side, in whole packs
  Index first_ = 0;  // first row that is new
  Index valid_ = 0;  // rows of the factor
  Index stride_ = 0;
  std::vector<double> entries_;   // L D below the diagonal, L' above it
  std::vector<double> inverse_;   // the smallest accepted pivots, then 1 / pivot
  std::vector<double> solution_;  // x, then -1 for the right-hand side and zeros
};

}  // namespace slipstick::internal
