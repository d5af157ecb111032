// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick::internal {

/// A symmetric matrix with a_ij = 0 for |i - j| > bandwidth. The lower half is stored: column j of the
/// storage holds a_jj, a_(j+1)j, ..., a_(j+bandwidth)j. This is LAPACK's lower banded form. Entries past the
/// last row are zero.
class BandedMatrix {
 public:
  BandedMatrix() = default;
  BandedMatrix(Index rows, Index bandwidth) : lower_(DenseMatrix::Zero(bandwidth + 1, rows)) {}
  /// Takes this storage. Throws Error if it has no rows. Entries past the last row are set to zero.
  explicit BandedMatrix(DenseMatrix lower);
  /// Finds the bandwidth of the symmetric matrix `a` and reads its lower half.
  explicit BandedMatrix(const CsrMatrix& a);

  Index rows() const { return lower_.cols(); }
  Index bandwidth() const { return lower_.rows() - 1; }
  Index nonzeros() const { return lower_.size(); }
  /// The storage, (bandwidth + 1) x rows.
  const DenseMatrix& lower() const { return lower_; }
  /// The stored entry (i, j), i >= j.
  double& at(Index i, Index j) { return lower_(i - j, j); }

  /// y = A x. Moves 8 (bandwidth + 1) bytes per row for the matrix, and x and y once.
  void multiply(ConstVectorView x, VectorView y, int threads) const;
  double row_dot(Index i, const double* x) const;
  double entry(Index i, Index j) const;
  CsrMatrix to_csr() const;

 private:
  DenseMatrix lower_ = DenseMatrix::Zero(1, 0);
};

}  // namespace slipstick::internal
