// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "slipstick/linalg/component_inverse.hpp"
#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick::internal {

/// A = H' M^-1 H + C, never assembled, with M sparse, symmetric and positive definite, and C diagonal. M is,
/// for example, the mass and stiffness of an elastic body. If such a body has many contacts, A would be
/// dense. A product goes through the velocities v = M^-1 H x, with two substitutions with the factor of M. A
/// single row, or a change of a single x_i, costs as much as a product.
class CondensedOperator {
 public:
  /// `inverse` is the inverse of M, which must not be singular. H has one column per row of A. An empty
  /// compliance is zero.
  CondensedOperator(std::shared_ptr<const CsrMatrix> mass, std::shared_ptr<const ComponentInverse> inverse,
                    const CsrMatrix& h, const Vector& compliance = {});

  Index rows() const { return transposed_h_.rows(); }
  Index dofs() const { return transposed_h_.cols(); }
  Index nonzeros() const { return transposed_h_.nonZeros(); }
  const CsrMatrix& mass() const { return *mass_; }
  const ComponentInverse& inverse() const { return *inverse_; }
  /// H', rows x dofs.
  const CsrMatrix& transposed_h() const { return transposed_h_; }
  /// The diagonal of C.
  const Vector& compliance() const { return compliance_; }
  double bytes_per_product() const;

  /// The result has the same bits for any number of threads: it uses one.
  void multiply(ConstVectorView x, VectorView y, int threads) const;
  /// v = M^-1 H x
  void body_velocities(ConstVectorView x, VectorView v, int threads) const;

  // For Gauss-Seidel sweeps, which keep v up to date.
  /// Row i of H' v (without C x).
  double row_velocity(Index i, const double* v) const { return row_dot(transposed_h_, i, v); }
  /// v += M^-1 H_i change
  void apply_impulse(Index i, double change, double* v) const;

  double entry(Index i, Index j) const;
  const Vector& diagonal() const { return diagonal_; }
  CsrMatrix to_csr() const;
  /// The operator restricted to the given rows (sorted, unique).
  CondensedOperator principal_submatrix(std::span<const int> rows) const;

 private:
  struct Transposed {};
  CondensedOperator(Transposed, std::shared_ptr<const CsrMatrix> mass,
                    std::shared_ptr<const ComponentInverse> inverse, CsrMatrix transposed_h,
                    Vector compliance);

  std::shared_ptr<const CsrMatrix> mass_;
  std::shared_ptr<const ComponentInverse> inverse_;
  CsrMatrix transposed_h_;
  Vector compliance_, diagonal_;
  mutable ScratchPool scratch_;  // velocities, for products
};

}  // namespace slipstick::internal
