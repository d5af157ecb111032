// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstring>

#include "slipstick/linalg/multiply_add.hpp"
#include "slipstick/matrix.hpp"

#if defined(__AVX__)
#include <immintrin.h>
#endif

// The library's SIMD vocabulary, on the vector types of the compiler:
//     Register<Scalar>  one register of the processor: four doubles or eight floats with AVX, otherwise half
//     Pack              four doubles: one register with AVX, otherwise two
// Both have element-wise arithmetic, also with one number for all lanes, and lanes [0], [1], ... to be read.
// All functions that take or return one are inlined, so that no calling convention matters.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace slipstick::internal {

#if defined(__AVX__)
inline constexpr Index register_bytes = 32;
#else
inline constexpr Index register_bytes = 16;
#endif
template <class Scalar>
struct RegisterType {
  typedef Scalar type __attribute__((vector_size(register_bytes)));
};
template <class Scalar>
using Register = typename RegisterType<Scalar>::type;
template <class Scalar>
inline constexpr Index register_size = register_bytes / static_cast<Index>(sizeof(Scalar));

/// The value, but 0 in the lanes where the condition is 0.
[[gnu::always_inline]] inline Register<double> unless_zero(Register<double> condition,
                                                           Register<double> value) {
  return condition == 0.0 ? Register<double>{} : value;
}

