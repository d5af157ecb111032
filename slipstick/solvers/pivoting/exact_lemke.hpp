// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "slipstick/matrix.hpp"
#include "slipstick/solvers/pivoting/lemke_tableau.hpp"

namespace slipstick::internal {

/// Lemke's complementary pivoting in exact arithmetic, for an LCP on which rounding has misled LemkeTableau.
/// Doubles are dyadic rationals: powers of two for rows and columns make all numbers integers. The tableau
/// holds integers over one common denominator, the determinant of the basis (Edmonds; Bareiss 1968: every
/// division is without remainder). Ties are broken lexicographically (Cottle, Pang, Stone, sec. 4.9). No
/// basis can come back, so that the method ends with a solution or a ray.
///
/// The numbers are GMP's. Without GMP, load() returns false. GMP allocates where numbers grow.
class ExactLemke {
 public:
  ExactLemke();
  ~ExactLemke();

  /// Whether the library was built with GMP.
  static bool available();

  /// Starts at w = M z + q + 1 z_0 with every w basic. Infinite widths mean one bound. Returns false if
  /// pivots would be too costly, or if there is no GMP.
  bool load(const DenseMatrix& M, const Vector& q, const Vector& width);
  /// Brings z_0 into the basis. Returns false if the basis is already feasible.
  bool start();
  LemkeTableau::Outcome pivot();

  double artificial() const;
  void copy_basis(LemkeBasis& basis) const;

 private:
  struct Tableau;
  std::unique_ptr<Tableau> tableau_;
};

}  // namespace slipstick::internal
