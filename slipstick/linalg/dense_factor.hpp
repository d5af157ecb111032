// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

// Factorizations of small dense matrices, compiled only once. Large ones are in linsolve.

/// A = L L': the lower triangle of `a` becomes L. Entries above the diagonal are neither read nor written.
/// Returns false if a pivot is not positive and finite. Allocates nothing.
bool cholesky(MatrixView a);
/// x <- (L L')^-1 x
void solve_cholesky(const Eigen::Ref<const DenseMatrix>& l, VectorView x);
/// R with R R' = A for a positive semidefinite A, by the Cholesky factorization with the largest pivot first.
DenseMatrix semidefinite_root(DenseMatrix a);

/// The smallest and the largest eigenvalue of a symmetric tridiagonal matrix, by bisection with Sturm's
/// sequence. `below` has one entry less than `diagonal`. `diagonal` has at least one entry. Allocates
/// nothing.
struct SpectrumEnds {
  double smallest = 0.0;
  double largest = 0.0;
};
SpectrumEnds tridiagonal_spectrum(ConstVectorView diagonal, ConstVectorView below);

/// A <- A^-1 by LU with partial pivoting. The result is not finite if A is singular. Up to `largest_small`
/// rows allocate nothing.
void invert(MatrixView a);
inline constexpr int largest_small = 12;  // two rigid bodies that share a block

/// P A = L U with partial pivoting.
class LuFactor {
 public:
  explicit LuFactor(const DenseMatrix& a);
  LuFactor(LuFactor&&) noexcept;
  ~LuFactor();
  /// The diagonal of U.
  Vector pivots() const;
  /// An estimate of 1 / (||A||_1 ||A^-1||_1).
  double rcond() const;
  DenseMatrix solve(const DenseMatrix& right_sides) const;

 private:
  struct Factor;
  std::unique_ptr<Factor> lu_;
};

}  // namespace slipstick::internal
