// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/spike_engine.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "slipstick/linsolve/banded/spike.hpp"
#include "tests/cuda/contact_cases.hpp"
#include "tests/linsolve/band_testing.hpp"

namespace slipstick::internal::spike_engine_test {

using testing::random_band;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Case {
  int rows, half_bandwidth, partitions;
};
// Tiles have 32 rows. Bands of more than 7 tiles, half-bandwidth 224, take other kernels.
constexpr Case cases[] = {{1, 0, 1},      {2, 1, 1},     {31, 3, 1},    {32, 0, 1},     {33, 32, 1},
                          {50, 60, 1},    {64, 31, 1},   {100, 33, 1},  {130, 0, 2},    {128, 5, 2},
                          {129, 31, 2},   {200, 32, 3},  {333, 10, 4},  {400, 33, 3},   {512, 40, 4},
                          {700, 17, 10},  {1000, 50, 7}, {900, 100, 3}, {640, 64, 5},   {1500, 90, 7},
                          {1000, 220, 2}, {300, 257, 1}, {700, 300, 1}, {1300, 270, 2}, {2000, 260, 3}};

// A test for each case, so that each can run in a process of its own.
class SpikeEngineCases : public ::testing::TestWithParam<Case> {};
std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  return fmt::format("{}_{}_{}", info.param.rows, info.param.half_bandwidth, info.param.partitions);
}
INSTANTIATE_TEST_SUITE_P(Every, SpikeEngineCases, ::testing::ValuesIn(cases), case_name);

struct Outcome {
  Vector x;
  SpikeOutcome factors;
};

// Numbers of the storage that are outside the matrix must not be read.
DenseMatrix poisoned_columns(const GeneralBand& a) {
  DenseMatrix columns = a.columns();
  const Index k = a.half_bandwidth();
  for (Index j = 0; j < a.rows(); ++j) {
    for (Index s = 0; s < 2 * k + 1; ++s) {
      const Index i = j - k + s;
      if (i < 0 || i >= a.rows()) columns(s, j) = nan;
    }
  }
  return columns;
}

SpikeRequest request_for(const GeneralBand& a, int partitions, bool truncated = false,
                         bool symmetric = false) {
  return {.rows = static_cast<int>(a.rows()),
          .half_bandwidth = static_cast<int>(a.half_bandwidth()),
          .partitions = partitions,
          .truncated = truncated,
          .symmetric = symmetric};
}

Outcome solve(SpikeEngine& engine, const GeneralBand& a, const SpikeRequest& request, const Vector& b) {
  Outcome outcome{Vector::Constant(b.size(), nan), {}};
  engine.set_size(request);
  outcome.factors = engine.factorize(poisoned_columns(a).data());
  engine.solve(b.data(), outcome.x.data());
  return outcome;
}

Vector right_side(Index n) {
  Random random(77);
  return Vector::NullaryExpr(n, [&] { return random.normal(); });
}

Vector solve_on_host(const GeneralBand& a, const Vector& b) {
  Spike<double> spike;
  spike.factorize(a, {.partitions = 1});
  Vector x = b;
  spike.solve(x);
  return x;
}

GeneralBand symmetric_band(Index n, Index k, double dominance, std::uint64_t seed) {
  GeneralBand a = random_band(n, k, dominance, seed);
  for (Index i = 0; i < n; ++i) {
    double sum = 0.0;
    for (Index j = std::max<Index>(0, i - k); j < std::min(n, i + k + 1); ++j) {
      if (j > i) a.at(i, j) = a.at(j, i);
      if (j != i) sum += std::abs(a.at(j, i)) + std::abs(a.at(i, j));
    }
    a.at(i, i) = std::max(1e-3, dominance * sum);
  }
  for (Index i = 0; i < n; ++i)
    for (Index j = i + 1; j < std::min(n, i + k + 1); ++j) a.at(i, j) = a.at(j, i);
  return a;
}

