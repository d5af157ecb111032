// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "slipstick/solvers/interior_point/cone_unknowns.hpp"

namespace slipstick::internal {

/// The Newton matrix of an interior point method in the spectral frame Q of its barrier,
///
///     T + diag(l^2),   T = Q'(S A S) Q,
///
/// with S the scale of the unknowns. Near the end l^2 runs from 0 to infinity within one cone; in the frame
/// that is a matter of the diagonal alone, and what is factorized is the matrix scaled to a unit diagonal.
class BarrierMatrix {
 public:
  /// Takes A; does nothing where A, the unknowns and their scale are those it has. True where the pattern may
  /// be another one.
  bool prepare(const Operator& A, const ConeUnknowns& unknowns);
  /// False where the diagonal shows that A is not positive semidefinite, or a value is not finite. What is
  /// rounding on the diagonal of a cone's T counts as 8 epsilon of its trace.
  bool update(const BarrierTerms& terms);
  /// The lower triangle of U (T + l^2) U with the unit diagonal made 1 + regularization.
  const CsrMatrix& scaled_lower() const { return matrix_; }
  void regularize(double regularization);
  /// The diagonal of U.
  const Vector& unit() const { return unit_; }
  /// r = right side - (T + l^2) v; its norm in the scaled system.
  double residual(const Vector& right_side, const Vector& v, Vector& r) const;

 private:
  struct Place {
    int block;   // of the column
    int offset;  // of its first entry in each row of the block row
  };
  bool is_prepared(const Operator& A, const ConeUnknowns& unknowns) const;
  void find_pattern(const CsrMatrix& a);
  void copy_values(const CsrMatrix& a);
  void turn_blocks(const BarrierTerms& terms);

  Operator operator_;
  std::shared_ptr<const CsrMatrix> assembled_;
  std::vector<int> rows_;
  std::vector<ConeUnknowns::Block> blocks_;
  Vector scale_;

  // Lower triangles in one pattern, full blocks left of the diagonal ones.
  std::vector<int> unknown_of_;  // of a row, -1 where fixed
  std::vector<int> block_of_;    // of an unknown
  std::vector<int> cone_of_;     // of a block, -1 where it is no cone
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
