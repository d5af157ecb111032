// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "slipstick/linalg/vector.hpp"

#if defined(__AVX__)
#include <immintrin.h>
#endif

// Packs stay in registers: what takes or returns one is inlined, so that no calling convention is concerned.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace slipstick {

/// Four numbers that are worked on at once.
typedef double Pack __attribute__((vector_size(32)));
/// One lane of 0 or -1 for each of them, as comparisons of packs give.
typedef long long PackMask __attribute__((vector_size(32)));
inline constexpr Index pack_size = 4;
/// Rows in whole packs.
constexpr Index whole_packs(Index rows) {
  return (rows + pack_size - 1) / pack_size * pack_size;
}

/// Rows in memory where no pack lies across two lines of a cache.
using PackedVector = std::vector<double, Eigen::aligned_allocator<double>>;
template <Index rows>
struct alignas(sizeof(Pack)) PackedArray : std::array<double, static_cast<std::size_t>(rows)> {};

[[gnu::always_inline]] inline Pack load_pack(const double* from) {
  Pack value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
[[gnu::always_inline]] inline void store_pack(double* to, Pack value) {
  std::memcpy(to, &value, sizeof value);
}
/// The first `count` < 4 of them, and zeros. Not by way of memory: what is written in pieces cannot be read
/// whole at once.
[[gnu::always_inline]] inline Pack load_some(const double* from, Index count) {
  switch (count) {
    case 1:
      return Pack{from[0], 0.0, 0.0, 0.0};
    case 2:
      return Pack{from[0], from[1], 0.0, 0.0};
    case 3:
      return Pack{from[0], from[1], from[2], 0.0};
    default:
      return Pack{};
  }
}
[[gnu::always_inline]] inline void store_some(double* to, Index count, Pack value) {
  if (count > 0) to[0] = value[0];
  if (count > 1) to[1] = value[1];
  if (count > 2) to[2] = value[2];
}

[[gnu::always_inline]] inline Pack all_of(double value) {
  return Pack{value, value, value, value};
}
[[gnu::always_inline]] inline Pack smaller(Pack a, Pack b) {
#if defined(__AVX__)
  return _mm256_min_pd(a, b);
#else
  return a < b ? a : b;
#endif
}
[[gnu::always_inline]] inline Pack larger(Pack a, Pack b) {
#if defined(__AVX__)
  return _mm256_max_pd(a, b);
#else
  return a > b ? a : b;
#endif
}
/// a b + c, rounded once where the processor does that.
[[gnu::always_inline]] inline Pack multiply_add(Pack a, Pack b, Pack c) {
#if defined(__FMA__)
  return _mm256_fmadd_pd(a, b, c);
#else
  return a * b + c;
#endif
}
/// a with the signs changed where those of `signs` are set.
[[gnu::always_inline]] inline Pack flip_signs(Pack a, Pack signs) {
#if defined(__AVX__)
  return _mm256_xor_pd(a, signs);
#else
  const PackMask flips = {
      __builtin_signbit(signs[0]) != 0 ? -1 : 0, __builtin_signbit(signs[1]) != 0 ? -1 : 0,
      __builtin_signbit(signs[2]) != 0 ? -1 : 0, __builtin_signbit(signs[3]) != 0 ? -1 : 0};
  return flips ? -a : a;
#endif
}
[[gnu::always_inline]] inline Pack square_roots(Pack a) {
#if defined(__AVX__)
  return _mm256_sqrt_pd(a);
#else
  return Pack{__builtin_sqrt(a[0]), __builtin_sqrt(a[1]), __builtin_sqrt(a[2]), __builtin_sqrt(a[3])};
#endif
}

[[gnu::always_inline]] inline double sum_of(Pack a) {
  return (a[0] + a[2]) + (a[1] + a[3]);
}
[[gnu::always_inline]] inline double largest_of(Pack a) {
  const Pack pairs = larger(a, __builtin_shufflevector(a, a, 2, 3, 0, 1));
  return pairs[0] > pairs[1] ? pairs[0] : pairs[1];
}
/// The sum of each of the four.
[[gnu::always_inline]] inline Pack sums_of(Pack a, Pack b, Pack c, Pack d) {
  const Pack ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Pack cd = __builtin_shufflevector(c, d, 0, 4, 2, 6) + __builtin_shufflevector(c, d, 1, 5, 3, 7);
  return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

/// Four columns of four rows become rows.
[[gnu::always_inline]] inline void transpose(Pack (&a)[pack_size]) {
  const Pack low[] = {__builtin_shufflevector(a[0], a[1], 0, 4, 2, 6),
                      __builtin_shufflevector(a[2], a[3], 0, 4, 2, 6)};
  const Pack high[] = {__builtin_shufflevector(a[0], a[1], 1, 5, 3, 7),
                       __builtin_shufflevector(a[2], a[3], 1, 5, 3, 7)};
  a[0] = __builtin_shufflevector(low[0], low[1], 0, 1, 4, 5);
  a[1] = __builtin_shufflevector(high[0], high[1], 0, 1, 4, 5);
  a[2] = __builtin_shufflevector(low[0], low[1], 2, 3, 6, 7);
  a[3] = __builtin_shufflevector(high[0], high[1], 2, 3, 6, 7);
}

/// One bit for each lane that is set.
[[gnu::always_inline]] inline std::uint32_t bits_of(PackMask mask) {
#if defined(__AVX__)
  Pack signs;
  std::memcpy(&signs, &mask, sizeof signs);
  return static_cast<std::uint32_t>(_mm256_movemask_pd(signs));
#else
  return static_cast<std::uint32_t>((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
#endif
}
/// The lanes of the lowest four bits.
[[gnu::always_inline]] inline PackMask lanes_of(std::uint32_t bits) {
  static constexpr PackMask lanes[] = {{0, 0, 0, 0},   {-1, 0, 0, 0},   {0, -1, 0, 0},   {-1, -1, 0, 0},
                                       {0, 0, -1, 0},  {-1, 0, -1, 0},  {0, -1, -1, 0},  {-1, -1, -1, 0},
                                       {0, 0, 0, -1},  {-1, 0, 0, -1},  {0, -1, 0, -1},  {-1, -1, 0, -1},
                                       {0, 0, -1, -1}, {-1, 0, -1, -1}, {0, -1, -1, -1}, {-1, -1, -1, -1}};
  return lanes[bits & 15u];
}

/// a in the lanes that are set, b in the others.
[[gnu::always_inline]] inline Pack select(PackMask mask, Pack a, Pack b) {
#if defined(__AVX__)
  Pack signs;
  std::memcpy(&signs, &mask, sizeof signs);
  return _mm256_blendv_pd(b, a, signs);
#else
  return mask ? a : b;
#endif
}

}  // namespace slipstick

#pragma GCC diagnostic pop
