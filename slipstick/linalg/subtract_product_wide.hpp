// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

/// A dense block within a larger array: entry (i, j) at data[i + j * stride].
template <class Scalar>
struct Block {
  Scalar* data;
  Index stride;

  Scalar& operator()(Index i, Index j) const { return data[i + j * stride]; }
  Scalar* column(Index j) const { return data + j * stride; }
};

/// The transpose of a block: entry (i, j) at data[j + i * stride].
template <class Scalar>
struct TransposedBlock {
  Scalar* data;
  Index stride;

  Scalar& operator()(Index i, Index j) const { return data[j + i * stride]; }
};

// subtract_product() with AVX-512, in the same order and with the same bits. Very small products are not
// worth the call.
#if defined(__x86_64__) && defined(__FMA__) && defined(__GNUC__) && !defined(__clang__)
#define SLIPSTICK_WIDE_PACKS
namespace detail {

void subtract_product_wide(Index rows, Index columns, Index depth, Block<const double> a,
                           Block<const double> b, Block<double> c);
void subtract_product_wide(Index rows, Index columns, Index depth, Block<const double> a,
                           TransposedBlock<const double> b, Block<double> c);
void subtract_product_wide(Index rows, Index columns, Index depth, Block<const float> a, Block<const float> b,
                           Block<float> c);
inline const bool has_wide_packs = __builtin_cpu_supports("avx512f") != 0;
constexpr Index fewest_wide_columns = 8;
constexpr Index least_wide_depth = 8;

}  // namespace detail
#endif

}  // namespace slipstick::internal