// The first wrong number says most about a wrong kernel.
void expect_near(const Vector& x, const Vector& expected, double tolerance) {
  const double norm = expected.norm() / std::sqrt(std::max<double>(1.0, static_cast<double>(x.size())));
  int wrong = 0;
  for (Index i = 0; i < x.size(); ++i) {
    if (std::abs(x[i] - expected[i]) <= tolerance * norm) continue;
    if (++wrong == 1)
      ADD_FAILURE() << "row " << i << " of " << x.size() << ": " << x[i] << ", expected " << expected[i];
  }
  EXPECT_EQ(wrong, 0) << "wrong rows";
}

TEST_P(SpikeEngineCases, FullAgreesWithTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  SpikeEngine engine;
  const Case one = GetParam();
  const GeneralBand a = random_band(one.rows, one.half_bandwidth, 1.05, 11);
  const Vector b = right_side(one.rows), expected = solve_on_host(a, b);
  const Outcome outcome = solve(engine, a, request_for(a, one.partitions), b);
  EXPECT_TRUE(outcome.factors.usable());
  EXPECT_EQ(outcome.factors.boosted_pivots, 0);
  EXPECT_EQ(engine.plan().partitions, one.partitions);
  expect_near(outcome.x, expected, 1e-11);
}

TEST_P(SpikeEngineCases, SymmetricMatricesNeedOneTriangle) {
  SLIPSTICK_NEEDS_DEVICE();
  SpikeEngine engine;
  const Case one = GetParam();
  const GeneralBand a = symmetric_band(one.rows, one.half_bandwidth, 0.6, 12);
  const Vector b = right_side(one.rows), expected = solve_on_host(a, b);
  const Outcome outcome = solve(engine, a, request_for(a, one.partitions, false, true), b);
  EXPECT_TRUE(outcome.factors.usable());
  EXPECT_EQ(outcome.factors.boosted_pivots, 0);
  expect_near(outcome.x, expected, 1e-11);
}

TEST_P(SpikeEngineCases, TruncatedIsExactForTwoPartitionsAndNearlySoForDominantBands) {
  SLIPSTICK_NEEDS_DEVICE();
  SpikeEngine engine;
  const Case one = GetParam();
  const GeneralBand a = random_band(one.rows, one.half_bandwidth, one.partitions > 2 ? 3.0 : 1.05, 13);
  const Vector b = right_side(one.rows), expected = solve_on_host(a, b);
  const Outcome outcome = solve(engine, a, request_for(a, one.partitions, true), b);
  expect_near(outcome.x, expected, one.partitions > 2 ? 1e-2 : 1e-11);
  if (one.partitions <= 2) return;
  EXPECT_LT((outcome.x - expected).norm(), 1e-4 * expected.norm());
}

// Partition by partition the truncated method is the same as that of the host if the cuts are.
TEST(SpikeEngine, TruncatedHasTheErrorOfTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  const GeneralBand a = random_band(640, 32, 0.9, 14);
  const Vector b = right_side(640);
  Spike<double> host;
  ASSERT_TRUE(host.factorize(a, {.partitions = 5, .truncated = true, .end_weight = 1.0}));
  Vector expected = b;
  host.solve(expected);
  SpikeEngine engine;
  const Outcome outcome = solve(engine, a, request_for(a, 5, true), b);
  for (int i = 0; i <= 5; ++i) EXPECT_EQ(host.partition_start()[i], 32 * engine.plan().start[i]);
  expect_near(outcome.x, expected, 1e-11);
  EXPECT_GT((expected - solve_on_host(a, b)).norm(), 1e-9 * expected.norm())
      << "the test can see the difference";
}

