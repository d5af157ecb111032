// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/banded/drop_off.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/base/error.hpp"

namespace slipstick::internal::drop_off_test {

// Diagonals 0, 1, 2, 3 with sums of squares 36, 9, 4, 1 (in all 50), times a factor squared.
CsrMatrix by_diagonals(double factor) {
  const std::vector<Triplet> triplets = {
      {0, 0, 6.0 * factor}, {1, 2, 3.0 * factor}, {3, 1, -2.0 * factor}, {0, 3, 1.0 * factor}};
  return csr_from_triplets(4, 4, triplets);
}

TEST(DropOff, TakesTheNarrowestBandAllowed) {
  std::vector<double> squares;
  for (const double factor : {1.0, 1e200, 1e-200}) {
    const CsrMatrix a = by_diagonals(factor);
    const auto choose = [&](double share) { return choose_band(a, {.share = share}, squares); };
    EXPECT_EQ(choose(0.0).half_bandwidth, 3);
    EXPECT_EQ(choose(0.0).dropped, 0.0);
    EXPECT_EQ(choose(0.1).half_bandwidth, 3);  // sqrt(1 / 50) = 0.1414
    EXPECT_EQ(choose(0.15).half_bandwidth, 2);
    EXPECT_NEAR(choose(0.15).dropped, std::sqrt(1.0 / 50.0), 1e-15);
    EXPECT_EQ(choose(0.33).half_bandwidth, 1);  // sqrt(5 / 50) = 0.3162
    EXPECT_EQ(choose(0.54).half_bandwidth, 0);  // sqrt(14 / 50) = 0.5292
    EXPECT_NEAR(choose(1.0).dropped, std::sqrt(14.0 / 50.0), 1e-15);
  }
}

TEST(DropOff, TheLargestHalfBandwidthGoesFirst) {
  std::vector<double> squares;
  const CsrMatrix a = by_diagonals(1.0);
  DropOff band = choose_band(a, {.share = 0.0, .max_half_bandwidth = 1}, squares);
  EXPECT_EQ(band.half_bandwidth, 1);
  EXPECT_NEAR(band.dropped, std::sqrt(5.0 / 50.0), 1e-15);
  band = choose_band(a, {.share = 0.0, .max_half_bandwidth = 0}, squares);
  EXPECT_EQ(band.half_bandwidth, 0);
  band = choose_band(a, {.share = 0.15, .max_half_bandwidth = 10}, squares);
  EXPECT_EQ(band.half_bandwidth, 2);
}

TEST(DropOff, EmptyAndBad) {
  std::vector<double> squares;
  EXPECT_EQ(choose_band(CsrMatrix(0, 0), {}, squares).half_bandwidth, 0);
  EXPECT_EQ(choose_band(CsrMatrix(5, 5), {}, squares).half_bandwidth, 0);
  // Stored zeros far out do not widen the band.
  const std::vector<Triplet> triplets = {{0, 0, 1.0}, {0, 4, 0.0}};
  EXPECT_EQ(choose_band(csr_from_triplets(5, 5, triplets), {}, squares).half_bandwidth, 0);
  EXPECT_THROW(choose_band(CsrMatrix(2, 3), {}, squares), Error);
  EXPECT_THROW(choose_band(CsrMatrix(2, 2), {.share = -0.1}, squares), Error);
  EXPECT_THROW(choose_band(CsrMatrix(2, 2), {.share = std::nan("")}, squares), Error);
  EXPECT_THROW(choose_band(CsrMatrix(2, 2), {.max_half_bandwidth = -1}, squares), Error);
}

}  // namespace slipstick::internal::drop_off_test
