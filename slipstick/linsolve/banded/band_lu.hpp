// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/base/cache_lines.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/subtract_product.hpp"

namespace slipstick::internal {

/// A = L U of a banded matrix without pivoting, L unit lower triangular: what SPIKE does to each of its
/// partitions (Melanz 2015). L and U stay within the band, so the factorization costs 2 k^2 flops per row and
/// a substitution 4 k, with k the half-bandwidth. Where the band is narrower than elsewhere (an end of a
/// reverse Cuthill-McKee order), k of the factorization is that of the place.
///
/// A pivot that is small against its row and column of A is boosted: it is replaced by the threshold, its
/// sign kept, and counted. The factors are then those of a matrix that differs from A by as much, in that
/// entry.
///
/// The UL factorization is the same thing on the matrix with rows and columns in reverse order: with J the
/// exchange matrix, J A J = L U gives A = (J L J) (J U J), an upper times a lower triangular matrix.
///
/// Any block within the band is a dense block of the storage, with a stride of one less than its column
/// length. The band is widened by zeros, so that the blocked kernels may overhang its edge.
template <class Scalar>
class BandLu {
 public:
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

  /// A zero matrix to be filled through at(). Allocates nothing for sizes up to those it had before.
  void reset(Index rows, Index half_bandwidth) {
    resize(rows, half_bandwidth);
    clear(0, rows);
  }
  /// For those who fill a large matrix piece by piece: sizes alone, then zeros in columns [begin, end).
  void resize(Index rows, Index half_bandwidth);
  void clear(Index begin, Index end);
  /// The entry (i, j), |i - j| <= half_bandwidth.
  Scalar& at(Index i, Index j) { return storage_[static_cast<std::size_t>(offset_ + i + j * stride_)]; }

  Index rows() const { return rows_; }
  Index half_bandwidth() const { return half_bandwidth_; }

  /// Replaces A by its factors. A pivot is boosted where its size is not above `threshold` times the smaller
  /// of the largest entries of its row and its column (of all seen so far, where that is zero). Returns how
  /// many were. Where A is symmetric, half of the flops do.
  Index factorize(Scalar threshold, bool symmetric = false);
  /// Whether all pivots are finite: no overflow happened on the way.
  bool finite() const { return finite_; }

  /// x <- L^-1 x, for an x whose entries before `from` are zero and not touched.
  void forward(Scalar* x, Index from = 0) const;
  /// x <- U^-1 x, the entries from `to` on; those before are not touched.
  void backward(Scalar* x, Index to = 0) const;
  /// x <- A^-1 x
  void solve(Scalar* x) const {
    forward(x);
    backward(x);
  }

  /// The spike V = A^-1 [0; 0; B], B k x k: its last k rows, which cost O(k^3).
  void bottom_tip(const Matrix& b, Matrix& bottom) const;
  /// The same for the first k rows, which cost 2 k^2 flops per row of A; rows >= 2 k. `window` is scratch.
  void top_tip(const Matrix& b, Matrix& top, Matrix& window) const;

 private:
  using Array = std::vector<Scalar, CacheLines<Scalar>>;

  const Scalar& entry(Index i, Index j) const {
    return storage_[static_cast<std::size_t>(offset_ + i + j * stride_)];
  }
  Block<Scalar> block(Index i, Index j) { return {&at(i, j), stride_}; }
  Block<const Scalar> block(Index i, Index j) const { return {&entry(i, j), stride_}; }

  void measure_columns(Index begin, Index end);
  void factorize_panel(Index begin, Index end, Index last_row, Scalar threshold);
  void factorize_columns(Index begin, Index end, Index last_row, Scalar threshold);
  Scalar boosted(Scalar pivot, Index j, Scalar threshold);
  void find_upper(Index begin, Index end, Index first_column, Index last_column);
  void mirror(Index begin, Index end, Index last_column);
  void subtract_below(Index begin, Index end, Index first_column, Index last_column, Index last_row,
                      bool lower);
  void forward_block(Index from, Block<Scalar> x, Index columns) const;
  void backward_rows(Index begin, Index end, Index lowest, Block<Scalar> x, Index columns) const;

  Index rows_ = 0;
  Index half_bandwidth_ = 0;
  Index band_ = 0;    // the half-bandwidth, rounded up to whole SIMD packs
  Index panel_ = 1;   // columns that are eliminated together
  Index stride_ = 0;  // between columns in the same row of A
  Index offset_ = 0;  // of entry (0, 0)
  Index reach_ = 0;   // of the storage, from the diagonal to either side
  Array storage_;
  Array inverse_pivot_;
  Array packed_;                  // a chunk of a panel's L
  Array row_size_, column_size_;  // their largest entries in A
  std::vector<Index> extent_;     // past the last row of column j, and the last column that starts in row j
  Scalar largest_ = 0;            // of the columns measured so far
  Index boosted_ = 0;
  bool finite_ = true;
};

extern template class BandLu<double>;
extern template class BandLu<float>;

}  // namespace slipstick::internal