TEST(SpikeEngine, SizesFollowEachOther) {
  SLIPSTICK_NEEDS_DEVICE();
  SpikeEngine kept;
  for (const Case& one : {Case{512, 40, 4}, Case{33, 32, 1}, Case{1300, 270, 2}, Case{128, 5, 2}}) {
    const GeneralBand a = random_band(one.rows, one.half_bandwidth, 1.05, 20);
    const Vector b = right_side(one.rows);
    SpikeEngine fresh;
    const Vector x = solve(fresh, a, request_for(a, one.partitions), b).x;
    ASSERT_TRUE(x.allFinite());
    EXPECT_EQ(solve(kept, a, request_for(a, one.partitions), b).x, x) << one.rows;
  }
}

TEST(SpikeEngine, SeveralRightSidesHaveTheBitsOfOne) {
  SLIPSTICK_NEEDS_DEVICE();
  for (const Case& one : {Case{200, 32, 3}, Case{300, 40, 1}, Case{1300, 270, 2}}) {
    const GeneralBand a = random_band(one.rows, one.half_bandwidth, 1.1, 15);
    DenseMatrix b(a.rows(), 5), x = DenseMatrix::Constant(a.rows(), 5, nan);
    Random random(3);
    for (double& entry : b.reshaped()) entry = random.normal();
    SpikeEngine engine;
    SpikeRequest request = request_for(a, one.partitions);
    request.columns = 3;
    engine.set_size(request);
    engine.factorize(a.columns().data());
    engine.solve(b.data(), x.data(), 5);
    for (Index c = 0; c < 5; ++c) {
      Vector single = Vector::Constant(a.rows(), nan);
      engine.solve(b.col(c).eval().data(), single.data());
      EXPECT_EQ(single, x.col(c)) << c;
      EXPECT_EQ(single, solve(engine, a, request_for(a, one.partitions), b.col(c)).x) << c;
      engine.set_size(request);
      engine.factorize(a.columns().data());
    }
  }
}

TEST(SpikeEngine, BitsDoNotDependOnLaunches) {
  SLIPSTICK_NEEDS_DEVICE();
  for (const Case& one : {Case{512, 40, 4}, Case{1000, 50, 7}, Case{700, 300, 1}, Case{2000, 260, 3}}) {
    const GeneralBand a = random_band(one.rows, one.half_bandwidth, 1.05, 16);
    const Vector b = right_side(one.rows);
    SpikeEngine engine;
    const Vector x = solve(engine, a, request_for(a, one.partitions), b).x;
    ASSERT_TRUE(x.allFinite());
    for (const bool graph : {true, false}) {
      engine.set_launches({.graph = graph});
      EXPECT_EQ(solve(engine, a, request_for(a, one.partitions), b).x, x) << graph;
    }
    SpikeEngine other;  // with another stream
    EXPECT_EQ(solve(other, a, request_for(a, one.partitions), b).x, x);
  }
}

TEST(SpikeEngine, EntriesAreTheBandAndOthersAreLeftOut) {
  SLIPSTICK_NEEDS_DEVICE();
  for (const bool symmetric : {false, true}) {
    const GeneralBand a = symmetric_band(500, 40, 0.8, 17);
    std::vector<int> rows, columns;
    std::vector<double> values;
    for (int i = 0; i < 500; ++i) {
      for (int j = std::max(0, i - 45); j < std::min(500, i + 46); ++j) {
        rows.push_back(i);
        columns.push_back(j);
        values.push_back(std::abs(i - j) <= 40 ? a.at(i, j) : nan);
      }
    }
    const Vector b = right_side(500);
    SpikeEngine engine;
    const Vector expected = solve(engine, a, request_for(a, 3, false, symmetric), b).x;
    const SpikeOutcome outcome = engine.factorize(rows.data(), columns.data(), values.data(), values.size());
    EXPECT_TRUE(outcome.usable());
    Vector x = Vector::Constant(500, nan);
    engine.solve(b.data(), x.data());
    EXPECT_EQ(x, expected);
  }
}

