// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/base/cache_lines.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/subtract_product.hpp"

namespace slipstick::internal {

/// A = L U of a banded matrix without pivoting, L unit lower triangular. SPIKE factorizes each of its
/// partitions in this way (Melanz 2015). L and U stay within the band. With the half-bandwidth k, the
/// factorization costs 2 k^2 flops per row and a substitution 4 k. If the band is locally narrower (at an end
/// of a reverse Cuthill-McKee order), the factorization uses the local k.
///
/// A pivot that is small against its row and column of A is boosted: the threshold replaces it, with the same
/// sign. Boosted pivots are counted. The factors then belong to a matrix that differs from A by the boost in
/// that entry.
///
/// The same class makes the UL factorization: reverse the order of rows and columns. With the exchange matrix
/// J, J A J = L U gives A = (J L J) (J U J), an upper times a lower triangular matrix.
///
/// Any block within the band is a dense block of the storage. Its stride is one less than the column length
/// of the storage. Zeros widen the band, so that the blocked kernels may overhang its edge.
template <class Scalar>
class BandLu {
 public:
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

  /// Sets a zero matrix. Fill it through at(). Allocates nothing for sizes up to the largest earlier ones.
  void reset(Index rows, Index half_bandwidth) {
    resize(rows, half_bandwidth);
    clear(0, rows);
  }
  /// For a caller that fills a large matrix chunk by chunk: resize() sets the sizes only, clear() zeroes
  /// columns [begin, end).
  void resize(Index rows, Index half_bandwidth);
  void clear(Index begin, Index end);
  /// The entry (i, j), |i - j| <= half_bandwidth.
  Scalar& at(Index i, Index j) { return storage_[static_cast<std::size_t>(offset_ + i + j * stride_)]; }

  Index rows() const { return rows_; }
  Index half_bandwidth() const { return half_bandwidth_; }

  /// Replaces A by its factors. A pivot is boosted if its size is at most `threshold` times a reference size.
  /// The reference is the smaller of the largest entries of its row and its column. If that is zero, it is
  /// the largest entry seen so far. Returns the number of boosted pivots. A symmetric matrix takes half of
  /// the flops.
  Index factorize(Scalar threshold, bool symmetric = false);
  /// False if a pivot is not finite, because of an overflow.
  bool finite() const { return finite_; }

  /// x <- L^-1 x. The entries of x before `from` are zero and are not touched.
  void forward(Scalar* x, Index from = 0) const;
  /// x <- U^-1 x for the entries from `to` on. The entries before `to` are not touched.
  void backward(Scalar* x, Index to = 0) const;
  /// x <- A^-1 x
  void solve(Scalar* x) const {
    forward(x);
    backward(x);
  }

  /// The last k rows of the spike V = A^-1 [0; 0; B], with B k x k. They cost O(k^3).
  void bottom_tip(const Matrix& b, Matrix& bottom) const;
  /// The first k rows of the spike. They cost 2 k^2 flops per row of A. Needs rows >= 2 k. `window` is
  /// scratch.
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
  Index stride_ = 0;  // distance between neighbouring columns in the same row of A
  Index offset_ = 0;  // position of entry (0, 0)
  Index reach_ = 0;   // rows of the storage on either side of the diagonal
  Array storage_;
  Array inverse_pivot_;
  Array packed_;                  // copy of a chunk of a panel's L
  Array row_size_, column_size_;  // largest entry of each row and column of A
  // Past the last row of column j, and past the last column that starts in row j.
  std::vector<Index> extent_;
  Scalar largest_ = 0;  // largest entry of the columns measured so far
  Index boosted_ = 0;
  bool finite_ = true;
};

extern template class BandLu<double>;
extern template class BandLu<float>;

}  // namespace slipstick::internal
