// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/pack.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/linalg/multiply_add.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace slipstick::internal::pack_test {

TEST(Pack, Arithmetic) {
  const Pack a = {1, -2, 3, -4}, b = {0.5, 0.5, 4, -5}, c = {10, 20, 30, 40};
  EXPECT_EQ(sum_of(c), 100.0);
  const Pack low = smaller(a, b), high = larger(a, b);
  const Pack product = multiply_add(a, b, c), roots = square_roots(c * c);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(low[i], std::min(a[i], b[i]));
    EXPECT_EQ(high[i], std::max(a[i], b[i]));
    EXPECT_EQ(product[i], a[i] * b[i] + c[i]);
    EXPECT_EQ(roots[i], c[i]);
  }
  const double from[] = {1, 2, 3, 4};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(load_three(from)[i], i < 3 ? from[i] : 0.0);
}

template <class Scalar>
void expect_register_of_numbers() {
  constexpr Index size = register_size<Scalar>;
  Scalar x[size], y[size], z[size], found[size];
  for (Index i = 0; i < size; ++i) {
    x[i] = Scalar(1) / Scalar(3 + i);
    y[i] = Scalar(i) - Scalar(0.1);
    z[i] = -x[i] * y[i];
  }
  store_register(found, multiply_add(load_register(x), load_register(y), load_register(z)));
  for (Index i = 0; i < size; ++i) EXPECT_EQ(found[i], multiply_add(x[i], y[i], z[i]));
  store_register(found, fill_register(Scalar(-0.0)));
  for (Index i = 0; i < size; ++i) EXPECT_TRUE(std::signbit(found[i]));
}

TEST(Pack, RegistersOfBothPrecisions) {
  expect_register_of_numbers<double>();
  expect_register_of_numbers<float>();
}

TEST(Pack, TransposesASquareOfRegisters) {
  constexpr Index size = register_size<double>;
  double x[size * size];
  for (Index k = 0; k < size * size; ++k) x[k] = static_cast<double>(k);
  Register<double> rows[size];
  for (Index k = 0; k < size; ++k) rows[k] = load_register(x + size * k);
  transpose(rows);
  for (Index i = 0; i < size; ++i)
    for (Index k = 0; k < size; ++k) EXPECT_EQ(rows[k][i], x[size * i + k]);
}

// As of numbers, rounding included.
TEST(Pack, Operators) {
  const double x[] = {0.1, -2.3, 1e300, -0.0}, y[] = {0.7, 1.0 / 3.0, 3.0, 5.0};
  const Pack a = load_pack(x), b = load_pack(y);
  Pack sum = a, difference = a, product = a;
  sum += b;
  difference -= b;
  product *= b;
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ((a + b)[i], x[i] + y[i]);
    EXPECT_EQ((a - b)[i], x[i] - y[i]);
    EXPECT_EQ((a * b)[i], x[i] * y[i]);
    EXPECT_EQ((a / b)[i], x[i] / y[i]);
    EXPECT_EQ(sum[i], x[i] + y[i]);
    EXPECT_EQ(difference[i], x[i] - y[i]);
    EXPECT_EQ(product[i], x[i] * y[i]);
    EXPECT_EQ(std::signbit((-a)[i]), !std::signbit(x[i]));
    EXPECT_EQ((0.3 * a + 0.2)[i], 0.3 * x[i] + 0.2);
    EXPECT_EQ((1.0 - a / 7.0)[i], 1.0 - x[i] / 7.0);
    EXPECT_EQ((0.5 / b)[i], 0.5 / y[i]);
    EXPECT_EQ(Pack{}[i], 0.0);
  }
}

// If the second argument is not a number, it is the result. Sums of measures rely on this.
TEST(Pack, SmallerAndLargerTakeTheSecondOfWhatCannotBeCompared) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Pack a = {nan, 1, nan, 0.0}, b = {1, nan, nan, -0.0};
  const Pack both[] = {smaller(a, b), larger(a, b)};
  for (const Pack& either : both) {
    EXPECT_EQ(either[0], 1.0);
    EXPECT_TRUE(std::isnan(either[1]));
    EXPECT_TRUE(std::isnan(either[2]));
    EXPECT_TRUE(std::signbit(either[3]));
  }
}

// The same in every lane, and as the scalar one does.
TEST(Pack, MultipliesAndAddsAsScalarsDo) {
  const double third = 1.0 / 3.0, x[] = {third, 0.1, -1e-200, 3.0}, y[] = {third, 0.1, 1e-200, -third};
  const double z[] = {-third * third, -0.01, 0.0, 1.0};
  const Pack result = multiply_add(load_pack(x), load_pack(y), load_pack(z));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(result[i], multiply_add(x[i], y[i], z[i]));
}

}  // namespace slipstick::internal::pack_test

#pragma GCC diagnostic pop
