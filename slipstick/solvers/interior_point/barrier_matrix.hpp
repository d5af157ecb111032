// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "slipstick/linalg/operator.hpp"
#include "slipstick/solvers/interior_point/cone_unknowns.hpp"

namespace slipstick::internal {

/// The Newton matrix of an interior point method in the spectral frame Q of its barrier,
///
///     T + diag(l^2),   T = Q'(S A S) Q,
///
/// with S the scale of the unknowns. Near the end l^2 ranges from 0 to infinity within one cone. In the frame
/// only the diagonal has this range. The factorized matrix is scaled to a unit diagonal.
class BarrierMatrix {
 public:
  /// Takes A. If A, the unknowns and their scale are the same as before, it does nothing. Returns true if the
  /// pattern may be new.
  bool prepare(const Operator& A, const ConeUnknowns& unknowns);
  /// Returns false if the diagonal shows that A is not positive semidefinite, or if a value is not finite. A
  /// diagonal entry of a cone's T at the level of rounding counts as 8 epsilon of its trace.
  bool update(const BarrierTerms& terms);
  /// The lower triangle of U (T + l^2) U. regularize() makes its unit diagonal 1 + regularization.
  const CsrMatrix& scaled_lower() const { return matrix_; }
  void regularize(double regularization);
  /// The diagonal of U.
  const Vector& unit() const { return unit_; }
  /// r = right side - (T + l^2) v. Returns its norm in the scaled system.
  double residual(const Vector& right_side, const Vector& v, Vector& r) const;

 private:
  struct Place {
    int block;   // block of the column
    int offset;  // offset of its first entry in each row of the block row
  };
  bool is_prepared(const Operator& A, const ConeUnknowns& unknowns) const;
  void find_pattern(const CsrMatrix& a);
  void copy_values(const CsrMatrix& a);
  void turn_blocks(const BarrierTerms& terms);

  Operator operator_;
  Assembler assembler_;
  std::shared_ptr<const CsrMatrix> assembled_;
  std::vector<int> rows_;
  std::vector<ConeUnknowns::Block> blocks_;
  Vector scale_;

  // Lower triangles in one pattern, with full blocks left of the diagonal blocks.
  std::vector<int> unknown_of_;  // unknown of a row, -1 if the row is fixed
  std::vector<int> block_of_;    // block of an unknown
  std::vector<int> cone_of_;     // cone of a block, -1 if it is not a cone
  std::vector<int> place_start_;
  std::vector<Place> places_;
  std::vector<int> row_start_, columns_;
  std::vector<double> base_;    // S A S
  std::vector<double> turned_;  // T
  CsrMatrix matrix_;            // T + l^2, scaled
  Vector squares_, unit_;
  std::vector<int> offset_of_, stamp_, seen_;
};

}  // namespace slipstick::internal
