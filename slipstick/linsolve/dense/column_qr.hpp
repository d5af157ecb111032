// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

/// Householder QR of a matrix that grows and shrinks by columns, for searches that try columns and take them
/// back: appending costs O(rows * rank), taking back nothing. Columns that depend on earlier ones are kept
/// apart, so that singular systems can be solved and their null space is known.
class ColumnQr {
 public:
  /// Forgets all columns. Allocates nothing for sizes it had before.
  void reset(Index rows, Index max_columns);

  Index columns() const { return columns_; }
  Index rank() const { return rank_; }
  bool is_dependent(Index column) const { return dependent_[static_cast<std::size_t>(column)] != 0; }
  /// Of the columns appended last: its distance from the span of those before it, relative to its length.
  double independence() const { return independence_; }

  /// Returns false where the column depends on earlier ones: its distance from their span is below
  /// `tolerance` times its length.
  bool append(ConstVectorView column, double tolerance);
  /// Takes back all but the first `columns` columns.
  void truncate(Index columns);

  /// b <- Q'b, by the reflections of rows [from, rank) only: those that came after b was transformed last.
  void transform(VectorView b, Index from = 0) const;
  /// y with the columns' combination nearest to b, zero for dependent columns; takes Q'b. What is left of b
  /// is the part below row rank().
  void solve(ConstVectorView transformed, VectorView y) const;
  /// y with the columns' combination zero, 1 for the given dependent column and 0 for the others.
  void null_vector(Index column, VectorView y) const;

 private:
  void back_substitute(VectorView y) const;

  Index columns_ = 0;
  Index rank_ = 0;
  double independence_ = 1.0;
  DenseMatrix reflectors_;  // column r: unit vector of the reflection of rows r and below
  DenseMatrix R_;
  std::vector<Index> rank_before_;
  std::vector<char> dependent_;
  mutable Vector work_;
};

}  // namespace slipstick::internal
