// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/banded/band_lu.hpp"

#include <gtest/gtest.h>

#include "tests/linsolve/band_testing.hpp"
#include "tests/support/allocation_counter.hpp"

namespace slipstick::internal::band_lu_test {

using testing::banded_reference;
using testing::random_band;

template <class Scalar>
void load(const GeneralBand& a, BandLu<Scalar>& lu, bool reversed = false) {
  const Index n = a.rows(), k = a.half_bandwidth();
  lu.reset(n, k);
  for (Index i = 0; i < n; ++i) {
    for (Index j = std::max<Index>(0, i - k); j < std::min(n, i + k + 1); ++j) {
      (reversed ? lu.at(n - 1 - i, n - 1 - j) : lu.at(i, j)) = static_cast<Scalar>(a.at(i, j));
    }
  }
}

Vector right_side(Index n) {
  Random random(99);
  return Vector::NullaryExpr(n, [&] { return random.normal(); });
}

TEST(BandLu, FactorsByHand) {
  // [2 1 0; 4 5 3; 0 6 7] = [1 0 0; 2 1 0; 0 2 1] [2 1 0; 0 3 3; 0 0 1]
  BandLu<double> lu;
  lu.reset(3, 1);
  lu.at(0, 0) = 2.0;
  lu.at(0, 1) = 1.0;
  lu.at(1, 0) = 4.0;
  lu.at(1, 1) = 5.0;
  lu.at(1, 2) = 3.0;
  lu.at(2, 1) = 6.0;
  lu.at(2, 2) = 7.0;
  EXPECT_EQ(lu.factorize(1e-8), 0);
  EXPECT_EQ(lu.at(1, 0), 2.0);
  EXPECT_EQ(lu.at(1, 1), 3.0);
  EXPECT_EQ(lu.at(2, 1), 2.0);
  EXPECT_EQ(lu.at(2, 2), 1.0);
  std::vector<double> x = {3.0, 12.0, 13.0};
  lu.solve(x.data());
  EXPECT_EQ(x, (std::vector<double>{1.0, 1.0, 1.0}));
}

TEST(BandLu, AgreesWithTheReference) {
  for (const Index n : {1, 2, 3, 5, 8, 17, 64, 131, 300}) {
    for (const Index k : {0, 1, 2, 3, 4, 5, 7, 8, 12, 16, 19, 33, 48, 50, 70}) {
      const GeneralBand a = random_band(n, k, 1.1, 7);
      const Vector b = right_side(n);
      const Vector expected = banded_reference(a, b);
      BandLu<double> lu;
      load(a, lu);
      EXPECT_EQ(lu.factorize(1e-8), 0);
      EXPECT_TRUE(lu.finite());
      Vector x = b;
      lu.solve(x.data());
      EXPECT_LT((x - expected).norm(), 1e-12 * expected.norm()) << n << " " << k;
      BandLu<float> single;
      load(a, single);
      EXPECT_EQ(single.factorize(1e-5F), 0);
      Eigen::VectorXf y = b.cast<float>();
      single.solve(y.data());
      EXPECT_LT((y.cast<double>() - expected).norm(), 1e-4 * expected.norm()) << n << " " << k;
    }
  }
}

TEST(BandLu, BandsOfVaryingWidthAgreeWithTheReference) {
  const Index n = 211;
  for (const Index k : {3, 8, 19, 50, 70}) {
    GeneralBand a = random_band(n, k, 1.1, 7);
    // Narrow at the ends, with other widths above the diagonal than below, and a gap in the middle.
    for (Index j = 0; j < n; ++j) {
      const Index below = j == n / 2 ? 0 : std::min({k, j / 3, (n - 1 - j) / 2});
      const Index above = j == n / 2 + 1 ? 0 : std::min({k, j / 2 + 1, (n - 1 - j) / 4});
      for (Index i = std::max<Index>(0, j - k); i < std::min(n, j + k + 1); ++i) {
        if (i > j + below || i < j - above) a.at(i, j) = 0.0;
      }
    }
    const Vector b = right_side(n);
    const Vector expected = banded_reference(a, b);
    for (const bool reversed : {false, true}) {
      BandLu<double> lu;
      load(a, lu, reversed);
      EXPECT_EQ(lu.factorize(1e-8), 0);
      Vector x = b;
      if (reversed) x.reverseInPlace();
      lu.solve(x.data());
      if (reversed) x.reverseInPlace();
      EXPECT_LT((x - expected).norm(), 1e-12 * expected.norm()) << k << " " << reversed;
    }
  }
}

// Bands that are eliminated in wide panels: whole ones, a last one that is cut short, single precision.
TEST(BandLu, WideBandsAgreeWithTheReference) {
  for (const Index n : {410, 480, 701}) {
    const GeneralBand a = random_band(n, 330, 1.1, 7);
    const Vector b = right_side(n);
    const Vector expected = banded_reference(a, b);
    BandLu<double> lu;
    load(a, lu);
    EXPECT_EQ(lu.factorize(1e-8), 0);
    Vector x = b;
    lu.solve(x.data());
    EXPECT_LT((x - expected).norm(), 1e-12 * expected.norm()) << n;
    BandLu<float> single;
    load(a, single);
    EXPECT_EQ(single.factorize(1e-5F), 0);
    Eigen::VectorXf y = b.cast<float>();
    single.solve(y.data());
    EXPECT_LT((y.cast<double>() - expected).norm(), 1e-4 * expected.norm()) << n;
  }
}

TEST(BandLu, SymmetricFactorsAreTheSame) {
  for (const Index n : {1, 7, 64, 300, 900}) {
    for (const Index k : {1, 3, 5, 12, 19, 50, 290, 400}) {
      GeneralBand a = random_band(n, std::min(k, n - 1), 1.1, 7);
      for (Index i = 0; i < n; ++i) {
        for (Index j = std::max<Index>(0, i - a.half_bandwidth()); j < i; ++j) a.at(j, i) = a.at(i, j);
      }
      BandLu<double> general, symmetric;
      load(a, general);
      load(a, symmetric);
      EXPECT_EQ(general.factorize(1e-8), symmetric.factorize(1e-8, true));
      Vector x = right_side(n), y = x;
      general.solve(x.data());
      symmetric.solve(y.data());
      EXPECT_LT((x - y).norm(), 1e-12 * x.norm()) << n << " " << k;
    }
  }
}

TEST(BandLu, UpperLowerFactorsOfTheReverseAgree) {
  for (const Index k : {1, 4, 9, 17, 52}) {
    const Index n = 4 * k + 3;
    const GeneralBand a = random_band(n, k, 1.05, 11);
    const Vector b = right_side(n);
    BandLu<double> forward, reverse;
    load(a, forward);
    load(a, reverse, true);
    forward.factorize(1e-8);
    reverse.factorize(1e-8);
    Vector x = b, y = b.reverse();
    forward.solve(x.data());
    reverse.solve(y.data());
    EXPECT_LT((x - y.reverse()).norm(), 1e-12 * x.norm());
  }
}

TEST(BandLu, PartialSubstitutionsTouchNothingElse) {
  const Index n = 57, k = 9;
  const GeneralBand a = random_band(n, k, 1.2, 5);
  BandLu<double> lu;
  load(a, lu);
  lu.factorize(1e-8);
  for (const Index from : {n - 1, n - 2, n - k, n - 2 * k}) {
    Vector x = Vector::Zero(n);
    x.tail(n - from) = right_side(n - from);
    Vector part = x;
    part.head(from).setConstant(std::nan(""));
    lu.forward(x.data());
    lu.forward(part.data(), from);
    EXPECT_LT((part.tail(n - from) - x.tail(n - from)).norm(), 1e-14 * x.norm());
    EXPECT_TRUE(part.head(from).array().isNaN().all());
    lu.backward(x.data());
    lu.backward(part.data(), from);
    EXPECT_LT((part.tail(n - from) - x.tail(n - from)).norm(), 1e-14 * x.norm());
    EXPECT_TRUE(part.head(from).array().isNaN().all());
  }
}

TEST(BandLu, TipsAreRowsOfTheSpike) {
  for (const Index k : {1, 2, 3, 4, 6, 8, 13, 16, 20, 49, 321}) {
    for (const Index n : {2 * k, 2 * k + 1, k < 100 ? 5 * k + 2 : 3 * k, 70 + (k < 100 ? 9 : 2) * k}) {
      const GeneralBand a = random_band(n, k, 0.7, 13);
      BandLu<double> lu;
      load(a, lu);
      ASSERT_EQ(lu.factorize(1e-8), 0);
      const DenseMatrix block = right_side(k * k).reshaped(k, k);
      DenseMatrix spike = DenseMatrix::Zero(n, k);
      spike.bottomRows(k) = block;
      for (Index j = 0; j < k; ++j) lu.solve(&spike(0, j));
      DenseMatrix bottom, top, window;
      lu.bottom_tip(block, bottom);
      lu.top_tip(block, top, window);
      EXPECT_LT((bottom - spike.bottomRows(k)).norm(), 1e-12 * spike.norm()) << n << " " << k;
      EXPECT_LT((top - spike.topRows(k)).norm(), 1e-11 * spike.norm()) << n << " " << k;
    }
  }
}

TEST(BandLu, BoostsSmallPivots) {
  // [0 1; 1 0] has no LU factors without exchange; a boosted pivot of 1e-8 gives those of a nearby matrix.
  BandLu<double> lu;
  lu.reset(2, 1);
  lu.at(0, 1) = 1.0;
  lu.at(1, 0) = 1.0;
  EXPECT_EQ(lu.factorize(1e-8), 1);
  EXPECT_TRUE(lu.finite());
  std::vector<double> x = {3.0, 5.0};
  lu.solve(x.data());
  EXPECT_NEAR(x[0], 5.0, 1e-6);
  EXPECT_NEAR(x[1], 3.0, 1e-6);
  // The sign is kept, and the threshold is relative to the row and the column.
  lu.reset(2, 1);
  lu.at(0, 0) = -1e-12;
  lu.at(0, 1) = 1.0;
  lu.at(1, 0) = 1.0;
  EXPECT_EQ(lu.factorize(1e-8), 1);
  EXPECT_EQ(lu.at(0, 0), -1e-8);
  lu.reset(2, 1);
  lu.at(0, 0) = 1e-30;
  lu.at(0, 1) = 1e-30;
  lu.at(1, 1) = 1e30;
  EXPECT_EQ(lu.factorize(1e-8), 0);
}

TEST(BandLu, ZeroAndSingularMatricesStayFinite) {
  for (const Index k : {0, 2, 5, 20}) {
    BandLu<double> lu;
    lu.reset(50, k);
    EXPECT_EQ(lu.factorize(1e-8), 50);
    Vector x = right_side(50);
    lu.solve(x.data());
    EXPECT_TRUE(x.allFinite());
    // A column that repeats its neighbour within the band, and a zero row.
    GeneralBand a = random_band(50, k, 1.1, 3);
    for (Index j = std::max<Index>(0, 20 - k); j <= 20 + k; ++j) a.at(20, j) = 0.0;
    load(a, lu);
    EXPECT_EQ(lu.factorize(1e-8), 1);
    x = right_side(50);
    lu.solve(x.data());
    EXPECT_TRUE(x.allFinite());
  }
}

TEST(BandLu, SaysWhenItOverflowed) {
  BandLu<float> lu;
  lu.reset(3, 1);
  for (Index i = 0; i < 3; ++i) lu.at(i, i) = 1.0F;
  lu.at(0, 1) = 1e30F;
  lu.at(1, 0) = 1e30F;
  lu.factorize(0.0F);
  EXPECT_FALSE(lu.finite());
}

TEST(BandLu, SecondFactorizationAllocatesNothing) {
  const GeneralBand a = random_band(200, 20, 1.1, 3);
  BandLu<double> lu;
  load(a, lu);
  lu.factorize(1e-8);
  DenseMatrix block = DenseMatrix::Identity(20, 20), bottom, top, window;
  lu.bottom_tip(block, bottom);
  lu.top_tip(block, top, window);
  const std::size_t before = allocations();
  load(a, lu);
  lu.factorize(1e-8);
  lu.bottom_tip(block, bottom);
  lu.top_tip(block, top, window);
  EXPECT_EQ(allocations(), before);
}

}  // namespace slipstick::internal::band_lu_test
