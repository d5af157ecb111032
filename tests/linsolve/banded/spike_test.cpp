// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/banded/spike.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linsolve/krylov/bicgstab.hpp"
#include "tests/linsolve/band_testing.hpp"
#include "tests/support/allocation_counter.hpp"

namespace slipstick::internal::spike_test {

using testing::banded_reference;
using testing::random_band;

Vector right_side(Index n) {
  Random random(77);
  return Vector::NullaryExpr(n, [&] { return random.normal(); });
}

SpikeSettings full(int partitions, int threads = 1) {
  return {.partitions = partitions, .threads = threads};
}

SpikeSettings truncated(int partitions, int threads = 1) {
  SpikeSettings settings = full(partitions, threads);
  settings.truncated = true;
  return settings;
}

CsrMatrix sparse(const GeneralBand& a) {
  return csr_from_dense(a.to_dense());
}

TEST(Spike, SolvesByHand) {
  // Second differences: A x = 0 except the last row, whose solution is linear.
  const Index n = 12;
  GeneralBand a(n, 1);
  for (Index i = 0; i < n; ++i) {
    a.at(i, i) = 2.0;
    if (i > 0) a.at(i, i - 1) = a.at(i - 1, i) = -1.0;
  }
  for (const int partitions : {1, 2, 3, 4}) {
    Spike<double> spike;
    SpikeSettings settings = full(partitions);
    settings.end_weight = 1.0;
    ASSERT_TRUE(spike.factorize(a, settings));
    EXPECT_EQ(spike.partitions(), partitions);
    Vector x = Vector::Zero(n);
    x[n - 1] = 13.0;
    spike.solve(x);
    for (Index i = 0; i < n; ++i) EXPECT_NEAR(x[i], static_cast<double>(i + 1), 1e-12);
  }
}

TEST(Spike, FullAgreesWithLapackOnDominantBands) {
  for (const Index n : {1, 2, 3, 7, 50, 333, 1000}) {
    for (const Index k : {0, 1, 2, 3, 5, 8, 17, 30, 60}) {
      const GeneralBand a = random_band(n, k, 1.05, static_cast<std::uint64_t>(n + 100 * k));
      const Vector b = right_side(n);
      const Vector expected = banded_reference(a, b);
      for (const int partitions : {1, 2, 3, 4, 5, 7, 8, 13, 16}) {
        Spike<double> spike;
        ASSERT_TRUE(spike.factorize(a, full(partitions)));
        EXPECT_EQ(spike.boosted_pivots(), 0);
        EXPECT_LE(spike.partitions(), partitions);
        Vector x = b;
        spike.solve(x);
        ASSERT_LT((x - expected).norm(), 1e-10 * expected.norm()) << n << " " << k << " " << partitions;
      }
    }
  }
}

TEST(Spike, FullAgreesWithLapackOnBandsThatAreNotDominant) {
  // Without pivoting the factors of such a band may lose digits, which refinement brings back.
  for (const Index n : {40, 500, 5000}) {
    for (const Index k : {1, 4, 20, 60}) {
      const GeneralBand a = random_band(n, k, 0.4, static_cast<std::uint64_t>(n + k));
      const Vector b = right_side(n);
      const Vector expected = banded_reference(a, b);
      for (const int partitions : {1, 2, 5, 16}) {
        Spike<double> spike;
        ASSERT_TRUE(spike.factorize(a, full(partitions)));
        Vector x, residual;
        const RefinementOutcome outcome = solve_refined(spike, a, b, x, residual, 20);
        ASSERT_LT((x - expected).norm(), 1e-10 * expected.norm())
            << n << " " << k << " " << partitions << " steps " << outcome.steps;
        Vector product(n);
        a.multiply(x, product);
        EXPECT_NEAR((b - product).norm(), outcome.residual, 1e-12 * b.norm());
      }
    }
  }
}

TEST(Spike, RandomDiagonalsAreRefinedToo) {
  // Nothing favours the diagonal here: growth is large, some pivots are boosted, refinement still converges.
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const GeneralBand a = random_band(400, 6, 0.0, seed);
    const Vector b = right_side(400);
    const Vector expected = banded_reference(a, b);
    for (const int partitions : {1, 3, 8}) {
      Spike<double> spike;
      ASSERT_TRUE(spike.factorize(a, full(partitions)));
      Vector x, residual;
      const RefinementOutcome outcome = solve_refined(spike, a, b, x, residual, 50);
      EXPECT_LT(outcome.residual, 1e-9 * b.norm()) << seed << " " << partitions;
      EXPECT_LT((x - expected).norm(), 1e-6 * expected.norm()) << seed << " " << partitions;
    }
  }
}

