// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/linalg/operator.hpp"
#include "slipstick/linalg/sparsity_pattern.hpp"
#include "slipstick/linsolve/dense/dense_lu.hpp"
#include "slipstick/linsolve/sparse/block_lu.hpp"
#include "slipstick/linsolve/sparse/sparse_cholesky.hpp"
#include "slipstick/linsolve/sparse/sparse_lu.hpp"

namespace slipstick::internal {

/// Linear systems J p = r with J = diag(s) + diag(t) A. They are the Newton systems of semismooth methods.
/// With s and t in {0, 1} they are the systems of an active set. Rows and columns are scaled. The solve is
/// refined once. Dense LU serves up to `dense_rows` rows or a dense A. Otherwise it is block LU, which is
/// many times as fast as sparse LU but exchanges rows in its panels only. If its answer to a test is not
/// accurate, sparse LU takes its place.
///
/// If J is singular, the damped system minimizes ||J p - r||^2 + mu ||C^-1 p||^2 (Levenberg-Marquardt). C
/// scales the columns to size 1. The system is [I, JC; C'J', -mu I], so that the condition is not squared. It
/// is quasi-definite: any order of the pivots serves. If a pivot has the wrong sign by rounding, mu grows.
class RowSystem {
 public:
  explicit RowSystem(Index dense_rows = 200) : dense_rows_(dense_rows) {}

  /// Takes the matrix. If its storage is the same as before, nothing is done or allocated.
  void prepare(const Operator& A);
  /// Returns false if J is singular to working precision.
  bool factorize(const Vector& s, const Vector& t);
  /// Returns false only if a value is not finite. mu > 0.
  bool factorize_damped(const Vector& s, const Vector& t, double mu);
  /// Uses the last successful factorization.
  void solve(ConstVectorView r, VectorView p);
  /// g = J' y
  void multiply_transposed(const Vector& s, const Vector& t, const Vector& y, Vector& g);

 private:
  void set_values(const Vector& s, const Vector& t);
  void scale();
  void build_sparse(const CsrMatrix& a);
  void build_damped();
  bool factorize_blocks();

  Index dense_rows_;
  Operator operator_;
  Index n_ = 0;
  bool dense_ = true;
  bool damped_ = false;
  Vector row_scale_, column_scale_;
  Vector right_side_, scaled_, work_, correction_;

  DenseMatrix a_, jacobian_, augmented_;
  DenseLu dense_lu_, dense_damped_lu_;

  // Sparse J has the pattern of A and the diagonal. Entry k of J is entry source_[k] of A, or -1 if A has
  // none.
  std::shared_ptr<const CsrMatrix> sparse_a_;
  SparsityPattern pattern_;
  std::vector<int> source_;
  CsrMatrix sparse_jacobian_;
  std::vector<int> ones_;  // sizes of the blocks
  BlockLu block_lu_;
  bool by_blocks_ = false;  // the last factorization is that of block_lu_
  SparseLu sparse_lu_;
  // The lower triangle of the augmented matrix, the position of entry k of J in it, and the signs of pivots.
  CsrMatrix sparse_augmented_;
  std::vector<int> lower_place_;
  std::vector<signed char> signs_;
  SparseCholesky damped_factor_;
};

}  // namespace slipstick::internal
