// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick {

/// Compressed sparse rows of dense 3x3 blocks, each stored row by row: what a contact problem's matrix looks
/// like.
class BlockCsrMatrix {
 public:
  static constexpr int block_size = 3;
  static constexpr int block_entries = 9;

  BlockCsrMatrix() = default;
  /// Groups a matrix whose size is a multiple of three; a block with any entry is stored whole.
  explicit BlockCsrMatrix(const CsrMatrix& a);

  Index rows() const { return block_size * block_rows(); }
  Index block_rows() const { return static_cast<Index>(row_start_.size()) - 1; }
  Index nonzeros() const { return static_cast<Index>(values_.size()); }
  const std::vector<int>& row_start() const { return row_start_; }
  const std::vector<int>& columns() const { return columns_; }
  const std::vector<double>& values() const { return values_; }

  /// y = A x. Moves 76 bytes per block, 4 per block row pointer, 8 per row of y, and x at least once.
  void multiply(ConstVectorView x, VectorView y, int threads) const;
  double row_dot(Index i, const double* x) const;
  /// The three inner products of the block row that starts at row `start` with x.
  void block_row_dot(Index start, const double* x, double* product) const;
  double entry(Index i, Index j) const;
  CsrMatrix to_csr() const;

 private:
  std::vector<int> row_start_ = {0};
  std::vector<int> columns_;    // block columns, sorted within a block row
  std::vector<double> values_;  // nine per block
};

}  // namespace slipstick