TEST(Spike, PartitionsAreClampedAndCoverTheRows) {
  const GeneralBand a = random_band(103, 5, 1.1, 1);
  for (int partitions = 1; partitions <= 20; ++partitions) {
    Spike<double> spike;
    spike.factorize(a, full(partitions));
    const auto& start = spike.partition_start();
    EXPECT_EQ(start.front(), 0);
    EXPECT_EQ(start.back(), 103);
    if (spike.partitions() == 1) continue;
    for (std::size_t i = 0; i + 1 < start.size(); ++i) EXPECT_GE(start[i + 1] - start[i], 10);
  }
  Spike<double> spike;
  SpikeSettings equal = full(10);
  equal.end_weight = 1.0;
  spike.factorize(a, equal);
  EXPECT_EQ(spike.partitions(), 10);
  spike.factorize(a, full(10));
  EXPECT_EQ(spike.partitions(), 8);  // the ends count twice
  spike.factorize(a, full(0, 2));
  EXPECT_EQ(spike.partitions(), 2);
}

TEST(Spike, TruncatedIsExactForTwoPartitions) {
  const GeneralBand a = random_band(200, 9, 0.8, 5);
  const Vector b = right_side(200);
  const Vector expected = banded_reference(a, b);
  for (const int partitions : {1, 2}) {
    Spike<double> spike;
    ASSERT_TRUE(spike.factorize(a, truncated(partitions)));
    Vector x = b;
    spike.solve(x);
    EXPECT_LT((x - expected).norm(), 1e-10 * expected.norm());
  }
}

TEST(Spike, TruncatedImprovesWithDominance) {
  const Index n = 600, k = 10;
  double previous = std::numeric_limits<double>::infinity();
  std::vector<double> errors;
  for (const double dominance : {0.6, 0.8, 1.0, 1.5, 3.0}) {
    const GeneralBand a = random_band(n, k, dominance, 21);
    const Vector b = right_side(n);
    const Vector expected = banded_reference(a, b);
    Spike<double> spike;
    ASSERT_TRUE(spike.factorize(a, truncated(12)));
    Vector x = b;
    spike.solve(x);
    const double error = (x - expected).norm() / expected.norm();
    EXPECT_LT(error, previous) << dominance;
    previous = error;
    errors.push_back(error);
  }
  EXPECT_GT(errors.front(), 1e-6);  // it is not exact
  EXPECT_LT(errors.back(), 1e-3 * errors.front());
}

TEST(Spike, TruncatedPreconditionsBicgstab) {
  const Index n = 2000, k = 12;
  const GeneralBand a = random_band(n, k, 0.5, 31);
  const Vector b = right_side(n);
  Spike<double> spike;
  ASSERT_TRUE(spike.factorize(a, truncated(16)));
  const auto apply = [&](const Vector& v, Vector& y) { a.multiply(v, y); };
  const auto apply_inverse = [&](const Vector& r, Vector& z) {
    z = r;
    spike.solve(z);
  };
  BicgstabSettings settings;
  settings.tolerance = 1e-10;
  settings.max_iterations = 400;
  Vector x = Vector::Zero(n);
  const KrylovOutcome with = Bicgstab().solve(apply, b, x, settings, apply_inverse);
  EXPECT_EQ(with.status, KrylovStatus::converged);
  EXPECT_LT(with.iterations, 40);
  x.setZero();
  const KrylovOutcome without = Bicgstab().solve(apply, b, x, settings);
  EXPECT_GT(without.iterations, 2 * with.iterations);
}

TEST(Spike, SinglePrecisionFactors) {
  const Index n = 700, k = 14;
  const GeneralBand a = random_band(n, k, 1.1, 41);
  // Values far outside of what single precision can hold.
  for (const double size : {1.0, 1e-60, 1e60}) {
    const Vector b = size * right_side(n);
    const Vector expected = banded_reference(a, b);
    Spike<float> spike;
    ASSERT_TRUE(spike.factorize(a, full(5)));
    Vector x = b;
    spike.solve(x);
    const double error = (x - expected).norm() / expected.norm();
    EXPECT_LT(error, 1e-4);
    EXPECT_GT(error, 1e-9);
    Vector residual;
    solve_refined(spike, a, b, x, residual, 10);
    EXPECT_LT((x - expected).norm(), 1e-12 * expected.norm());
  }
}

TEST(Spike, SingularBandsAreBoosted) {
  const Index n = 120, k = 4;
  GeneralBand a = random_band(n, k, 1.2, 51);
  for (Index j = 60 - k; j <= 60 + k; ++j) a.at(60, j) = 0.0;
  for (const int partitions : {1, 2, 6}) {
    for (const SpikeSettings& settings : {full(partitions), truncated(partitions)}) {
      Spike<double> spike;
      ASSERT_TRUE(spike.factorize(a, settings));
      EXPECT_GE(spike.boosted_pivots(), 1);
      Vector x = right_side(n);
      spike.solve(x);
      EXPECT_TRUE(x.allFinite());
    }
  }
  // The zero matrix too.
  Spike<double> spike;
  ASSERT_TRUE(spike.factorize(GeneralBand(60, 3), full(4)));
  EXPECT_GE(spike.boosted_pivots(), 60);
}

