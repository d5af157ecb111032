// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/pack.hpp"

#include <gtest/gtest.h>

#include <limits>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace slipstick {
namespace {

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

}  // namespace
}  // namespace slipstick

#pragma GCC diagnostic pop
