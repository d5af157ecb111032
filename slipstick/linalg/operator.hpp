// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <type_traits>
#include <variant>

#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/linalg/condensed_operator.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/linalg/storage_pool.hpp"

namespace slipstick {

template <class Visitor>
decltype(auto) Operator::visit(Visitor&& visitor) const {
  return std::visit([&](const auto& storage) -> decltype(auto) { return visitor(*storage); }, storage_);
}

}  // namespace slipstick

namespace slipstick::internal {

/// The storage of that type, or null if the operator has another one.
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

/// No matrix: what an object has seen while it is not sure of its last one. A copy allocates nothing.
const Operator& no_operator();

/// Assembles one matrix after the other. Allocates nothing for a body graph if the last one had the same
/// pattern, and for a sparse matrix.
class Assembler {
 public:
  std::shared_ptr<const CsrMatrix> assemble(const Operator& a);

 private:
  StoragePool<CsrMatrix> matrices_;
  DelassusOperator::AssemblyScratch scratch_;
};

/// A matrix-free storage, whose products go through the velocities of bodies.
template <class Storage>
concept ThroughBodies = requires(const Storage& a, double* v) {
  a.apply_impulse(Index{}, double{}, v);
};

/// The rows of a matrix for a Gauss-Seidel sweep. product(i) is row i of A x for the current x. Every change
/// of x must call changed(i, change), so that a matrix-free operator can update its body velocities. The
/// plural forms take several rows from `start` on together, for a sweep over contacts.
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

}  // namespace slipstick::internal
