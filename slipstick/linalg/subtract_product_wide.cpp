// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/subtract_product_wide.hpp"

#if defined(SLIPSTICK_WIDE_PACKS)
#include <immintrin.h>

// This file is compiled for AVX-512, independent of the other files. It must not use inline functions of a
// header, because the linker might take them for all files. (The pragma comes after every header.)
#pragma GCC push_options
#pragma GCC target("avx512f")
// The alignment of the vector registers is not part of a template argument. This does not matter for
// unaligned loads.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"

namespace slipstick::internal::detail {
namespace {

struct Doubles {
  using Pack = __m512d;
  using Mask = __mmask8;
  static constexpr Index width = 8;
  static Pack zero() { return _mm512_setzero_pd(); }
  static Pack all(double value) { return _mm512_set1_pd(value); }
  static Pack load(Mask mask, const double* from) { return _mm512_maskz_loadu_pd(mask, from); }
  static void store(Mask mask, double* to, Pack pack) { _mm512_mask_storeu_pd(to, mask, pack); }
  static Pack multiply_add(Pack a, Pack b, Pack c) { return _mm512_fmadd_pd(a, b, c); }
  static Pack subtract(Pack a, Pack b) { return _mm512_sub_pd(a, b); }
};

struct Floats {
  using Pack = __m512;
  using Mask = __mmask16;
  static constexpr Index width = 16;
  static Pack zero() { return _mm512_setzero_ps(); }
  static Pack all(float value) { return _mm512_set1_ps(value); }
  static Pack load(Mask mask, const float* from) { return _mm512_maskz_loadu_ps(mask, from); }
  static void store(Mask mask, float* to, Pack pack) { _mm512_mask_storeu_ps(to, mask, pack); }
  static Pack multiply_add(Pack a, Pack b, Pack c) { return _mm512_fmadd_ps(a, b, c); }
  static Pack subtract(Pack a, Pack b) { return _mm512_sub_ps(a, b); }
};

// subtract_tile() of subtract_product.hpp with 32 registers of twice the length. In the last pack of rows
// only the rows of the mask are used. If `Transposed`, B' is stored.
template <class Lanes, bool Transposed, int Packs, int Columns, class Scalar>
void subtract_wide_tile(Index depth, const Scalar* a, Index a_stride, const Scalar* b, Index b_stride,
                        Scalar* c, Index c_stride, typename Lanes::Mask last) {
  using Pack = typename Lanes::Pack;
  using Mask = typename Lanes::Mask;
  constexpr Mask every = static_cast<Mask>(~Mask{0});
#pragma GCC unroll 8
  for (int j = 0; j < Columns; ++j) {
#pragma GCC unroll 8
    for (int r = 0; r < Packs; ++r) __builtin_prefetch(c + j * c_stride + r * Lanes::width, 1);
  }
  Pack sum[Columns][Packs];
#pragma GCC unroll 8
  for (int j = 0; j < Columns; ++j) {
#pragma GCC unroll 8
    for (int r = 0; r < Packs; ++r) sum[j][r] = Lanes::zero();
  }
  for (Index p = 0; p < depth; ++p) {
    Pack left[Packs];
#pragma GCC unroll 8
    for (int r = 0; r < Packs; ++r)
      left[r] = Lanes::load(r + 1 == Packs ? last : every, a + p * a_stride + r * Lanes::width);
#pragma GCC unroll 8
    for (int j = 0; j < Columns; ++j) {
      const Pack right = Lanes::all(Transposed ? b[j + p * b_stride] : b[p + j * b_stride]);
#pragma GCC unroll 8
      for (int r = 0; r < Packs; ++r) sum[j][r] = Lanes::multiply_add(left[r], right, sum[j][r]);
    }
  }
#pragma GCC unroll 8
  for (int j = 0; j < Columns; ++j) {
#pragma GCC unroll 8
    for (int r = 0; r < Packs; ++r) {
      Scalar* to = c + j * c_stride + r * Lanes::width;
      const Mask mask = r + 1 == Packs ? last : every;
      Lanes::store(mask, to, Lanes::subtract(Lanes::load(mask, to), sum[j][r]));
    }
  }
}

template <class Lanes, bool Transposed, int Columns, class Scalar>
void subtract_wide_columns(Index rows, Index depth, const Scalar* a, Index a_stride, const Scalar* b,
                           Index b_stride, Scalar* c, Index c_stride) {
  using Mask = typename Lanes::Mask;
  constexpr Index width = Lanes::width;
  for (Index i = 0; i < rows; i += 3 * width) {
    const Index left = rows - i;
    const Index over = left >= 3 * width ? 0 : (width - left % width) % width;
    const auto last = static_cast<Mask>(static_cast<Mask>(~Mask{0}) >> over);
    if (left > 2 * width) {
      subtract_wide_tile<Lanes, Transposed, 3, Columns>(depth, a + i, a_stride, b, b_stride, c + i, c_stride,
                                                        last);
    } else if (left > width) {
      subtract_wide_tile<Lanes, Transposed, 2, Columns>(depth, a + i, a_stride, b, b_stride, c + i, c_stride,
                                                        last);
    } else {
      subtract_wide_tile<Lanes, Transposed, 1, Columns>(depth, a + i, a_stride, b, b_stride, c + i, c_stride,
                                                        last);
    }
  }
}

template <class Lanes, bool Transposed = false, class Scalar>
void subtract_wide(Index rows, Index columns, Index depth, const Scalar* a, Index a_stride, const Scalar* b,
                   Index b_stride, Scalar* c, Index c_stride) {
  const Index b_step = Transposed ? 1 : b_stride;
  Index j = 0;
  for (; j + 8 <= columns; j += 8)
    subtract_wide_columns<Lanes, Transposed, 8>(rows, depth, a, a_stride, b + j * b_step, b_stride,
                                                c + j * c_stride, c_stride);
  for (; j + 6 <= columns; j += 6)  // a body in space
    subtract_wide_columns<Lanes, Transposed, 6>(rows, depth, a, a_stride, b + j * b_step, b_stride,
                                                c + j * c_stride, c_stride);
  for (; j + 4 <= columns; j += 4)
    subtract_wide_columns<Lanes, Transposed, 4>(rows, depth, a, a_stride, b + j * b_step, b_stride,
                                                c + j * c_stride, c_stride);
  for (; j + 2 <= columns; j += 2)
    subtract_wide_columns<Lanes, Transposed, 2>(rows, depth, a, a_stride, b + j * b_step, b_stride,
                                                c + j * c_stride, c_stride);
  for (; j < columns; ++j)
    subtract_wide_columns<Lanes, Transposed, 1>(rows, depth, a, a_stride, b + j * b_step, b_stride,
                                                c + j * c_stride, c_stride);
}

}  // namespace

void subtract_product_wide(Index rows, Index columns, Index depth, Block<const double> a,
                           Block<const double> b, Block<double> c) {
  subtract_wide<Doubles>(rows, columns, depth, a.data, a.stride, b.data, b.stride, c.data, c.stride);
}
void subtract_product_wide(Index rows, Index columns, Index depth, Block<const double> a,
                           TransposedBlock<const double> b, Block<double> c) {
  subtract_wide<Doubles, true>(rows, columns, depth, a.data, a.stride, b.data, b.stride, c.data, c.stride);
}
void subtract_product_wide(Index rows, Index columns, Index depth, Block<const float> a, Block<const float> b,
                           Block<float> c) {
  subtract_wide<Floats>(rows, columns, depth, a.data, a.stride, b.data, b.stride, c.data, c.stride);
}

}  // namespace slipstick::internal::detail

#pragma GCC diagnostic pop
#pragma GCC pop_options
#endif
