// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "slipstick/linsolve/sparse_cholesky.hpp"
#include "slipstick/solvers/ipm_barrier.hpp"

namespace slipstick {

/// The Newton systems of the interior point method in the spectral frame Q of its scalings,
///
///     (T + diag(l^2)) v = r,   T = Q'(S A S) Q,
///
/// with S the barrier's scale. Near the end l^2 runs from 0 to infinity within one cone; in the frame that is
/// a matter of the diagonal alone, and the factorization is of the matrix scaled to a unit diagonal, which
/// gets 1e-14 added (ten times as much where that does not make it positive definite). Two steps of
/// refinement, kept where they reduce the residual.
class IpmSystem {
 public:
  /// Takes A; does nothing where A, the unknowns and their scale are those it has.
  void prepare(const Operator& A, const IpmBarrier& barrier);
  /// False where A is not positive semidefinite, or a value is not finite.
  bool factorize(const IpmBarrier& barrier);
  void solve(const Vector& right_side, Vector& v);

 private:
  struct Place {
    int block;   // of the column
    int offset;  // of its first entry in each row of the block row
  };
  bool is_prepared(const Operator& A, const IpmBarrier& barrier) const;
  void find_pattern(const CsrMatrix& a, const IpmBarrier& barrier);
  void copy_values(const CsrMatrix& a, const IpmBarrier& barrier);
  void turn_blocks(const IpmBarrier& barrier);
  double residual(const Vector& right_side, const Vector& v, Vector& r) const;

  Operator operator_;
  std::shared_ptr<const CsrMatrix> assembled_;
  std::vector<int> rows_;
  std::vector<IpmBarrier::Block> blocks_;
  Vector scale_;

  // Lower triangles in one pattern, full blocks left of the diagonal ones.
  std::vector<int> unknown_of_;  // of a row, -1 where fixed
  std::vector<int> block_of_;    // of an unknown
  std::vector<int> place_start_;
  std::vector<Place> places_;
  std::vector<int> row_start_, columns_;
  std::vector<double> base_;    // S A S
  std::vector<double> turned_;  // T
  CsrMatrix matrix_;            // T + l^2, scaled
  Vector squares_, unit_;
  SparseCholesky cholesky_;
  Vector work_, next_, next_work_;
  std::vector<int> offset_of_, stamp_, seen_;
};

}  // namespace slipstick
