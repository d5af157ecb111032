// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick::internal {

/// A square matrix, symmetric or not, with a_ij = 0 for |i - j| > k. k is the half-bandwidth. Column j of the
/// storage holds a_(j-k)j, ..., a_(j+k)j (LAPACK's general banded form with kl = ku = k; entries outside the
/// matrix are zero).
class GeneralBand {
 public:
  GeneralBand() = default;
  GeneralBand(Index rows, Index half_bandwidth);
  /// Finds the half-bandwidth from the entries.
  explicit GeneralBand(const CsrMatrix& a);

  Index rows() const { return columns_.cols(); }
  Index half_bandwidth() const { return columns_.rows() / 2; }
  /// The storage, (2k + 1) x rows.
  const DenseMatrix& columns() const { return columns_; }
  /// The stored entry (i, j), |i - j| <= k.
  double& at(Index i, Index j) { return columns_(half_bandwidth() + i - j, j); }
  double at(Index i, Index j) const { return columns_(half_bandwidth() + i - j, j); }
  /// Any entry, zero outside the band.
  double entry(Index i, Index j) const;

  /// y = A x
  void multiply(ConstVectorView x, VectorView y, int threads = 1) const;
  DenseMatrix to_dense() const;

 private:
  DenseMatrix columns_ = DenseMatrix::Zero(1, 0);
};

/// max |i - j| over the stored entries of a square matrix.
Index half_bandwidth(const CsrMatrix& a);

}  // namespace slipstick::internal
