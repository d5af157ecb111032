// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

/// Householder QR of a matrix that grows and shrinks by columns, for searches that try columns and remove
/// them again. Appending costs O(rows * rank), removing costs nothing. Columns that depend on earlier ones
/// are marked. Singular systems can therefore be solved, and their null space is known.
class ColumnQr {
 public:
  /// Removes all columns. Allocates nothing for the same sizes as before.
  void reset(Index rows, Index max_columns);

  Index columns() const { return columns_; }
  Index rank() const { return rank_; }
  bool is_dependent(Index column) const { return dependent_[static_cast<std::size_t>(column)] != 0; }
  /// The distance of the last appended column from the span of the columns before it, relative to the
  /// column's length.
  double independence() const { return independence_; }

  /// Returns false if the column depends on earlier ones: its distance from their span is below `tolerance`
  /// times its length.
  bool append(ConstVectorView column, double tolerance);
  /// Removes all columns but the first `columns`.
  void truncate(Index columns);

  /// b <- Q'b, only by the reflections of rows [from, rank). `from` is the rank at the last transformation of
  /// b.
  void transform(VectorView b, Index from = 0) const;
  /// Least squares: y gives the combination of columns nearest to b, and is zero for dependent columns. The
  /// argument is Q'b. The residual is the part of Q'b below row rank().
  void solve(ConstVectorView transformed, VectorView y) const;
  /// A null vector y: 1 for the given dependent column, 0 for the other dependent columns.
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
