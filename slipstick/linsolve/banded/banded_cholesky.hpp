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
/// substitution (Litven 2013, Alg. 5.3): with D_i the diagonal blocks of L and C_i what lies below them,
///
///     Y_i = D_i^-1 (B_i - sum_(j<i) C_ij Y_j),        X_i = D_i^-T (Y_i - sum_(j>i) C_ji' X_j)
///
/// where the inverses of the D_i are found once, so that the substitution is matrix products alone.
///
/// Litven's blocks are as wide as the band, which leaves one C_i each but spends a third of the
/// substitution's flops on the inverses; here a block is a few times the width of the registers (see
/// block_size()), and the band several blocks. Within a block, what lies outside the band is left out. The
/// factorization goes from one block column to the next, subtracts the columns left of it, and takes k^2
/// flops per row with k the bandwidth; a substitution takes 4 k per row and right-hand side. The columns of L
/// are scaled by D_i^-T too, so that errors grow with the condition of the D_i, which is at most that of A.
///
/// Keeps its storage: no allocation for sizes up to those it had before.
class BandedCholesky {
 public:
  /// Returns false where a pivot is not positive or not finite; there is nothing to solve with then.
  bool factorize(const BandedMatrix& a);
  /// The same for the submatrix of the rows and columns `rows`, ascending.
  bool factorize(const BandedMatrix& a, std::span<const int> rows);
  /// The row at which the last factorization failed, -1 where it did not.
  Index failed_row() const { return failed_row_; }

  /// X <- A^-1 X, one column per right-hand side. What comes out for a column does not depend on the others.
  /// Allocates where X has more columns than any before, or than reserve() has asked for, up to 64.
  void solve(MatrixView x) const { substitute(x, true, true); }
  /// The two halves: X <- L^-1 X and X <- L^-T X.
  void solve_lower(MatrixView x) const { substitute(x, true, false); }
  void solve_upper(MatrixView x) const { substitute(x, false, true); }
  void reserve(Index columns) const;

  Index rows() const { return rows_; }
  Index bandwidth() const { return bandwidth_; }

  /// Rows and columns of a block: a multiple of 24, or 0 for the default, 24. Of 24, 48, 72 and 96, at
  /// bandwidths from 50 to 1000, it was the fastest or as fast as the fastest, for the factorization as for
  /// one to 50 right-hand sides: more columns of L would share a load, but more of a block lies outside the
  /// band.
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
  // Where the rows from i on of the d-th block below a diagonal one begin: the columns before are zero.
  Index first_column(Index d, Index i) const { return std::max<Index>(0, d * block_ + i - bandwidth_); }

  Index rows_ = 0;
  Index bandwidth_ = 0;
  Index wanted_block_ = 0;
  Index block_ = 24;
  Index blocks_ = 0;  // in a column of X
  Index below_ = 0;   // blocks below a diagonal one
  Index failed_row_ = -1;
  Array values_;      // of L, block by block; a diagonal block D is -D^-1
  Array column_;      // of A, from the diagonal block on
  Array triangle_;    // a diagonal block of L, then -D^-T
  Array transposed_;  // the blocks left of it, from the right to the left
  Array product_;     // a block of L under way
  mutable Array x_;   // right-hand sides, block by block, padded with zeros
  mutable Array y_;   // a block of them
  mutable PackSums sums_;
};

}  // namespace slipstick::internal
