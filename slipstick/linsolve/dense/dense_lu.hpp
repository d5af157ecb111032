// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

/// P A = L U of a dense square matrix, partial pivoting, right-looking in panels. The storage is kept, so
/// that a second factorization of the same size allocates nothing. Eigen's PartialPivLU allocates buffers for
/// its products from about 350 rows on.
class DenseLu {
 public:
  /// Returns false if a pivot is exactly zero or not finite. The factor must not be used then.
  bool factorize(const Eigen::Ref<const DenseMatrix>& a);

  Index rows() const { return lu_.rows(); }
  /// The column without a pivot, or -1 if there is none.
  Index singular_column() const { return singular_column_; }
  /// An estimate of 1 / (||A||_1 ||A^-1||_1). It is 0 if A is singular.
  double rcond() const;

  /// x <- A^-1 x
  void solve(VectorView x) const;
  /// x <- A'^-1 x
  void solve_transposed(VectorView x) const;
  /// One step of iterative refinement: x <- x + A^-1 (b - A x). A must be the factorized matrix.
  void refine(const Eigen::Ref<const DenseMatrix>& a, ConstVectorView b, VectorView x) const;

 private:
  bool factorize_panel(Index start, Index width);
  void update_trailing(Index start, Index width);

  DenseMatrix lu_;
  std::vector<Index> swaps_;  // row exchanged with row k at step k
  Index singular_column_ = -1;
  double norm_ = 0.0;  // ||A||_1
  mutable Vector work_;
  mutable Vector sign_;
};

}  // namespace slipstick::internal