TEST(SpikeEngine, SmallPivotsAreBoostedAsOnTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  SpikeEngine engine;
  // A zero row, zero diagonal blocks [0 1; 1 0], and the zero matrix.
  GeneralBand row = random_band(120, 4, 1.2, 51), blocks(80, 2);
  for (Index j = 56; j <= 64; ++j) row.at(60, j) = 0.0;
  Random random(5);
  for (Index i = 0; i < 80; ++i)
    for (Index j = std::max<Index>(0, i - 2); j < std::min<Index>(80, i + 3); ++j)
      blocks.at(i, j) = 0.1 * random.uniform(-1.0, 1.0);
  for (Index i = 0; i < 80; i += 2) {
    blocks.at(i, i) = blocks.at(i + 1, i + 1) = 0.0;
    blocks.at(i, i + 1) = blocks.at(i + 1, i) = 1.0;
  }
  for (const GeneralBand& a : {row, blocks, GeneralBand(60, 3)}) {
    Spike<double> host;
    ASSERT_TRUE(host.factorize(a, {.partitions = 1}));
    const Outcome outcome = solve(engine, a, request_for(a, 1), right_side(a.rows()));
    EXPECT_GT(outcome.factors.boosted_pivots, 0);
    EXPECT_EQ(outcome.factors.boosted_pivots, host.boosted_pivots());
    EXPECT_TRUE(outcome.factors.finite);
    EXPECT_TRUE(outcome.x.allFinite());
  }
  // The blocks are a regular matrix, so refinement repairs what the boost has changed.
  const Vector b = right_side(80), expected = testing::banded_reference(blocks, b);
  for (const int partitions : {1, 0}) {
    Vector x = solve(engine, blocks, request_for(blocks, partitions), b).x, product(80), step(80);
    for (int k = 0; k < 30; ++k) {
      blocks.multiply(x, product);
      product = b - product;
      engine.solve(product.data(), step.data());
      x += step;
    }
    expect_near(x, expected, 1e-10);
  }
}

TEST(SpikeEngine, SeesWhatIsNotFinite) {
  SLIPSTICK_NEEDS_DEVICE();
  for (const int k : {5, 270}) {
    for (const double bad : {nan, infinity}) {
      GeneralBand a = random_band(600, k, 1.1, 18);
      a.at(300, 299) = bad;
      a.at(417, 416) = bad;
      SpikeEngine engine;
      EXPECT_EQ(solve(engine, a, request_for(a, 1), right_side(600)).factors.bad_row, 300);
    }
    // A pivot that is just not boosted, and a factor times it that overflows.
    GeneralBand huge = random_band(600, k, 1.1, 18);
    huge.at(300, 300) = 1e299;
    huge.at(301, 300) = huge.at(300, 301) = 1e304;
    Spike<double> host;
    EXPECT_FALSE(host.factorize(huge, {.partitions = 1}));
    SpikeEngine engine;
    EXPECT_FALSE(solve(engine, huge, request_for(huge, 1), right_side(600)).factors.finite);
  }
}

TEST(SpikeEngine, EmptyMatrix) {
  SLIPSTICK_NEEDS_DEVICE();
  SpikeEngine engine;
  EXPECT_TRUE(
      solve(engine, GeneralBand(0, 0), request_for(GeneralBand(0, 0), 4), Vector(0)).factors.usable());
}

TEST(SpikeEngine, SaysWhatIsTooLarge) {
  SLIPSTICK_NEEDS_DEVICE();
  SpikeEngine engine;
  try {
    engine.set_size({.rows = 2000000000, .half_bandwidth = 1000, .partitions = 1});
    FAIL();
  } catch (const DeviceError& error) {
    EXPECT_NE(std::string(error.what()).find("MiB of device memory"), std::string::npos) << error.what();
  }
  // The object is as new.
  const GeneralBand a = random_band(50, 3, 1.1, 19);
  expect_near(solve(engine, a, request_for(a, 1), right_side(50)).x, solve_on_host(a, right_side(50)), 1e-12);
}

}  // namespace slipstick::internal::spike_engine_test
