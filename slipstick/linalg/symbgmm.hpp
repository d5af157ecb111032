// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/linalg/pack_sums.hpp"

namespace slipstick::internal {

/// Y = A X for a symmetric banded A and a dense X: "symbgmm" of Litven 2013, 6.2, a name in the manner of
/// BLAS for SYMmetric Banded matrix times General Matrix,
///
///     y_ic = sum a_ik x_kc over k from max(0, i - bandwidth) to min(n - 1, i + bandwidth).
///
/// One block of A at a time, below the diagonal: it is copied once, filled up with zeros where it reaches
/// past the band, and serves as itself and as its transpose above the diagonal. X and Y are taken in groups
/// of columns such that what the band reaches of them stays in the second cache. 4 bandwidth flops per row
/// and column. The object keeps its storage: no allocation for sizes up to those it had before.
class Symbgmm {
 public:
  /// X and Y may not overlap. One or two columns are multiplied one by one, which is faster.
  void multiply(const BandedMatrix& a, const Eigen::Ref<const DenseMatrix>& x, MatrixView y);

 private:
  using Array = std::vector<double, Eigen::aligned_allocator<double>>;

  void multiply_columns(const BandedMatrix& a, Index columns);
  void copy_block(const BandedMatrix& a, Index column, Index d);

  Array block_;  // of A
  Array x_, y_;  // a group of columns, block by block, padded with zeros
  PackSums sums_;
};

}  // namespace slipstick::internal