template <class Scalar>
[[gnu::always_inline]] inline Register<Scalar> load_register(const Scalar* from) {
  Register<Scalar> value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
template <class Scalar>
[[gnu::always_inline]] inline void store_register(Scalar* to, Register<Scalar> value) {
  std::memcpy(to, &value, sizeof value);
}
/// `value` in all lanes.
template <class Scalar>
[[gnu::always_inline]] inline Register<Scalar> fill_register(Scalar value) {
  return value - Register<Scalar>{};
}

// multiply_add(a, b, c) is a b + c, rounded once if the processor can.
// smaller(a, b) and larger(a, b) give b if one is not a number.
// square_roots(a) takes the roots of all lanes.
// transpose(a) turns the columns of a square of registers into its rows.
#if defined(__AVX__)

[[gnu::always_inline]] inline Register<double> multiply_add(Register<double> a, Register<double> b,
                                                            Register<double> c) {
#if defined(__FMA__)
  return _mm256_fmadd_pd(a, b, c);
#else
  return a * b + c;
#endif
}
[[gnu::always_inline]] inline Register<float> multiply_add(Register<float> a, Register<float> b,
                                                           Register<float> c) {
#if defined(__FMA__)
  return _mm256_fmadd_ps(a, b, c);
#else
  return a * b + c;
#endif
}
[[gnu::always_inline]] inline Register<double> smaller(Register<double> a, Register<double> b) {
  return _mm256_min_pd(a, b);
}
[[gnu::always_inline]] inline Register<double> larger(Register<double> a, Register<double> b) {
  return _mm256_max_pd(a, b);
}
[[gnu::always_inline]] inline Register<double> square_roots(Register<double> a) {
  return _mm256_sqrt_pd(a);
}
[[gnu::always_inline]] inline void transpose(Register<double> (&a)[4]) {
  const Register<double> low[] = {__builtin_shufflevector(a[0], a[1], 0, 4, 2, 6),
                                  __builtin_shufflevector(a[2], a[3], 0, 4, 2, 6)};
  const Register<double> high[] = {__builtin_shufflevector(a[0], a[1], 1, 5, 3, 7),
                                   __builtin_shufflevector(a[2], a[3], 1, 5, 3, 7)};
  a[0] = __builtin_shufflevector(low[0], low[1], 0, 1, 4, 5);
  a[1] = __builtin_shufflevector(high[0], high[1], 0, 1, 4, 5);
  a[2] = __builtin_shufflevector(low[0], low[1], 2, 3, 6, 7);
  a[3] = __builtin_shufflevector(high[0], high[1], 2, 3, 6, 7);
}

using Pack = Register<double>;
[[gnu::always_inline]] inline Pack load_pack(const double* from) {
  return load_register(from);
}
[[gnu::always_inline]] inline void store_pack(double* to, Pack value) {
  store_register(to, value);
}
[[gnu::always_inline]] inline double sum_of(Pack a) {
  return (a[0] + a[2]) + (a[1] + a[3]);
}

#else

[[gnu::always_inline]] inline Register<double> multiply_add(Register<double> a, Register<double> b,
                                                            Register<double> c) {
  return Register<double>{multiply_add(a[0], b[0], c[0]), multiply_add(a[1], b[1], c[1])};
}
[[gnu::always_inline]] inline Register<float> multiply_add(Register<float> a, Register<float> b,
                                                           Register<float> c) {
  return Register<float>{multiply_add(a[0], b[0], c[0]), multiply_add(a[1], b[1], c[1]),
                         multiply_add(a[2], b[2], c[2]), multiply_add(a[3], b[3], c[3])};
}
[[gnu::always_inline]] inline Register<double> smaller(Register<double> a, Register<double> b) {
  return a < b ? a : b;
}
[[gnu::always_inline]] inline Register<double> larger(Register<double> a, Register<double> b) {
  return a > b ? a : b;
}
[[gnu::always_inline]] inline Register<double> square_roots(Register<double> a) {
  return Register<double>{__builtin_sqrt(a[0]), __builtin_sqrt(a[1])};
}
[[gnu::always_inline]] inline void transpose(Register<double> (&a)[2]) {
  const Register<double> low = __builtin_shufflevector(a[0], a[1], 0, 2);
  a[1] = __builtin_shufflevector(a[0], a[1], 1, 3);
  a[0] = low;
}

// Two registers, because a vector type of four would go through memory in every operation.
struct Pack {
  using Half = Register<double>;
  Half low, high;

  Pack() = default;
  [[gnu::always_inline]] constexpr Pack(Half low_lanes, Half high_lanes) : low(low_lanes), high(high_lanes) {}
  [[gnu::always_inline]] constexpr Pack(double a, double b, double c, double d) : low{a, b}, high{c, d} {}
  // Operations with a number use it for all lanes, like those of vector types.
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
};
// Loads both halves separately, because a copy of the whole would stay in memory.
[[gnu::always_inline]] inline Pack load_pack(const double* from) {
  return {load_register(from), load_register(from + 2)};
}
[[gnu::always_inline]] inline void store_pack(double* to, Pack value) {
  store_register(to, value.low);
  store_register(to + 2, value.high);
}
[[gnu::always_inline]] inline Pack multiply_add(Pack a, Pack b, Pack c) {
  return {multiply_add(a.low, b.low, c.low), multiply_add(a.high, b.high, c.high)};
}
[[gnu::always_inline]] inline Pack smaller(Pack a, Pack b) {
  return {smaller(a.low, b.low), smaller(a.high, b.high)};
}
[[gnu::always_inline]] inline Pack larger(Pack a, Pack b) {
  return {larger(a.low, b.low), larger(a.high, b.high)};
}
[[gnu::always_inline]] inline Pack unless_zero(Pack condition, Pack value) {
  return {unless_zero(condition.low, value.low), unless_zero(condition.high, value.high)};
}
[[gnu::always_inline]] inline Pack square_roots(Pack a) {
  return {square_roots(a.low), square_roots(a.high)};
}
[[gnu::always_inline]] inline double sum_of(Pack a) {
  const Register<double> pairs = a.low + a.high;
  return pairs[0] + pairs[1];
}

#endif

inline constexpr Index pack_size = 4;
/// Three numbers and a zero. It does not go through memory, because a store in parts delays a load of the
/// whole.
[[gnu::always_inline]] inline Pack load_three(const double* from) {
  return Pack{from[0], from[1], from[2], 0.0};
}

// A single number is a pack with one lane.
[[gnu::always_inline]] inline double smaller(double a, double b) {
  return a < b ? a : b;
}
[[gnu::always_inline]] inline double larger(double a, double b) {
  return a > b ? a : b;
}
[[gnu::always_inline]] inline double square_roots(double a) {
  return std::sqrt(a);
}

}  // namespace slipstick::internal

#pragma GCC diagnostic pop
