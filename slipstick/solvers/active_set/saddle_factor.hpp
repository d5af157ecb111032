// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/linsolve/banded/banded_cholesky.hpp"
#include "slipstick/linsolve/sparse/sparse_cholesky.hpp"
#include "slipstick/solvers/active_set/saddle_matrix.hpp"

namespace slipstick::internal {

/// The K_0 solve of Litven 2013, Alg. 3.1: a factor L S L', S = diag(+-1), of the principal submatrix of M
/// for a working set. It solves with many right-hand sides. Held bounds are eliminated (Alg. 5.1, eq.
/// 5.4-5.6). Without linear rows it is therefore the factor of the reduced Hessian, and S = I.
///
/// The l1 friction QP of Alg. 5.2 needs no class of its own. With each pair of unknowns turned by 45 degrees,
/// (x + y, x - y), its facets are bounds. Z'HZ of eq. 5.17 is then the reduced Hessian.
///
/// Right-hand sides have the rows of M. Rows outside the set must be zero, and they stay zero.
class SaddleFactor {
 public:
  virtual ~SaddleFactor() = default;
  /// `inside` marks the rows of the submatrix. Returns false if the submatrix is not quasi-definite.
  virtual bool factorize(const SaddleMatrix& matrix, const std::vector<char>& inside) = 0;
  /// X <- L^-1 X, one column per right-hand side. The rows of the result are in the order of the factor.
  virtual void solve_lower(MatrixView x) = 0;
  /// x <- L^-T S x. The rows of the result are in the order of M.
  virtual void solve_upper(VectorView x) = 0;
  /// x <- S x for a result of solve_lower().
  virtual void multiply_signs(VectorView x) const = 0;
};

/// For any sparse matrix: quasi-definite LDL'. Rows outside the set are replaced by rows of the identity. The
/// pattern, the ordering and the storage are therefore those of M for every set.
class SparseSaddleFactor : public SaddleFactor {
 public:
  bool factorize(const SaddleMatrix& matrix, const std::vector<char>& inside) override;
  void solve_lower(MatrixView x) override;
  void solve_upper(VectorView x) override;
  void multiply_signs(VectorView x) const override;

 private:
  void build(const SaddleMatrix& matrix);

  int version_ = 0;
  CsrMatrix lower_;
  std::vector<int> source_;  // source of an entry: entry of A, or -1 - entry of G, or neither
  std::vector<signed char> signs_;
  SparseCholesky cholesky_;
};

/// For a banded A without linear rows: banded Cholesky of the reduced Hessian, whose band is not wider. Many
/// right-hand sides are solved by block substitution (Litven 2013, section 5.2 and Alg. 5.3).
class BandedSaddleFactor : public SaddleFactor {
 public:
  bool factorize(const SaddleMatrix& matrix, const std::vector<char>& inside) override;
  void solve_lower(MatrixView x) override;
  void solve_upper(VectorView x) override;
  void multiply_signs(VectorView) const override {}

 private:
  template <class Solve>
  void without_outside(MatrixView x, const Solve& solve);

  std::vector<int> rows_;
  BandedMatrix shifted_;
  std::vector<double> block_;  // right-hand sides without the rows outside
  BandedCholesky cholesky_;
};

/// The factor class that suits the matrix.
std::unique_ptr<SaddleFactor> make_saddle_factor(const SaddleMatrix& matrix);

}  // namespace slipstick::internal
