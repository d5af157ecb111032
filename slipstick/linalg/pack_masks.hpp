// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "slipstick/linalg/pack.hpp"

// What the pivoting methods for a few rows need beyond pack.hpp. Comparisons give a PackMask, lanes of 0 or
// -1.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace slipstick {

#if defined(__AVX__)

typedef long long PackMask __attribute__((vector_size(32)));

[[gnu::always_inline]] inline Pack flip_signs(Pack a, Pack signs) {
  return _mm256_xor_pd(a, signs);
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

#else

typedef long long HalfMask __attribute__((vector_size(16)));
using HalfPack = Register<double>;
struct PackMask {
  HalfMask low, high;

  PackMask() = default;
  [[gnu::always_inline]] constexpr PackMask(HalfMask low_lanes, HalfMask high_lanes)
      : low(low_lanes), high(high_lanes) {}
  [[gnu::always_inline]] constexpr PackMask(long long a, long long b, long long c, long long d)
      : low{a, b}, high{c, d} {}
  [[gnu::always_inline]] long long operator[](long i) const { return i < 2 ? low[i] : high[i - 2]; }

  [[gnu::always_inline]] friend PackMask operator~(PackMask a) { return {~a.low, ~a.high}; }
  [[gnu::always_inline]] friend PackMask operator&(PackMask a, PackMask b) {
    return {a.low & b.low, a.high & b.high};
  }
  [[gnu::always_inline]] friend PackMask operator|(PackMask a, PackMask b) {
    return {a.low | b.low, a.high | b.high};
  }
};
[[gnu::always_inline]] inline PackMask operator<(Pack a, Pack b) {
  return {a.low < b.low, a.high < b.high};
}
[[gnu::always_inline]] inline PackMask operator<=(Pack a, Pack b) {
  return {a.low <= b.low, a.high <= b.high};
}
[[gnu::always_inline]] inline PackMask operator>(Pack a, Pack b) {
  return b < a;
}
[[gnu::always_inline]] inline PackMask operator>=(Pack a, Pack b) {
  return b <= a;
}
[[gnu::always_inline]] inline PackMask operator==(Pack a, Pack b) {
  return {a.low == b.low, a.high == b.high};
}
[[gnu::always_inline]] inline HalfPack flip_signs(HalfPack a, HalfPack signs) {
  return reinterpret_cast<HalfPack>(reinterpret_cast<HalfMask>(a) ^ reinterpret_cast<HalfMask>(signs));
}
[[gnu::always_inline]] inline HalfPack select(HalfMask mask, HalfPack a, HalfPack b) {
  const HalfMask others = reinterpret_cast<HalfMask>(b);
  return reinterpret_cast<HalfPack>(((reinterpret_cast<HalfMask>(a) ^ others) & mask) ^ others);
}
[[gnu::always_inline]] inline Pack flip_signs(Pack a, Pack signs) {
  return {flip_signs(a.low, signs.low), flip_signs(a.high, signs.high)};
}
[[gnu::always_inline]] inline Pack select(PackMask mask, Pack a, Pack b) {
  return {select(mask.low, a.low, b.low), select(mask.high, a.high, b.high)};
}
[[gnu::always_inline]] inline double largest_of(Pack a) {
  const HalfPack pairs = larger(a.low, a.high);
  return pairs[0] > pairs[1] ? pairs[0] : pairs[1];
}
[[gnu::always_inline]] inline Pack sums_of(Pack a, Pack b, Pack c, Pack d) {
  const auto both = [](HalfPack x, HalfPack y) __attribute__((always_inline)) {
    return __builtin_shufflevector(x, y, 0, 2) + __builtin_shufflevector(x, y, 1, 3);
  };
  return {both(a.low, b.low) + both(a.high, b.high), both(c.low, d.low) + both(c.high, d.high)};
}
[[gnu::always_inline]] inline void transpose(Pack (&a)[4]) {
  const Pack columns[] = {a[0], a[1], a[2], a[3]};
  const auto first = [](HalfPack x, HalfPack y) { return __builtin_shufflevector(x, y, 0, 2); };
  const auto second = [](HalfPack x, HalfPack y) { return __builtin_shufflevector(x, y, 1, 3); };
  a[0] = {first(columns[0].low, columns[1].low), first(columns[2].low, columns[3].low)};
  a[1] = {second(columns[0].low, columns[1].low), second(columns[2].low, columns[3].low)};
  a[2] = {first(columns[0].high, columns[1].high), first(columns[2].high, columns[3].high)};
  a[3] = {second(columns[0].high, columns[1].high), second(columns[2].high, columns[3].high)};
}
template <std::size_t count>
[[gnu::always_inline]] inline std::uint32_t bits_of(const PackMask (&masks)[count]) {
  HalfMask bits = {};
  for (std::size_t r = 0; r < count; ++r)
    bits |= (masks[r].low & (HalfMask{1, 2} << 4 * r)) | (masks[r].high & (HalfMask{4, 8} << 4 * r));
  return static_cast<std::uint32_t>(bits[0] | bits[1]);
}
[[gnu::always_inline]] inline std::uint32_t bits_of(PackMask mask) {
  const PackMask alone[] = {mask};
  return bits_of(alone);
}

#endif

/// Rows in whole packs.
constexpr Index whole_packs(Index rows) {
  return (rows + pack_size - 1) / pack_size * pack_size;
}

/// Rows in memory where no pack lies across two lines of a cache.
using PackedVector = std::vector<double, Eigen::aligned_allocator<double>>;
template <Index rows>
struct alignas(sizeof(Pack)) PackedArray : std::array<double, static_cast<std::size_t>(rows)> {};

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

/// The lanes of the lowest four bits.
[[gnu::always_inline]] inline PackMask lanes_of(std::uint32_t bits) {
  static constexpr PackMask lanes[] = {{0, 0, 0, 0},   {-1, 0, 0, 0},   {0, -1, 0, 0},   {-1, -1, 0, 0},
                                       {0, 0, -1, 0},  {-1, 0, -1, 0},  {0, -1, -1, 0},  {-1, -1, -1, 0},
                                       {0, 0, 0, -1},  {-1, 0, 0, -1},  {0, -1, 0, -1},  {-1, -1, 0, -1},
                                       {0, 0, -1, -1}, {-1, 0, -1, -1}, {0, -1, -1, -1}, {-1, -1, -1, -1}};
  return lanes[bits & 15u];
}

}  // namespace slipstick

#pragma GCC diagnostic pop
