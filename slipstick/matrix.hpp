// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <array>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "slipstick/export.hpp"

namespace slipstick {

namespace internal {
class BandedMatrix;
class CondensedOperator;
class DelassusOperator;
}  // namespace internal

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using DenseMatrix = Eigen::MatrixXd;
using VectorView = Eigen::Ref<Vector>;
using ConstVectorView = Eigen::Ref<const Vector>;
using MatrixView = Eigen::Ref<DenseMatrix>;

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double machine_epsilon = std::numeric_limits<double>::epsilon();

/// Compressed sparse rows, 32-bit indices, columns sorted and unique within a row, always compressed.
using CsrMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;

/// From triplets (row, column, value). Repeated positions are added, and exact zeros stay. Throws Error for a
/// position outside.
struct Triplet {
  int row;
  int column;
  double value;
};
SLIPSTICK_EXPORT CsrMatrix csr_from_triplets(Index rows, Index columns, std::span<const Triplet> triplets);

/// Takes every entry of the matrix that is not zero.
SLIPSTICK_EXPORT CsrMatrix csr_from_dense(const DenseMatrix& a);

/// A constraint between two bodies: `rows` consecutive rows of J from `row` on. Body -1 is the ground.
struct Constraint {
  int row = 0;
  int rows = 0;
  std::array<int, 2> body = {-1, -1};
};

/// The square matrix of a problem, in one of a closed list of storages. The storage is shared and never
/// changes. A solver that sees the same storage again may reuse its data (see same_storage).
class SLIPSTICK_EXPORT Operator {
 public:
  /// A 0 x 0 matrix.
  Operator();
  Operator(CsrMatrix a);
  Operator(DenseMatrix a);
  /// The storage is shared, not copied. A sparse matrix must be compressed.
  template <class Storage>
  Operator(std::shared_ptr<const Storage> a) : storage_(std::move(a)) {
    check_storage();
  }
  /// A symmetric matrix with a_ij = 0 for |i - j| > k, as the k + 1 diagonals of its lower half. Column j of
  /// `lower` has a_jj, a_(j+1)j, ..., a_(j+k)j (LAPACK's lower banded form).
  static Operator banded(DenseMatrix lower);
  /// A = J M^-1 J' + C over bodies, never assembled: products go through the bodies.
  ///
  /// - inverse_mass: for each body its symmetric d x d block row by row, or its d diagonal entries.
  /// - jacobian: for each constraint its rows x d block for the first body, then for the second, each row by
  ///   row. The block of the ground is present and ignored.
  /// - compliance: the diagonal of C, one entry per row.
  static Operator delassus(int dofs_per_body, Index bodies, std::vector<double> inverse_mass,
                           std::vector<Constraint> constraints, std::vector<double> jacobian,
                           Vector compliance);
  Operator(internal::BandedMatrix a);
  Operator(internal::DelassusOperator a);
  Operator(internal::CondensedOperator a);

  Index rows() const;
  /// Number of stored entries (of the Jacobian for a matrix-free operator).
  Index nonzeros() const;
  /// "sparse", "banded", "dense", "Delassus" or "condensed"
  std::string_view kind() const;
  /// True if products go through bodies, and no row is stored.
  bool matrix_free() const;
  /// Least number of bytes that one product moves, with the vectors.
  double bytes_per_product() const;
  bool same_storage(const Operator& other) const;

  /// y = A x. The bits are the same for the same number of threads.
  void multiply(ConstVectorView x, VectorView y, int threads = 1) const;
  void diagonal(VectorView d) const;
  double entry(Index i, Index j) const;
  /// The dense block of rows and columns [start, start + block.rows()).
  void diagonal_block(Index start, MatrixView block) const;

  /// The assembled matrix. If the storage is sparse, it is shared and not copied.
  std::shared_ptr<const CsrMatrix> assemble() const;
  /// The operator of the given rows and columns (sorted, unique). A matrix-free operator stays matrix-free.
  Operator principal_submatrix(std::span<const int> rows) const;
  /// max |a_ij - a_ji| / max |a_ij|. It is 0 for storages that are symmetric by construction.
  double asymmetry() const;
  /// The same with scratch that the caller keeps.
  double asymmetry(std::vector<int>& scratch) const;

  /// Calls visitor with a reference to the storage. Only for the library, which knows all storages.
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const;

 private:
  void check_storage() const;

  std::variant<std::shared_ptr<const CsrMatrix>, std::shared_ptr<const internal::BandedMatrix>,
               std::shared_ptr<const DenseMatrix>, std::shared_ptr<const internal::DelassusOperator>,
               std::shared_ptr<const internal::CondensedOperator>>
      storage_;
};

}  // namespace slipstick
