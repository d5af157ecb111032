// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/linsolve/sparse/sparse_cholesky.hpp"
#include "slipstick/solvers/interior_point/barrier_matrix.hpp"

namespace slipstick::internal {

/// The Newton systems of the interior point methods, (T + diag(l^2)) v = r in the frame of BarrierMatrix. The
/// matrix is scaled to a unit diagonal and factorized by Cholesky. 1e-14 is added to its diagonal, and ten
/// times more as long as it is not positive definite. Two steps of refinement follow. A step is kept if it
/// reduces the residual.
class IpmSystem {
 public:
  /// Takes A. If A, the unknowns and their scale are the same as before, it does nothing.
  void prepare(const Operator& A, const ConeUnknowns& unknowns);
  /// Returns false if A is not positive semidefinite, or if a value is not finite.
  bool factorize(const BarrierTerms& terms);
  void solve(const Vector& right_side, Vector& v);

 private:
  BarrierMatrix matrix_;
  SparseCholesky cholesky_;
  Vector work_, next_, next_work_;
};

}  // namespace slipstick::internal
