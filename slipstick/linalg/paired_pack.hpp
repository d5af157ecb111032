// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

#include "slipstick/linalg/multiply_add.hpp"

// Packs of two registers, where these hold two numbers each: a vector type of four would go through memory
// with every operation. See pack.hpp for what the functions do.

namespace slipstick {

typedef double HalfPack __attribute__((vector_size(16)));
typedef long long HalfMask __attribute__((vector_size(16)));

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

struct Pack {
  HalfPack low, high;

  Pack() = default;
  [[gnu::always_inline]] constexpr Pack(HalfPack low_lanes, HalfPack high_lanes)
      : low(low_lanes), high(high_lanes) {}
  [[gnu::always_inline]] constexpr Pack(double a, double b, double c, double d) : low{a, b}, high{c, d} {}
  // Operations with a number take it for all lanes, as those of vector types do.
  [[gnu::always_inline]] constexpr Pack(double all) : low{all, all}, high{all, all} {}
  [[gnu::always_inline]] double operator[](long i) const { return i < 2 ? low[i] : high[i - 2]; }

  [[gnu::always_inline]] friend Pack operator-(Pack a) { return {-a.low, -a.high}; }
  [[gnu::always_inline]] friend Pack operator+(Pack a, Pack b) { return {a.low + b.low, a.high + b.high}; }
  [[gnu::always_inline]] friend Pack operator-(Pack a, Pack b) { return {a.low - b.low, a.high - b.high}; }
  [[gnu::always_inline]] friend Pack operator*(Pack a, Pack b) { return {a.low * b.low, a.high * b.high}; }
  [[gnu::always_inline]] friend Pack operator/(Pack a, Pack b) { return {a.low / b.low, a.high / b.high}; }
  [[gnu::always_inline]] Pack& operator+=(Pack b) { return *this = *this + b; }
  [[gnu::always_inline]] Pack& operator-=(Pack b) { return *this = *this - b; }
  [[gnu::always_inline]] Pack& operator*=(Pack b) { return *this = *this * b; }

  [[gnu::always_inline]] friend PackMask operator<(Pack a, Pack b) {
    return {a.low < b.low, a.high < b.high};
  }
  [[gnu::always_inline]] friend PackMask operator<=(Pack a, Pack b) {
    return {a.low <= b.low, a.high <= b.high};
  }
  [[gnu::always_inline]] friend PackMask operator>(Pack a, Pack b) { return b < a; }
  [[gnu::always_inline]] friend PackMask operator>=(Pack a, Pack b) { return b <= a; }
  [[gnu::always_inline]] friend PackMask operator==(Pack a, Pack b) {
    return {a.low == b.low, a.high == b.high};
  }
};

// Half by half: what is copied whole stays in memory.
[[gnu::always_inline]] inline Pack load_pack(const double* from) {
  HalfPack low, high;
  std::memcpy(&low, from, sizeof low);
  std::memcpy(&high, from + 2, sizeof high);
  return {low, high};
}
[[gnu::always_inline]] inline void store_pack(double* to, Pack value) {
  std::memcpy(to, &value.low, sizeof value.low);
  std::memcpy(to + 2, &value.high, sizeof value.high);
}

[[gnu::always_inline]] inline HalfPack smaller(HalfPack a, HalfPack b) {
  return a < b ? a : b;
}
[[gnu::always_inline]] inline HalfPack larger(HalfPack a, HalfPack b) {
  return a > b ? a : b;
}
[[gnu::always_inline]] inline HalfPack multiply_add(HalfPack a, HalfPack b, HalfPack c) {
  return HalfPack{multiply_add(a[0], b[0], c[0]), multiply_add(a[1], b[1], c[1])};
}
[[gnu::always_inline]] inline HalfPack square_roots(HalfPack a) {
  return HalfPack{__builtin_sqrt(a[0]), __builtin_sqrt(a[1])};
}
[[gnu::always_inline]] inline HalfPack flip_signs(HalfPack a, HalfPack signs) {
  return reinterpret_cast<HalfPack>(reinterpret_cast<HalfMask>(a) ^ reinterpret_cast<HalfMask>(signs));
}
[[gnu::always_inline]] inline HalfPack select(HalfMask mask, HalfPack a, HalfPack b) {
  const HalfMask others = reinterpret_cast<HalfMask>(b);
  return reinterpret_cast<HalfPack>(((reinterpret_cast<HalfMask>(a) ^ others) & mask) ^ others);
}
/// a[0], b[0] and a[1], b[1]
[[gnu::always_inline]] inline HalfPack first_of(HalfPack a, HalfPack b) {
  return __builtin_shufflevector(a, b, 0, 2);
}
[[gnu::always_inline]] inline HalfPack second_of(HalfPack a, HalfPack b) {
  return __builtin_shufflevector(a, b, 1, 3);
}

[[gnu::always_inline]] inline Pack smaller(Pack a, Pack b) {
  return {smaller(a.low, b.low), smaller(a.high, b.high)};
}
[[gnu::always_inline]] inline Pack larger(Pack a, Pack b) {
  return {larger(a.low, b.low), larger(a.high, b.high)};
}
[[gnu::always_inline]] inline Pack multiply_add(Pack a, Pack b, Pack c) {
  return {multiply_add(a.low, b.low, c.low), multiply_add(a.high, b.high, c.high)};
}
[[gnu::always_inline]] inline Pack square_roots(Pack a) {
  return {square_roots(a.low), square_roots(a.high)};
}
[[gnu::always_inline]] inline Pack flip_signs(Pack a, Pack signs) {
  return {flip_signs(a.low, signs.low), flip_signs(a.high, signs.high)};
}
[[gnu::always_inline]] inline Pack select(PackMask mask, Pack a, Pack b) {
  return {select(mask.low, a.low, b.low), select(mask.high, a.high, b.high)};
}

[[gnu::always_inline]] inline double sum_of(Pack a) {
  const HalfPack pairs = a.low + a.high;
  return pairs[0] + pairs[1];
}
[[gnu::always_inline]] inline double largest_of(Pack a) {
  const HalfPack pairs = larger(a.low, a.high);
  return pairs[0] > pairs[1] ? pairs[0] : pairs[1];
}
[[gnu::always_inline]] inline Pack sums_of(Pack a, Pack b, Pack c, Pack d) {
  const auto both = [](HalfPack x, HalfPack y) __attribute__((always_inline)) {
    return first_of(x, y) + second_of(x, y);
  };
  return {both(a.low, b.low) + both(a.high, b.high), both(c.low, d.low) + both(c.high, d.high)};
}

[[gnu::always_inline]] inline void transpose(Pack (&a)[4]) {
  const Pack columns[] = {a[0], a[1], a[2], a[3]};
  a[0] = {first_of(columns[0].low, columns[1].low), first_of(columns[2].low, columns[3].low)};
  a[1] = {second_of(columns[0].low, columns[1].low), second_of(columns[2].low, columns[3].low)};
  a[2] = {first_of(columns[0].high, columns[1].high), first_of(columns[2].high, columns[3].high)};
  a[3] = {second_of(columns[0].high, columns[1].high), second_of(columns[2].high, columns[3].high)};
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

}  // namespace slipstick
