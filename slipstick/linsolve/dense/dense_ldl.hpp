// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

/// A x = r for a dense symmetric positive definite A by A = L D L', right-looking in panels. The right-hand
/// side is one more row of A, so that the factorization substitutes forward as it goes. Nothing is allocated
/// once the largest size has been there.
class DenseLdl {
 public:
  /// Makes room for matrices of up to this size.
  void reserve(Index size);
  /// For a matrix of this size; its entries are then to be put.
  void resize(Index size);
  Index size() const { return size_; }
  /// Column j of A from the diagonal down, rows j to size() - 1 at [j] and following, and r_j at [size()].
  double* column(Index j) { return entries_.data() + j * stride_; }

  /// Returns false where a pivot is not above `smallest` times its diagonal entry. x has size() entries.
  bool solve(double smallest, double* x);

 private:
  bool factorize_panel(Index start, Index end);
  void update_trailing(Index start, Index end);
  void substitute_back(double* x) const;

  Index size_ = 0;
  Index stride_ = 0;
  std::vector<double> entries_;
  std::vector<double> least_;    // pivots that are large enough
  std::vector<double> inverse_;  // of the pivots
  std::vector<double> scaled_;   // rows of the panel times the inverse pivots, transposed
};

}  // namespace slipstick::internal
