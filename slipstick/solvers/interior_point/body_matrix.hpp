// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/solvers/interior_point/cone_unknowns.hpp"

namespace slipstick::internal {

/// The Newton matrix of an interior point method on a body graph, A = J M^-1 J' + C, reduced to the bodies.
/// In the spectral frame Q of the barrier, with S the scale of the unknowns, M^-1 = L L' and the Cholesky
/// factor R of every block of diag(l^2) + Q'S C S Q,
///
///     Q'(S A S) Q + diag(l^2) = R (I + Y Y') R',   Y = R^-1 Q'S J L,
///     (I + Y Y')^-1 = I - Y (I + Y'Y)^-1 Y'.
///
/// Y'Y couples bodies that touch each other, where the matrix on the contacts couples the contacts of a body.
/// In a packing of spheres it has two thirds of the rows and of the bandwidth, so its elimination costs a
/// third. It takes a positive l^2 or compliance in every unknown; where that is small against A, the inverse
/// loses digits, for it is the difference of two large matrices. It is meant for a preconditioner, and an l^2
/// of less than 1e-12 counts as that.
class BodyMatrix {
 public:
  /// Whether A is a body graph with fewer degrees of freedom than there are unknowns, and every unknown has a
  /// barrier or compliance.
  bool suits(const Operator& A, const ConeUnknowns& unknowns);
  /// Takes an A that suits; does nothing where A, the unknowns and their scale are those it has. True where
  /// the pattern may be another one.
  bool prepare(const Operator& A, const ConeUnknowns& unknowns);
  /// False where a value is not finite.
  bool update(const BarrierTerms& terms);
  /// U (I + Y'Y) U with a unit diagonal, both triangles.
  const CsrMatrix& scaled() const { return matrix_; }
  /// z = R'^-1 (I - Y U N^-1 U Y') R^-1 r, with solve(t) replacing t by N^-1 t for the N of scaled().
  template <class Solve>
  void apply_inverse(const Vector& r, Vector& z, const Solve& solve) {
    to_bodies(r, z);
    solve(on_bodies_);
    from_bodies(z);
  }

 private:
  bool is_prepared(const Operator& A, const ConeUnknowns& unknowns) const;
  void list_touches(const CsrMatrix& jacobian);
  void find_pattern();
  void copy_values(const DelassusOperator& a, const CsrMatrix& jacobian);
  void add_square(std::size_t block, const int*& place);
  void scale_to_unit_diagonal();
  void to_bodies(const Vector& r, Vector& z);
  void from_bodies(Vector& z);

  using Rows = Eigen::Map<Eigen::Matrix<double, 3, Eigen::Dynamic>>;
  using ConstRows = Eigen::Map<const Eigen::Matrix<double, 3, Eigen::Dynamic>>;
  ConstRows rows_of(const std::vector<double>& values, std::size_t touch) const {
    return {values.data() + 3 * touch * static_cast<std::size_t>(dofs_), 3, dofs_};
  }
  Rows rows_of(std::vector<double>& values, std::size_t touch) const {
    return {values.data() + 3 * touch * static_cast<std::size_t>(dofs_), 3, dofs_};
  }
  static ConePoint segment(const Vector& v, const ConeUnknowns::Block& block);

  Operator operator_;
  bool prepared_ = false;
  std::vector<int> rows_;
  std::vector<ConeUnknowns::Block> blocks_;
  Vector scale_;

  int dofs_ = 0;                                 // of a body
  std::vector<int> body_of_;                     // by the operator's number, -1 where no unknown touches it
  std::vector<int> touches_;                     // the bodies of every block
  std::vector<std::size_t> touch_start_;         // of a block
  std::vector<int> place_;                       // of the matrix block of every pair of a block's bodies
  std::vector<int> row_step_;                    // of a body: entries in each of its rows
  std::vector<int> diagonal_;                    // of a row, its place
  std::vector<double> base_;                     // S J L: 3 rows per touch, zeros where the block has fewer
  std::vector<double> turned_;                   // Y, the same way
  std::vector<ConePoint> compliance_;            // S C S, by block
  std::vector<Eigen::Matrix3d> inverse_factor_;  // R^-1, by block
  CsrMatrix matrix_;
  Vector unit_, on_bodies_;
  std::vector<char> bounded_;  // of an unknown: whether it has a barrier
};

}  // namespace slipstick::internal
