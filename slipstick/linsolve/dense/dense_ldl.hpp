// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

/// A x = r for a dense symmetric positive definite A by A = L D L', right-looking in panels. The right-hand
/// side is one more row of A, so that the factorization includes the forward substitution. Sizes up to the
/// largest earlier one allocate nothing.
class DenseLdl {
 public:
  /// Allocates for matrices of up to this size.
  void reserve(Index size);
  /// Sets the size. The caller then fills the entries.
  void resize(Index size);
  Index size() const { return size_; }
  /// Column j of A from the diagonal down: rows j to size() - 1 are at [j] and following. r_j is at [size()].
  double* column(Index j) { return entries_.data() + j * stride_; }

  /// Returns false if a pivot is not above `smallest` times its diagonal entry. x has size() entries.
  bool solve(double smallest, double* x);

 private:
  bool factorize_panel(Index start, Index end);
  void update_trailing(Index start, Index end);
  void substitute_back(double* x) const;

  Index size_ = 0;
  Index stride_ = 0;
  std::vector<double> entries_;
  std::vector<double> least_;    // smallest accepted pivots
  std::vector<double> inverse_;  // 1 / pivot
  std::vector<double> scaled_;   // rows of the panel times the inverse pivots, transposed
};

}  // namespace slipstick::internal
