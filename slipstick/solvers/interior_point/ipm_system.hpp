// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/linsolve/sparse/sparse_cholesky.hpp"
#include "slipstick/solvers/interior_point/barrier_matrix.hpp"

namespace slipstick::internal {

/// The Newton systems of the interior point methods, (T + diag(l^2)) v = r in the frame of BarrierMatrix, by
/// the Cholesky factorization of the matrix scaled to a unit diagonal, which gets 1e-14 added (ten times as
/// much where that does not make it positive definite). Two steps of refinement, kept where they reduce the
/// residual.
class IpmSystem {
 public:
  /// Takes A; does nothing where A, the unknowns and their scale are those it has.
  void prepare(const Operator& A, const ConeUnknowns& unknowns);
  /// False where A is not positive semidefinite, or a value is not finite.
  bool factorize(const BarrierTerms& terms);
  void solve(const Vector& right_side, Vector& v);

 private:
  BarrierMatrix matrix_;
  SparseCholesky cholesky_;
  Vector work_, next_, next_work_;
};

}  // namespace slipstick::internal
