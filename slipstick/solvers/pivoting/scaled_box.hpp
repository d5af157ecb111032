// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// A boxed problem in the form for pivoting: w = c + M z. Bounded rows come first and have z >= 0, and z <=
/// width if they have two bounds. The other rows have a free z and w = 0.
///
/// Fixed rows are substituted. Lower bounds are shifted to 0. Rows with only an upper bound are reflected.
/// Rows and columns are scaled to size 1 by powers of two. Their scales are independent, because
/// complementarity only needs signs. If rows and columns already have similar sizes, the matrix is scaled as
/// a whole.
class ScaledBox {
 public:
  void build(const Problem& problem);
  /// The size before build(): rows that are not fixed. The matrix is dense.
  static Index count_rows(const ProductSet& K);

  Index size() const { return static_cast<Index>(rows_.size()); }
  Index bounded() const { return bounded_; }
  /// The row of the problem for row k.
  Index row(Index k) const { return rows_[static_cast<std::size_t>(k)]; }
  /// c, then the columns of M. Users may change it. The next build() fills it again.
  DenseMatrix& matrix() { return matrix_; }
  const DenseMatrix& matrix() const { return matrix_; }
  /// Infinite if row k has one bound.
  double width(Index k) const { return width_[k]; }
  /// z = 0 means the upper bound.
  bool reflected(Index k) const { return sign_[k] < 0.0; }

  /// x at z = 0.
  const Vector& origin() const { return origin_; }
  /// Change of the row's x per unit of z.
  double unit(Index k) const { return sign_[k] * column_scale_[k] * unit_; }
  /// Change of row k's w = c + M z per unit of the row's w in the problem, but for the factor common_unit().
  double row_unit(Index k) const { return sign_[k] * row_scale_[k]; }
  double common_unit() const { return whole_ / unit_; }

 private:
  void classify(const Problem& problem);
  void fill(const Problem& problem);
  void scale();
  bool scale_as_a_whole();

  std::vector<int> rows_;
  Index bounded_ = 0;
  DenseMatrix matrix_;
  Vector origin_, sign_, width_, column_scale_, row_scale_;
  double unit_ = 1.0;   // unit of the constants
  double whole_ = 1.0;  // factor of the matrix and the constants
  Vector offset_, product_, scratch_;
  std::vector<int> place_;
};

}  // namespace slipstick::internal
