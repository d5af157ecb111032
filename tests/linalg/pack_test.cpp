// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/pack.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "slipstick/linalg/multiply_add.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace slipstick::pack_test {

TEST(Pack, WholePacks) {
  EXPECT_EQ(whole_packs(0), 0);
  EXPECT_EQ(whole_packs(1), 4);
  EXPECT_EQ(whole_packs(4), 4);
  EXPECT_EQ(whole_packs(5), 8);
}

TEST(Pack, LoadsAndStoresSome) {
  const double from[] = {1, 2, 3, 4};
  for (Index count = 0; count < pack_size; ++count) {
    double to[] = {-1, -1, -1, -1};
    const Pack some = load_some(from, count);
    store_some(to, count, load_pack(from));
    for (Index i = 0; i < pack_size; ++i) {
      EXPECT_EQ(some[i], i < count ? from[i] : 0.0);
      EXPECT_EQ(to[i], i < count ? from[i] : -1.0);
    }
  }
}

TEST(Pack, Arithmetic) {
  const Pack a = {1, -2, 3, -4}, b = {0.5, 0.5, 4, -5}, c = {10, 20, 30, 40}, d = {1, 1, 1, 1};
  EXPECT_EQ(sum_of(c), 100.0);
  EXPECT_EQ(largest_of(a), 3.0);
  EXPECT_EQ(largest_of(-a), 4.0);
  const Pack low = smaller(a, b), high = larger(a, b), sums = sums_of(a, b, c, d);
  const Pack product = multiply_add(a, b, c), roots = square_roots(c * c);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(low[i], std::min(a[i], b[i]));
    EXPECT_EQ(high[i], std::max(a[i], b[i]));
    EXPECT_EQ(product[i], a[i] * b[i] + c[i]);
    EXPECT_EQ(roots[i], c[i]);
    EXPECT_EQ(flip_signs(a, Pack{0.0, -0.0, 0.0, -0.0})[i], i % 2 == 0 ? a[i] : -a[i]);
    EXPECT_EQ(all_of(7.0)[i], 7.0);
  }
  EXPECT_EQ(sums[0], -2.0);
  EXPECT_EQ(sums[1], 0.0);
  EXPECT_EQ(sums[2], 100.0);
  EXPECT_EQ(sums[3], 4.0);
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

TEST(Pack, Comparisons) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Pack a = {1, 2, 3, nan}, b = {2, 2, 2, 2};
  EXPECT_EQ(bits_of(a < b), 0b0001u);
  EXPECT_EQ(bits_of(a <= b), 0b0011u);
  EXPECT_EQ(bits_of(a > b), 0b0100u);
  EXPECT_EQ(bits_of(a >= b), 0b0110u);
  EXPECT_EQ(bits_of(a == b), 0b0010u);
  EXPECT_EQ(bits_of(a == 3.0), 0b0100u);
  EXPECT_EQ(bits_of((a < b) | (a > b)), 0b0101u);
  EXPECT_EQ(bits_of((a <= b) & (a >= b)), 0b0010u);
  EXPECT_EQ(bits_of(~(a < b)), 0b1110u);
}

// What is not a number is passed on where it comes second, which sums of measures rely on.
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

TEST(Pack, SelectsAllBits) {
  const double payload = std::numeric_limits<double>::quiet_NaN();
  const Pack a = {-0.0, payload, 1e-310, -1.0}, b = {0.0, 1.0, -0.0, payload};
  const double expected[] = {-0.0, 1.0, 1e-310, payload};
  double found[4];
  store_pack(found, select(lanes_of(0b0101), a, b));
  EXPECT_EQ(std::memcmp(found, expected, sizeof found), 0);
}

// The sums of a pack are those of its halves.
TEST(Pack, OrderOfSums) {
  const double x[] = {1.0, 1e-16, 1e-16, -1.0};
  const Pack a = load_pack(x), none = {};
  EXPECT_EQ(sum_of(a), (x[0] + x[2]) + (x[1] + x[3]));
  EXPECT_EQ(sums_of(none, a, none, a)[1], (x[0] + x[1]) + (x[2] + x[3]));
  EXPECT_EQ(sums_of(none, a, none, a)[3], (x[0] + x[1]) + (x[2] + x[3]));
}

TEST(Pack, Transpose) {
  Pack a[] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}};
  transpose(a);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) EXPECT_EQ(a[i][j], 4 * j + i);
  }
}

TEST(Pack, BitsAndLanes) {
  for (std::uint32_t bits = 0; bits < 16; ++bits) {
    const PackMask lanes = lanes_of(bits | 0xf0);
    EXPECT_EQ(bits_of(lanes), bits);
    const PackMask several[] = {lanes, ~lanes, lanes};
    EXPECT_EQ(bits_of(several), bits | (15u - bits) << 4 | bits << 8);
    const Pack either = select(lanes, Pack{1, 2, 3, 4}, Pack{-1, -2, -3, -4});
    for (std::uint32_t i = 0; i < 4; ++i) {
      const bool set = (bits >> i & 1u) != 0;
      EXPECT_EQ(lanes[i], set ? -1 : 0);
      EXPECT_EQ(either[i], set ? i + 1.0 : -(i + 1.0));
    }
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Pack a = {nan, 1, -1, 0};
  EXPECT_EQ(bits_of(~(a >= Pack{})), 0b0101u) << "what is not a number is not at least 0";
}

}  // namespace slipstick::pack_test

#pragma GCC diagnostic pop
