// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/linalg/pack.hpp"
#include "slipstick/linalg/subtract_product_wide.hpp"
#include "slipstick/matrix.hpp"

namespace slipstick::internal {

namespace detail {

// The processor has 32 registers for packs. x86-64 has 16. (AVX-512 has its own tiles, see below.)
#if defined(__aarch64__)
constexpr bool many_registers = true;
#else
constexpr bool many_registers = false;
#endif

// A tile of A B that stays in registers: `Packs` registers of rows by `Columns` columns. store(c, sum) stores
// it. A and B are read before any part of C is written.
template <int Packs, int Columns, class Scalar, class Right, class Store>
inline void product_tile(Index depth, Block<const Scalar> a, const Right& b, Block<Scalar> c,
                         const Store& store) {
  constexpr Index width = register_size<Scalar>;
  // C is needed last and may be far away in memory.
  for (int j = 0; j < Columns; ++j) {
    for (int r = 0; r < Packs; ++r) __builtin_prefetch(c.column(j) + r * width, 1);
  }
  Register<Scalar> sum[Columns][Packs] = {};
  for (Index p = 0; p < depth; ++p) {
    Register<Scalar> left[Packs];
    for (int r = 0; r < Packs; ++r) left[r] = load_register(a.column(p) + r * width);
    for (int j = 0; j < Columns; ++j) {
      const Register<Scalar> right = fill_register(Scalar{b(p, j)});
      for (int r = 0; r < Packs; ++r) sum[j][r] = multiply_add(left[r], right, sum[j][r]);
    }
  }
  for (int j = 0; j < Columns; ++j) {
    for (int r = 0; r < Packs; ++r) {
      store(c.column(j) + r * width, sum[j][r]);
    }
  }
}

// C -= A B for a tile of C.
template <int Packs, int Columns, class Scalar, class Right>
inline void subtract_tile(Index depth, Block<const Scalar> a, const Right& b, Block<Scalar> c) {
  product_tile<Packs, Columns>(depth, a, b, c, [](Scalar* to, const Register<Scalar>& sum) {
    store_register<Scalar>(to, load_register(to) - sum);
  });
}

template <int Columns, class Scalar, class Right>
inline void subtract_columns(Index rows, Index depth, Block<const Scalar> a, const Right& b,
                             Block<Scalar> c) {
  constexpr Index width = register_size<Scalar>;
  Index i = 0;
  const auto tile = [&]<int Packs>(std::integral_constant<int, Packs>) {
    subtract_tile<Packs, Columns, Scalar>(depth, {a.data + i, a.stride}, b, {c.data + i, c.stride});
    i += Packs * width;
  };
  if constexpr (Columns == 1) {
    // With only three sums each would wait for the one before.
    while (i + 6 * width <= rows) tile(std::integral_constant<int, 6>());
  } else if constexpr (many_registers) {
    while (i + 4 * width <= rows) tile(std::integral_constant<int, 4>());
  }
  while (i + 3 * width <= rows) tile(std::integral_constant<int, 3>());
  if (i + 2 * width <= rows) tile(std::integral_constant<int, 2>());
  if (i + width <= rows) tile(std::integral_constant<int, 1>());
  for (; i < rows; ++i) {
    for (int j = 0; j < Columns; ++j) {
      Scalar sum = 0;
      for (Index p = 0; p < depth; ++p) sum = multiply_add(a(i, p), b(p, j), sum);
      c(i, j) -= sum;
    }
  }
}

// The same for up to three columns.
template <class Scalar, class Right>
inline void subtract_few(Index rows, Index columns, Index depth, Block<const Scalar> a, const Right& b,
                         Block<Scalar> c) {
  if (columns == 3) subtract_columns<3, Scalar>(rows, depth, a, b, c);
  if (columns == 2) subtract_columns<2, Scalar>(rows, depth, a, b, c);
  if (columns == 1) subtract_columns<1, Scalar>(rows, depth, a, b, c);
}

// B from a column on.
template <class Scalar>
Block<const Scalar> columns_from(Block<const Scalar> b, Index column) {
  return {b.column(column), b.stride};
}
template <class Scalar>
TransposedBlock<const Scalar> columns_from(TransposedBlock<const Scalar> b, Index column) {
  return {b.data + column, b.stride};
}

template <class Scalar, class Right>
void subtract_product_of(Index rows, Index columns, Index depth, Block<const Scalar> a, Right b,
                         Block<Scalar> c) {
#if defined(SLIPSTICK_WIDE_PACKS)
  if (has_wide_packs && columns >= fewest_wide_columns && depth >= least_wide_depth) {
    subtract_product_wide(rows, columns, depth, a, b, c);
    return;
  }
#endif
  Index j = 0;
  for (; j + 4 <= columns; j += 4)
    subtract_columns<4, Scalar>(rows, depth, a, columns_from(b, j), {c.column(j), c.stride});
  subtract_few<Scalar>(rows, columns - j, depth, a, columns_from(b, j), {c.column(j), c.stride});
}

}  // namespace detail

/// C -= A B, A rows x depth, B depth x columns, none of them overlapping. For a small depth: A must fit into
/// the first-level cache. It takes 2 rows columns depth flops. The order of the additions depends only on the
/// sizes.
template <class Scalar>
void subtract_product(Index rows, Index columns, Index depth, Block<const Scalar> a, Block<const Scalar> b,
                      Block<Scalar> c) {
  detail::subtract_product_of<Scalar>(rows, columns, depth, a, b, c);
}

/// The same with the transpose of B stored.
inline void subtract_product(Index rows, Index columns, Index depth, Block<const double> a,
                             TransposedBlock<const double> b, Block<double> c) {
  detail::subtract_product_of<double>(rows, columns, depth, a, b, c);
}

}  // namespace slipstick::internal