TEST(Spike, BoostedPivotsAreRepairedByRefinement) {
  // Zero diagonal blocks [0 1; 1 0]: no LU without exchanges, but the matrix is well conditioned.
  const Index n = 80;
  GeneralBand a(n, 2);
  Random random(5);
  for (Index i = 0; i < n; ++i) {
    for (Index j = std::max<Index>(0, i - 2); j < std::min(n, i + 3); ++j) {
      a.at(i, j) = 0.1 * random.uniform(-1.0, 1.0);
    }
  }
  for (Index i = 0; i < n; i += 2) {
    a.at(i, i) = a.at(i + 1, i + 1) = 0.0;
    a.at(i, i + 1) = a.at(i + 1, i) = 1.0;
  }
  const Vector b = right_side(n);
  const Vector expected = banded_reference(a, b);
  for (const int partitions : {1, 4}) {
    Spike<double> spike;
    ASSERT_TRUE(spike.factorize(a, full(partitions)));
    EXPECT_GT(spike.boosted_pivots(), 0);
    Vector x, residual;
    solve_refined(spike, a, b, x, residual, 30);
    EXPECT_LT((x - expected).norm(), 1e-10 * expected.norm());
  }
}

TEST(Spike, FromSparseLeavesOutWhatIsOutsideTheBand) {
  const GeneralBand a = random_band(90, 6, 1.1, 61);
  GeneralBand inner(90, 3);
  for (Index i = 0; i < 90; ++i) {
    for (Index j = std::max<Index>(0, i - 3); j < std::min<Index>(90, i + 4); ++j)
      inner.at(i, j) = a.at(i, j);
  }
  Spike<double> from_band, from_sparse;
  ASSERT_TRUE(from_band.factorize(inner, full(4)));
  ASSERT_TRUE(from_sparse.factorize(sparse(a), 3, full(4)));
  Vector x = right_side(90), y = x;
  from_band.solve(x);
  from_sparse.solve(y);
  EXPECT_EQ(x, y);
}

TEST(Spike, TheSameBitsForAnyNumberOfThreads) {
  const GeneralBand a = random_band(900, 11, 0.9, 71);
  for (const bool cut_off : {false, true}) {
    Spike<double> one;
    one.factorize(a, cut_off ? truncated(7) : full(7));
    Vector expected = right_side(900);
    one.solve(expected);
    for (const int threads : {1, 2, 3, 8}) {
      Spike<double> spike;
      spike.factorize(a, cut_off ? truncated(7, threads) : full(7, threads));
      for (int repetition = 0; repetition < 2; ++repetition) {
        Vector x = right_side(900);
        spike.solve(x);
        EXPECT_EQ(x, expected) << threads;
      }
    }
  }
}

TEST(Spike, SecondFactorizationAndSolveAllocateNothing) {
  const GeneralBand a = random_band(600, 8, 1.1, 81);
  const CsrMatrix s = sparse(a);
  for (const SpikeSettings& settings : {full(5, 2), truncated(5, 2), full(1)}) {
    Spike<double> spike;
    Spike<float> single;
    Vector x = right_side(600), residual, y;
    const auto everything = [&] {
      spike.factorize(a, settings);
      spike.factorize(s, 8, settings);
      single.factorize(a, settings);
      spike.solve(x);
      single.solve(x);
      solve_refined(spike, a, x, y, residual, 3);
    };
    everything();
    const std::size_t before = allocations();
    everything();
    EXPECT_EQ(allocations(), before);
  }
}

TEST(Spike, RefusesBadInput) {
  GeneralBand a = random_band(50, 2, 1.1, 1);
  Spike<double> spike;
  EXPECT_THROW(spike.factorize(a, full(-1)), Error);
  EXPECT_THROW(spike.factorize(a, full(2, 0)), Error);
  SpikeSettings settings{.pivot_threshold = 1.0};
  EXPECT_THROW(spike.factorize(a, settings), Error);
  settings = {};
  settings.end_weight = 0.5;
  EXPECT_THROW(spike.factorize(a, settings), Error);
  EXPECT_THROW(spike.factorize(CsrMatrix(2, 3), 1, {}), Error);
  EXPECT_THROW(spike.factorize(sparse(a), -1, {}), Error);
  a.at(30, 31) = infinity;
  EXPECT_THROW(spike.factorize(a, full(2)), Error);
  a.at(30, 31) = std::nan("");
  EXPECT_THROW(spike.factorize(a, full(1)), Error);
}

TEST(Spike, EmptyMatrix) {
  Spike<double> spike;
  ASSERT_TRUE(spike.factorize(GeneralBand(0, 0), full(4)));
  Vector none(0);
  spike.solve(none);
  EXPECT_EQ(spike.partitions(), 1);
}

}  // namespace slipstick::internal::spike_test
