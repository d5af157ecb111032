// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "slipstick/linalg/vector.hpp"

// Packs stay in registers: what takes or returns one is inlined, so that no calling convention is concerned.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

#if defined(__AVX__)
#include "slipstick/linalg/wide_pack.hpp"
#else
#include "slipstick/linalg/paired_pack.hpp"
#endif

namespace slipstick {

/// Four numbers that are worked on at once, Pack, have the arithmetic of numbers, also with one for all four,
/// and the entries [0] to [3], to be read. Comparisons give a PackMask, lanes of 0 or -1, for ~, & and |.
/// What else there is, by the registers of the processor:
///     load_pack(from), store_pack(to, a)
///     smaller(a, b), larger(a, b)  b where one is not a number
///     multiply_add(a, b, c)        a b + c, rounded once where the processor does that
///     flip_signs(a, signs)         a with the signs changed where `signs` is -0 and not 0
///     square_roots(a)
///     sum_of(a), largest_of(a)
///     sums_of(a, b, c, d)          the sum of each of the four
///     transpose(a)                 four columns of four rows become rows
///     bits_of(mask)                one bit for each lane that is set, also of an array of masks
///     select(mask, a, b)           a in the lanes that are set, b in the others
inline constexpr Index pack_size = 4;
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

[[gnu::always_inline]] inline Pack all_of(double value) {
  return Pack{value, value, value, value};
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
