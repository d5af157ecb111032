// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/base/cache_lines.hpp"
#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/linalg/pack_sums.hpp"

namespace slipstick::internal {

/// A = L L' of a symmetric positive definite banded matrix, and A X = B for many right-hand sides by block
/// substitution (Litven 2013, Alg. 5.3). With the diagonal blocks D_i of L and the blocks C_ij below them:
///
///     Y_i = D_i^-1 (B_i - sum_(j<i) C_ij Y_j),        X_i = D_i^-T (Y_i - sum_(j>i) C_ji' X_j)
///
/// The inverses of the D_i are computed once, so that the substitution consists of matrix products only.
///
/// Litven's blocks are as wide as the band. They leave one C_i per block column, but spend a third of the
/// substitution's flops on the inverses. Here a block is a few SIMD registers wide (see block_size()), and
/// the band has several blocks. Within a block, the columns outside the band are left out. The factorization
/// takes one block column after the other and subtracts the columns left of it. It costs k^2 flops per row,
/// with the bandwidth k. A substitution costs 4 k per row and right-hand side. The columns of L are scaled by
/// D_i^-T too. Errors therefore grow with the condition of the D_i, which is at most the condition of A.
///
/// The storage is kept: sizes up to the largest earlier ones allocate nothing.
class BandedCholesky {
 public:
  /// Returns false if a pivot is not positive or not finite. The factor must not be used then.
  bool factorize(const BandedMatrix& a);
  /// Factorizes the submatrix of the rows and columns `rows`, which are in ascending order.
  bool factorize(const BandedMatrix& a, std::span<const int> rows);
  /// The row at which the last factorization failed, or -1 if it did not fail.
  Index failed_row() const { return failed_row_; }

  /// X <- A^-1 X, one column per right-hand side. The result of a column does not depend on the other
  /// columns. Allocates if X has more columns than ever before and than reserve() asked for, counted up to
  /// 64.
  void solve(MatrixView x) const { substitute(x, true, true); }
  /// The two halves: X <- L^-1 X and X <- L^-T X.
  void solve_lower(MatrixView x) const { substitute(x, true, false); }
  void solve_upper(MatrixView x) const { substitute(x, false, true); }
  void reserve(Index columns) const;

  Index rows() const { return rows_; }
  Index bandwidth() const { return bandwidth_; }

  /// Rows and columns of a block: a multiple of 24, or 0 for the default, 24. 24, 48, 72 and 96 were compared
  /// at bandwidths from 50 to 1000, for the factorization and for 1 to 50 right-hand sides. 24 was always the
  /// fastest or as fast as the fastest. In larger blocks more columns of L share a load, but more of each
  /// block lies outside the band.
  void set_block_size(Index size);
  Index block_size() const { return block_; }

 private:
  using Array = std::vector<double, CacheLines<double>>;

  void resize(Index rows, Index bandwidth);
  template <class LoadColumn>
  bool factorize_columns(const LoadColumn& load);
  void split_column(Index j, Index count);
  void transpose_left(Index column);
  void transpose(const double* from, double* to) const;
  void subtract_left(Index row, Index column);
  bool invert_diagonal(Index column);
  void divide(Index row, Index column);
  void substitute(MatrixView x, bool lower, bool upper) const;
  void prefetch_next(const double* p) const;
  void forward(Index columns) const;
  void backward(Index columns) const;

  // Block (i, j), j <= i <= j + below_, column by column.
  double* block(Index i, Index j) { return values_.data() + (j * (below_ + 1) + i - j) * block_ * block_; }
  const double* block(Index i, Index j) const {
    return values_.data() + (j * (below_ + 1) + i - j) * block_ * block_;
  }
  Index first_left(Index row) const { return std::max<Index>(0, row - below_); }
  Index last_row(Index column) const { return std::min(blocks_ - 1, column + below_); }
  // The first nonzero column in the rows from i on of the d-th block below a diagonal block.
  Index first_column(Index d, Index i) const { return std::max<Index>(0, d * block_ + i - bandwidth_); }

  Index rows_ = 0;
  Index bandwidth_ = 0;
  Index wanted_block_ = 0;
  Index block_ = 24;
  Index blocks_ = 0;  // number of block rows
  Index below_ = 0;   // blocks below a diagonal block
  Index failed_row_ = -1;
  Array values_;      // L, block by block; a diagonal block D is stored as -D^-1
  Array column_;      // one column of A, from the diagonal block on
  Array triangle_;    // a diagonal block of L, then -D^-T
  Array transposed_;  // the blocks left of the diagonal block, from right to left
  Array product_;     // the block of L that is being computed
  mutable Array x_;   // right-hand sides, block by block, padded with zeros
  mutable Array y_;   // one block of right-hand sides
  mutable PackSums sums_;
};

}  // namespace slipstick::internal
