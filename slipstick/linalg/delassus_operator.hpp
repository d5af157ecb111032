// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/base/disjoint_sets.hpp"
#include "slipstick/linalg/compact_contact_jacobian.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/scratch_pool.hpp"
#include "slipstick/matrix.hpp"

namespace slipstick::internal {

/// A = J M^-1 J' + C over a body graph, never assembled. M is block diagonal with one block per body, C is
/// diagonal. A product goes through the bodies: v = M^-1 J' x, y = J v + C x.
///
/// A product reads J twice. With d degrees of freedom per body and r rows per constraint, it moves 32 d r
/// bytes per constraint for J. It also moves 32 bytes for its bodies, and the vectors. Contacts of rigid
/// bodies in space take 240 bytes instead of 576 (see CompactContactJacobian). The sums over the constraints
/// of a body run in the order of the constraints. The bits therefore do not depend on the number of threads.
class DelassusOperator {
 public:
  /// An operator without bodies and rows.
  DelassusOperator() = default;
  /// inverse_mass: for each body its symmetric d x d block row by row, or its d diagonal entries. jacobian:
  /// for each constraint its rows x d block for the first body, then for the second, each row by row. The
  /// block of a ground body is present and ignored. compliance: the diagonal of C, one entry per row.
  DelassusOperator(int dofs_per_body, Index bodies, const std::vector<double>& inverse_mass,
                   const std::vector<Constraint>& constraints, const std::vector<double>& jacobian,
                   const Vector& compliance);
  /// Sets another operator. Allocates nothing if the last operator had the same sizes.
  void set(int dofs_per_body, Index bodies, std::span<const double> inverse_mass,
           std::span<const Constraint> constraints, std::span<const double> jacobian,
           ConstVectorView compliance);

  Index rows() const { return compliance_.size(); }
  Index bodies() const { return bodies_; }
  int dofs_per_body() const { return dofs_; }
  Index dofs() const { return bodies_ * dofs_; }
  Index nonzeros() const { return static_cast<Index>(jacobian_.size()); }
  std::span<const Constraint> constraints() const { return constraints_; }
  const Vector& compliance() const { return compliance_; }
  /// The constraint of a row.
  int constraint_of(Index row) const { return row_constraint_[static_cast<std::size_t>(row)]; }
  /// The stored numbers. The numbers of ground bodies are ignored.
  std::span<const double> jacobian_values() const { return jacobian_; }
  std::span<const double> inverse_mass_values() const { return inverse_mass_; }
  /// The numbers of J as set() takes them: constraint by constraint, the first body before the second.
  std::vector<double> jacobian_by_constraint() const;
  /// The same with another C.
  DelassusOperator with_compliance(ConstVectorView compliance) const;
  double bytes_per_product() const;

  void multiply(ConstVectorView x, VectorView y, int threads) const;
  /// v = M^-1 J' x
  void body_velocities(ConstVectorView x, VectorView v, int threads) const;
  /// y = J v + C x
  void row_velocities(ConstVectorView v, ConstVectorView x, VectorView y, int threads) const;

  // For Gauss-Seidel sweeps, which keep the body velocities v up to date.
  /// Row i of J v (without C x).
  double row_velocity(Index i, const double* v) const;
  /// v += M^-1 J_i' change
  void apply_impulse(Index i, double change, double* v) const;

  /// The rows of J of a constraint, row by row, for its first or second body.
  const double* block(std::size_t constraint, int side) const {
    return jacobian_.data() + static_cast<std::size_t>(side) * (jacobian_.size() / 2) + offset_[constraint];
  }
  /// J as axes and arms; empty if a constraint is no contact of rigid bodies in space.
  const CompactContactJacobian& compact_jacobian() const { return arms_; }
  /// 2 * constraint + side for all constraints of a body, ascending.
  std::span<const int> sides(Index body) const {
    return {body_sides_.data() + body_start_[body], body_sides_.data() + body_start_[body + 1]};
  }
  /// An island has the constraints that share movable bodies, directly or through other constraints. Islands
  /// are numbered in the order of their first constraints. A body whose inverse mass is zero connects
  /// nothing.
  int islands() const { return islands_; }
  int island_of(std::size_t constraint) const { return island_of_[constraint]; }
  /// v = M^-1 f of one body.
  void multiply_inverse_mass(Index body, const double* f, double* v) const;

  void diagonal(VectorView d) const { d = diagonal_; }
  double entry(Index i, Index j) const;
  CsrMatrix to_csr() const;
  /// to <- the assembled matrix. Allocates nothing if the last one had the same pattern.
  struct AssemblyScratch {
    CsrMatrix jacobian, transposed, velocities;
    CsrBuilder builder;
  };
  void copy_csr(CsrMatrix& to, AssemblyScratch& scratch) const;
  /// J, rows x dofs.
  CsrMatrix jacobian_csr() const;
  /// M^-1, dofs x dofs.
  CsrMatrix inverse_mass_csr() const;
  /// to <- J, or M. Allocates nothing if `to` had a matrix of the same size. `block` is scratch.
  void copy_jacobian(CsrMatrix& to) const;
  void copy_mass(CsrMatrix& to, DenseMatrix& block) const;
  DelassusOperator principal_submatrix(std::span<const int> rows) const;
  /// to <- the operator restricted to the given rows (sorted, unique), and to the bodies that they act on.
  /// The cost does not depend on the other rows and bodies. Allocates nothing if the last one had the same
  /// sizes.
  struct SubmatrixScratch {
    std::vector<Constraint> constraints;
    std::vector<double> jacobian, inverse_mass;
    Vector compliance;
    std::vector<int> bodies, number;  // that take part; their numbers, -1 between uses
  };
  void copy_principal_submatrix(std::span<const int> rows, DelassusOperator& to,
                                SubmatrixScratch& scratch) const;

 private:
  void find_islands();
  template <int Dofs>  // 0: not known
  void find_diagonal();
  bool diagonal_mass() const { return inverse_mass_.size() == static_cast<std::size_t>(dofs()); }
  const double* row_block(Index i, int side) const;
  void multiply_inverse_mass(Index first_body, Index last_body, const double* f, double* v) const;
  template <int Rows, int Dofs>
  class Passes;
  class ContactPasses;
  template <class Body>
  void with_passes(const Body& body) const;

  int dofs_ = 1;
  Index bodies_ = 0;
  std::vector<double> inverse_mass_;
  std::vector<Constraint> constraints_;
  std::vector<std::size_t> offset_;  // offset of a constraint's blocks in either half of jacobian_
  std::vector<double> jacobian_;     // the first bodies' blocks, then the second bodies': two streams to read
  CompactContactJacobian arms_;      // J in compact form, if every constraint is such a contact
  Vector compliance_;
  bool compliant_ = true;            // C is not zero
  std::vector<int> row_constraint_;  // the constraint of a row
  std::vector<int> body_start_;      // start of each body in body_sides_
  std::vector<int> body_sides_;      // 2 * constraint + side, by body, ascending
  int uniform_rows_ = 0;             // rows of every constraint, 0 if they differ
  Vector diagonal_;                  // of A
  int islands_ = 0;
  std::vector<int> island_of_;   // of a constraint
  DisjointSets joined_;          // scratch: bodies
  std::vector<char> movable_;    // scratch: bodies
  std::vector<int> number_;      // scratch: the island of a set of bodies
  mutable ScratchPool scratch_;  // forces and velocities of the bodies, for products
};

}  // namespace slipstick::internal
