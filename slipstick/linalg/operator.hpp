// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/linalg/condensed_operator.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/delassus_operator.hpp"

namespace slipstick {

/// The square matrix of a problem: one of a closed list of storages, shared and never changed. Solvers that
/// see the same storage again may reuse what they derived from it (see same_storage).
class Operator {
 public:
  /// 0 x 0.
  Operator();
  Operator(CsrMatrix a);
  Operator(BandedMatrix a);
  Operator(DenseMatrix a);
  Operator(DelassusOperator a);
  Operator(CondensedOperator a);
  /// Shared, not copied; a sparse matrix must be compressed.
  template <class Storage>
  Operator(std::shared_ptr<const Storage> a) : storage_(std::move(a)) {
    check_storage();
  }

  Index rows() const;
  /// Stored entries (of the Jacobian for a matrix-free operator).
  Index nonzeros() const;
  /// "sparse", "banded", "dense", "Delassus" or "condensed"
  std::string_view kind() const;
  /// Products go through bodies, and no row is stored.
  bool matrix_free() const;
  /// Bytes that one product moves at the least, vectors included.
  double bytes_per_product() const;
  bool same_storage(const Operator& other) const { return storage_ == other.storage_; }

  /// y = A x; the same bits for the same number of threads.
  void multiply(ConstVectorView x, VectorView y, int threads = 1) const;
  void diagonal(VectorView d) const;
  double entry(Index i, Index j) const;
  /// The dense block of rows and columns [start, start + block.rows()).
  void diagonal_block(Index start, MatrixView block) const;

  /// The assembled matrix; shared, not copied, where it is sparse already.
  std::shared_ptr<const CsrMatrix> assemble() const;
  /// The operator of the given rows and columns (sorted, unique); a matrix-free operator stays one.
  Operator principal_submatrix(std::span<const int> rows) const;
  /// max |a_ij - a_ji| / max |a_ij|; 0 for storages that are symmetric by construction.
  double asymmetry() const;
  /// The same with scratch that the caller keeps.
  double asymmetry(std::vector<int>& scratch) const;

  /// Calls visitor with a reference to the storage, so that a hot loop can be written once for all of them.
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    return std::visit([&](const auto& storage) -> decltype(auto) { return visitor(*storage); }, storage_);
  }

 private:
  void check_storage() const;

  std::variant<std::shared_ptr<const CsrMatrix>, std::shared_ptr<const BandedMatrix>,
               std::shared_ptr<const DenseMatrix>, std::shared_ptr<const DelassusOperator>,
               std::shared_ptr<const CondensedOperator>>
      storage_;
};

/// The storage of that type, null where it is another one.
template <class Storage>
const Storage* storage_of(const Operator& a) {
  return a.visit([](const auto& storage) -> const Storage* {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(storage)>, Storage>) {
      return &storage;
    } else {
      return nullptr;
    }
  });
}

/// A matrix-free storage, whose products go through the velocities of bodies.
template <class Storage>
concept ThroughBodies = requires(const Storage& a, double* v) {
  a.apply_impulse(Index{}, double{}, v);
};

/// The rows of a matrix as a Gauss-Seidel sweep sees them: product(i) is row i of A x for the current x, and
/// every change of x goes through changed(i, change), so that a matrix-free operator can keep its body
/// velocities. The plural forms take the rows from `start` on together, as a sweep over contacts does.
template <class Storage>
class SweepRows {
 public:
  SweepRows(const Storage& a, const Vector& x, Vector&) : a_(a), x_(x.data()) {}
  double product(Index i) const {
    if constexpr (requires { a_.row_dot(i, x_); }) {
      return a_.row_dot(i, x_);
    } else if constexpr (requires { row_dot(a_, i, x_); }) {
      return row_dot(a_, i, x_);
    } else {
      return a_.row(i).dot(Eigen::Map<const Vector>(x_, a_.cols()));
    }
  }
  void changed(Index, double) {}
  void products(Index start, Index rows, double* product_rows) const {
    for (Index k = 0; k < rows; ++k) product_rows[k] = product(start + k);
  }
  void changed(Index, Index, const double*) {}

 private:
  const Storage& a_;
  const double* x_;
};

template <ThroughBodies Storage>
class SweepRows<Storage> {
 public:
  /// `velocities` is scratch that the sweep keeps between calls.
  SweepRows(const Storage& a, const Vector& x, Vector& velocities) : a_(a), x_(x.data()), v_(velocities) {
    v_.resize(a.dofs());
    a.body_velocities(x, v_, 1);
  }
  double product(Index i) const {
    const double velocity = a_.row_velocity(i, v_.data());
    if constexpr (requires { a_.compliance(); }) return velocity + a_.compliance()[i] * x_[i];
    return velocity;
  }
  void changed(Index i, double change) { a_.apply_impulse(i, change, v_.data()); }
  void products(Index start, Index rows, double* product_rows) const {
    for (Index k = 0; k < rows; ++k) product_rows[k] = product(start + k);
  }
  void changed(Index start, Index rows, const double* change) {
    for (Index k = 0; k < rows; ++k) changed(start + k, change[k]);
  }

 private:
  const Storage& a_;
  const double* x_;
  Vector& v_;
};

}  // namespace slipstick
