// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/solvers/interior_point/cone_unknowns.hpp"

namespace slipstick::internal {

/// The Newton matrix of an interior point method on a body graph, A = J M^-1 J' + C, reduced to the bodies.
/// It uses the spectral frame Q of the barrier, the scale S of the unknowns, and M^-1 = L L'. R is the
/// Cholesky factor of each block of diag(l^2) + Q'S C S Q. Then
///
///     Q'(S A S) Q + diag(l^2) = R (I + Y Y') R',   Y = R^-1 Q'S J L,
///     (I + Y Y')^-1 = I - Y (I + Y'Y)^-1 Y'.
///
/// Y'Y couples bodies that touch each other. The matrix on the contacts couples the contacts of a body. In a
/// packing of spheres Y'Y has two thirds of the rows and of the bandwidth, so its elimination costs a third.
/// Every unknown needs a positive l^2 or compliance. If that is small against A, the inverse loses digits,
/// because it is the difference of two large matrices. It serves as a preconditioner. An l^2 below 1e-12
/// counts as 1e-12.
class BodyMatrix {
 public:
  /// True if A is a body graph with fewer degrees of freedom than unknowns, and every unknown has a barrier
  /// or compliance.
  bool suits(const Operator& A, const ConeUnknowns& unknowns);
  /// Takes an A that suits. If A, the unknowns and their scale are the same as before, it does nothing.
  /// Returns true if the pattern may be new.
  bool prepare(const Operator& A, const ConeUnknowns& unknowns);
  /// Returns false if a value is not finite.
  bool update(const BarrierTerms& terms);
  /// U (I + Y'Y) U with a unit diagonal. Both triangles are stored.
  const CsrMatrix& scaled() const { return matrix_; }

  // The parts of the inverse, for those who apply it elsewhere.
  int dofs() const { return dofs_; }
  int bodies() const { return static_cast<int>(row_step_.size()); }
  const std::vector<ConeUnknowns::Block>& blocks() const { return blocks_; }
  /// The bodies of every block, the start of each block in them, and S J L: 3 x dofs numbers per touch.
  const std::vector<int>& touches() const { return touches_; }
  const std::vector<std::size_t>& touch_start() const { return touch_start_; }
  const std::vector<double>& jacobian() const { return base_; }
  /// S C S and R^-1, by block.
  const std::vector<ConePoint>& compliance() const { return compliance_; }
  const std::vector<Eigen::Matrix3d>& inverse_factors() const { return inverse_factor_; }
  /// The diagonal of U.
  const Vector& unit() const { return unit_; }

  /// z = R'^-1 (I - Y U N^-1 U Y') R^-1 r. solve(t) replaces t by N^-1 t, with N = scaled().
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

  int dofs_ = 0;                          // degrees of freedom of a body
  std::vector<int> body_of_;              // by the operator's number, -1 if no unknown touches the body
  std::vector<int> touches_;              // the bodies of every block
  std::vector<std::size_t> touch_start_;  // start of each block in touches_
  std::vector<int> place_;                // place of the matrix block of every pair of a block's bodies
  std::vector<int> row_step_;             // number of entries in each row of a body
  std::vector<int> diagonal_;             // place of the diagonal entry of each row
  std::vector<double> base_;              // S J L: 3 rows per touch, zeros if the block has fewer
  std::vector<double> turned_;            // Y, in the same layout
  std::vector<ConePoint> compliance_;     // S C S, by block
  std::vector<Eigen::Matrix3d> inverse_factor_;  // R^-1, by block
  CsrMatrix matrix_;
  Vector unit_, on_bodies_;
  std::vector<char> bounded_;  // 1: the unknown has a barrier
};

}  // namespace slipstick::internal
