// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/linalg/operator.hpp"
#include "slipstick/linalg/pack.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace slipstick {

/// A dense copy of a matrix by columns, each padded to whole packs of rows, and there are whole packs of
/// columns: a product with one of a few rows takes a few instructions. It knows the storage that it is a copy
/// of, and keeps it.
class PackedMatrix {
 public:
  /// Whether it is the copy of that matrix.
  bool holds(const Operator& a) const { return loaded_ && source_.same_storage(a); }
  /// Allocates nothing for the same number of rows.
  void load(const Operator& a);

  Index rows() const { return rows_; }
  /// Columns lie one after the other, each padded with zeros to stride() entries.
  Index stride() const { return stride_; }
  const double* data() const { return entries_.data(); }
  const double* column(Index j) const { return entries_.data() + j * stride_; }
  double diagonal(Index i) const { return entries_[static_cast<std::size_t>(i * stride_ + i)]; }
  /// See Operator::asymmetry.
  double asymmetry() const;

  /// y = A x + b; x, b and y have stride() entries, and what they hold beyond rows() does not matter but is
  /// finite.
  void multiply_add(const double* x, const double* b, double* y) const {
    for_product(
        x, b, [&](Index i, Pack rows) __attribute__((always_inline)) { store_pack(y + i, rows); });
  }
  /// body(i, the rows i to i + 3 of A x + b), pack by pack.
  template <class Body>
  void for_product(const double* x, const double* b, const Body& body) const;

 private:
  Operator source_;
  bool loaded_ = false;
  Index rows_ = 0;
  Index stride_ = 0;
  PackedVector entries_;
};

/// y = P q for `columns` padded columns of `Packs` packs, P and q going on with zeros up to whole packs of
/// columns. Two sums per pack, which do not wait for each other.
template <int Packs>
[[gnu::always_inline]] inline void multiply(const double* p, Index stride, Index columns, const double* q,
                                            Pack (&y)[Packs]) {
  Pack odd[Packs];
  const auto column = [&](Index j, int r) __attribute__((always_inline)) {
    return load_pack(p + j * stride + r * pack_size);
  };
  const auto add_two_columns = [&](Index j) __attribute__((always_inline)) {
    for (int r = 0; r < Packs; ++r) y[r] = multiply_add(column(j, r), all_of(q[j]), y[r]);
    for (int r = 0; r < Packs; ++r) odd[r] = multiply_add(column(j + 1, r), all_of(q[j + 1]), odd[r]);
  };
  for (int r = 0; r < Packs; ++r) y[r] = column(0, r) * all_of(q[0]);
  for (int r = 0; r < Packs; ++r) odd[r] = column(1, r) * all_of(q[1]);
  add_two_columns(2);
  if (Packs > 1 || stride > pack_size) {
    for (Index j = pack_size; j < columns; j += 2) add_two_columns(j);
  }
  for (int r = 0; r < Packs; ++r) y[r] += odd[r];
}

template <class Body>
[[gnu::always_inline]] inline void PackedMatrix::for_product(const double* x, const double* b,
                                                             const Body& body) const {
  const auto rows = [&]<int Packs>(Index i) __attribute__((always_inline)) {
    Pack sum[Packs];
    multiply(entries_.data() + i, stride_, rows_, x, sum);
    for (int r = 0; r < Packs; ++r) {
      const Index at = i + r * pack_size;
      body(at, load_pack(b + at) + sum[r]);
    }
  };
  Index i = 0;
  for (; i + 2 * pack_size <= stride_; i += 2 * pack_size) rows.template operator()<2>(i);
  if (i < stride_) rows.template operator()<1>(i);
}

}  // namespace slipstick

#pragma GCC diagnostic pop
