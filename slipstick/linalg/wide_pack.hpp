// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <cstring>

// Packs of one register, with AVX. See pack.hpp for what the functions do.

namespace slipstick {

typedef double Pack __attribute__((vector_size(32)));
typedef long long PackMask __attribute__((vector_size(32)));

[[gnu::always_inline]] inline Pack load_pack(const double* from) {
  Pack value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
[[gnu::always_inline]] inline void store_pack(double* to, Pack value) {
  std::memcpy(to, &value, sizeof value);
}

[[gnu::always_inline]] inline Pack smaller(Pack a, Pack b) {
  return _mm256_min_pd(a, b);
}
[[gnu::always_inline]] inline Pack larger(Pack a, Pack b) {
  return _mm256_max_pd(a, b);
}
[[gnu::always_inline]] inline Pack multiply_add(Pack a, Pack b, Pack c) {
#if defined(__FMA__)
  return _mm256_fmadd_pd(a, b, c);
#else
  return a * b + c;
#endif
}
[[gnu::always_inline]] inline Pack flip_signs(Pack a, Pack signs) {
  return _mm256_xor_pd(a, signs);
}
[[gnu::always_inline]] inline Pack square_roots(Pack a) {
  return _mm256_sqrt_pd(a);
}

[[gnu::always_inline]] inline double sum_of(Pack a) {
  return (a[0] + a[2]) + (a[1] + a[3]);
}
[[gnu::always_inline]] inline double largest_of(Pack a) {
  const Pack pairs = larger(a, __builtin_shufflevector(a, a, 2, 3, 0, 1));
  return pairs[0] > pairs[1] ? pairs[0] : pairs[1];
}
[[gnu::always_inline]] inline Pack sums_of(Pack a, Pack b, Pack c, Pack d) {
  const Pack ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Pack cd = __builtin_shufflevector(c, d, 0, 4, 2, 6) + __builtin_shufflevector(c, d, 1, 5, 3, 7);
  return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

[[gnu::always_inline]] inline void transpose(Pack (&a)[4]) {
  const Pack low[] = {__builtin_shufflevector(a[0], a[1], 0, 4, 2, 6),
                      __builtin_shufflevector(a[2], a[3], 0, 4, 2, 6)};
  const Pack high[] = {__builtin_shufflevector(a[0], a[1], 1, 5, 3, 7),
                       __builtin_shufflevector(a[2], a[3], 1, 5, 3, 7)};
  a[0] = __builtin_shufflevector(low[0], low[1], 0, 1, 4, 5);
  a[1] = __builtin_shufflevector(high[0], high[1], 0, 1, 4, 5);
  a[2] = __builtin_shufflevector(low[0], low[1], 2, 3, 6, 7);
  a[3] = __builtin_shufflevector(high[0], high[1], 2, 3, 6, 7);
}

[[gnu::always_inline]] inline std::uint32_t bits_of(PackMask mask) {
  Pack signs;
  std::memcpy(&signs, &mask, sizeof signs);
  return static_cast<std::uint32_t>(_mm256_movemask_pd(signs));
}
template <std::size_t count>
[[gnu::always_inline]] inline std::uint32_t bits_of(const PackMask (&masks)[count]) {
  std::uint32_t bits = 0;
  for (std::size_t r = 0; r < count; ++r) bits |= bits_of(masks[r]) << 4 * r;
  return bits;
}
[[gnu::always_inline]] inline Pack select(PackMask mask, Pack a, Pack b) {
  Pack signs;
  std::memcpy(&signs, &mask, sizeof signs);
  return _mm256_blendv_pd(b, a, signs);
}

}  // namespace slipstick
