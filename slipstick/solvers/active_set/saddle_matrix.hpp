// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/problem.hpp"
#include "slipstick/solvers/common/active_set.hpp"

namespace slipstick::internal {

/// The saddle point matrix of a QP with all its linear rows,
///
///     M = [ A + R, G' ; G, -D ]      in z = (x, -y),
///
/// with small diagonal shifts R >= 0 and D > 0. The saddle point system of a working set (Litven 2013, eq.
/// 2.6) is a principal submatrix of M. Its rows are the unknowns x whose bounds are not held, and the
/// multipliers of the held rows. Every change of the set is therefore an index that enters or leaves.
///
/// With D > 0, and R > 0 if A is singular, every such submatrix is quasi-definite. It has a factor for every
/// ordering, even if held rows are dependent. Only the factor has the shift of the rows: multiply() leaves it
/// out.
class SaddleMatrix {
 public:
  /// Takes the matrices. If they are the same as before, nothing is built. Sets R = 0, and D of the given
  /// size relative to the diagonal of G diag(A)^-1 G'. Without `assembled`, rows must not be read.
  void prepare(const Problem& problem, const ActiveSet& set, double row_shift, bool assembled = true);
  /// R = share times the diagonal of A.
  void shift_unknowns(const ActiveSet& set, double share);

  Index unknowns() const { return unknowns_; }
  Index rows() const { return shift_.size(); }
  /// R, then D.
  const Vector& shift() const { return shift_; }
  /// q = M z with D = 0
  void multiply(ConstVectorView z, VectorView q, int threads) const;
  /// Calls visit(column, value) for the entries of row k.
  template <class Visit>
  void for_each_in_row(Index k, const Visit& visit) const;

  const Operator& A() const { return a_; }
  /// Null if A is banded or not assembled.
  const CsrMatrix* sparse_a() const { return sparse_a_.get(); }
  /// Null if A is not banded.
  const BandedMatrix* banded_a() const { return banded_a_; }
  /// Null if there are no linear rows.
  const CsrMatrix* G() const { return g_.get(); }
  /// Changes whenever prepare() takes other matrices.
  int version() const { return version_; }

 private:
  Operator a_;
  std::shared_ptr<const CsrMatrix> sparse_a_, g_;
  const BandedMatrix* banded_a_ = nullptr;
  CsrMatrix transposed_g_;
  Index unknowns_ = 0;
  Vector shift_;
  int version_ = 0;
};

template <class Visit>
void SaddleMatrix::for_each_in_row(Index k, const Visit& visit) const {
  if (k >= unknowns_) {
    for (CsrMatrix::InnerIterator it(*g_, k - unknowns_); it; ++it) visit(Index{it.col()}, it.value());
    visit(k, -shift_[k]);
    return;
  }
  if (banded_a_ != nullptr) {
    const BandedMatrix& a = *banded_a_;
    const Index last = std::min(a.rows() - 1, k + a.bandwidth());
    for (Index j = std::max<Index>(0, k - a.bandwidth()); j < k; ++j) visit(j, a.lower()(k - j, j));
    for (Index j = k; j <= last; ++j) visit(j, a.lower()(j - k, k));
  } else {
    for (CsrMatrix::InnerIterator it(*sparse_a_, k); it; ++it) visit(Index{it.col()}, it.value());
  }
  if (shift_[k] != 0.0) visit(k, shift_[k]);
  if (g_ == nullptr) return;
  for (CsrMatrix::InnerIterator it(transposed_g_, k); it; ++it) visit(unknowns_ + it.col(), it.value());
}

}  // namespace slipstick::internal
