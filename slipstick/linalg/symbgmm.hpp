// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/linalg/pack_sums.hpp"

namespace slipstick::internal {

/// Y = A X for a symmetric banded A and a dense X. This is "symbgmm" of Litven 2013, 6.2: SYMmetric Banded
/// matrix times General Matrix, in the style of BLAS.
///
///     y_ic = sum a_ik x_kc over k from max(0, i - bandwidth) to min(n - 1, i + bandwidth).
///
/// The blocks of A below the diagonal are taken one at a time. A block is copied once and filled with zeros
/// outside the band. It serves as itself and as its transpose above the diagonal. X and Y are taken in groups
/// of columns. The part of a group that the band reaches stays in the second-level cache. This takes 4
/// bandwidth flops per row and column. The storage is kept: sizes up to the largest earlier ones allocate
/// nothing.
class Symbgmm {
 public:
  /// X and Y must not overlap. One or two columns are multiplied separately, which is faster.
  void multiply(const BandedMatrix& a, const Eigen::Ref<const DenseMatrix>& x, MatrixView y);

 private:
  using Array = std::vector<double, Eigen::aligned_allocator<double>>;

  void multiply_columns(const BandedMatrix& a, Index columns);
  void copy_block(const BandedMatrix& a, Index column, Index d);

  Array block_;  // block of A
  Array x_, y_;  // a group of columns, block by block, padded with zeros
  PackSums sums_;
};

}  // namespace slipstick::internal
