// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/linalg/operator.hpp"

namespace slipstick {

/// A dense copy of a matrix by columns, each padded to whole packs of rows: a product with one of a few rows
/// takes a few instructions. It knows the storage that it is a copy of, and keeps it.
class PackedMatrix {
 public:
  static constexpr Index pack = 4;  ///< rows that are multiplied at once
  static Index whole_packs(Index rows) { return (rows + pack - 1) / pack * pack; }

  /// Whether it is the copy of that matrix.
  bool holds(const Operator& a) const { return loaded_ && source_.same_storage(a); }
  void load(const Operator& a);
  void clear();

  Index rows() const { return rows_; }
  /// Columns lie one after the other, each padded with zeros to stride() entries.
  Index stride() const { return stride_; }
  const double* column(Index j) const { return entries_.data() + j * stride_; }
  double diagonal(Index i) const { return entries_[static_cast<std::size_t>(i * stride_ + i)]; }

  /// y = A x + b; x, b and y have stride() entries, and what they hold beyond rows() does not matter but is
  /// finite.
  void multiply_add(const double* x, const double* b, double* y) const;

 private:
  Operator source_;
  bool loaded_ = false;
  Index rows_ = 0;
  Index stride_ = 0;
  std::vector<double> entries_;
};

namespace detail {

// `Packs` packs of rows, whose sums stay in registers: two each, which do not wait for each other.
template <int Packs>
inline void multiply_packs(const double* p, Index stride, Index columns, const double* q, const double* b,
                           double* y) {
  using Pack = Eigen::Array<double, PackedMatrix::pack, 1>;
  Pack even[Packs], odd[Packs];
  for (int r = 0; r < Packs; ++r) {
    even[r] = Pack::Map(b + r * PackedMatrix::pack);
    odd[r] = Pack::Zero();
  }
  Index j = 0;
  for (; j + 1 < columns; j += 2, p += 2 * stride) {
    for (int r = 0; r < Packs; ++r) {
      even[r] += q[j] * Pack::Map(p + r * PackedMatrix::pack);
      odd[r] += q[j + 1] * Pack::Map(p + stride + r * PackedMatrix::pack);
    }
  }
  for (int r = 0; r < Packs; ++r) {
    if (j < columns) even[r] += q[j] * Pack::Map(p + r * PackedMatrix::pack);
    Pack::Map(y + r * PackedMatrix::pack) = even[r] + odd[r];
  }
}

}  // namespace detail

/// y = P q + b for `columns` padded columns of whole packs; b may be y.
inline void multiply_packs(const double* p, Index stride, Index columns, const double* q, const double* b,
                           double* y) {
  constexpr Index pack = PackedMatrix::pack;
  if (stride == pack) return detail::multiply_packs<1>(p, stride, columns, q, b, y);
  Index i = 0;
  for (; i + 2 * pack <= stride; i += 2 * pack)
    detail::multiply_packs<2>(p + i, stride, columns, q, b + i, y + i);
  if (i < stride) detail::multiply_packs<1>(p + i, stride, columns, q, b + i, y + i);
}

inline void PackedMatrix::multiply_add(const double* x, const double* b, double* y) const {
  multiply_packs(entries_.data(), stride_, rows_, x, b, y);
}

}  // namespace slipstick
