// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "slipstick/linalg/pack.hpp"

namespace slipstick::internal {

/// Calls body(std::integral_constant<int, 4 or 1>, c) for all columns c, four at a time.
template <class Body>
void for_columns(Index columns, const Body& body) {
  Index c = 0;
  for (; c + 4 <= columns; c += 4) body(std::integral_constant<int, 4>(), c);
  for (; c < columns; ++c) body(std::integral_constant<int, 1>(), c);
}

/// A'X for the square blocks A of a block column, one after another. Each sum is one register. A is stored by
/// columns, so both A and X are read along their columns. Only the sums are transposed, at the end. The
/// result of a column of X does not depend on the other columns.
class PackSums {
 public:
  static constexpr Index pack = register_size<double>;

  /// Sets the sums to zero for `columns` of X and blocks of `size` rows and columns. `size` is a multiple of
  /// 6 and of the pack.
  void reset(Index size, Index columns) {
    size_ = size;
    columns_ = columns;
    reserve(size, columns);
    std::fill_n(sums_.data(), size * columns * pack, 0.0);
  }
  void reserve(Index size, Index columns) {
    sums_.resize(std::max(sums_.size(), static_cast<std::size_t>(size * columns * pack)));
  }

  /// Adds A'X. Both have `size` rows, stored column by column. The columns [p, q) of A are zero outside the
  /// rows [first(p), last(q)), which are whole packs.
  template <class First, class Last>
  void add(const double* a, const double* x, const First& first, const Last& last) {
    for_columns(columns_, [&]<int C>(std::integral_constant<int, C>, Index c) {
      constexpr int P = C == 1 ? 6 : 3;
      for (Index p = 0; p < size_; p += P) {
        const Index begin = first(p);
        const Index end = last(p + P);
        if (begin < end) add_tile<P, C>(end - begin, a + begin + p * size_, x + begin + c * size_, p, c);
      }
    });
  }

  /// Calls body(p, c, total) with a pack of column c of the result: the rows p, p + 1, ...
  template <class Body>
  void for_totals(const Body& body) const {
    for (Index p = 0; p < size_; p += pack) {
      for (Index c = 0; c < columns_; ++c) {
        Register<double> lanes[pack];
        for (Index l = 0; l < pack; ++l) lanes[l] = load_register(sum(p + l, c));
        transpose(lanes);
        Register<double> total = lanes[0];
        for (Index l = 1; l < pack; ++l) total += lanes[l];
        body(p, c, total);
      }
    }
  }

 private:
  double* sum(Index p, Index c) { return sums_.data() + (p * columns_ + c) * pack; }
  const double* sum(Index p, Index c) const { return sums_.data() + (p * columns_ + c) * pack; }

  // The tile of P columns of A by C columns of X stays in registers.
  template <int P, int C>
  void add_tile(Index rows, const double* a, const double* x, Index p0, Index c0) {
    Register<double> tile[P][C];
    for (int p = 0; p < P; ++p) {
      for (int c = 0; c < C; ++c) tile[p][c] = load_register(sum(p0 + p, c0 + c));
    }
    for (Index i = 0; i < rows; i += pack) {
      Register<double> left[P];
      for (int p = 0; p < P; ++p) left[p] = load_register(a + i + p * size_);
      for (int c = 0; c < C; ++c) {
        const Register<double> right = load_register(x + i + c * size_);
        for (int p = 0; p < P; ++p) tile[p][c] = multiply_add(left[p], right, tile[p][c]);
      }
    }
    for (int p = 0; p < P; ++p) {
      for (int c = 0; c < C; ++c) store_register(sum(p0 + p, c0 + c), tile[p][c]);
    }
  }

  Index size_ = 0;
  Index columns_ = 0;
  std::vector<double, Eigen::aligned_allocator<double>> sums_;
};

}  // namespace slipstick::internal
