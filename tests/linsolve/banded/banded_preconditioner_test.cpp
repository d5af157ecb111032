// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/banded/banded_preconditioner.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linsolve/krylov/bicgstab.hpp"
#include "slipstick/linsolve/krylov/conjugate_gradient.hpp"
#include "tests/linsolve/krylov_testing.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/pause_watch.hpp"

namespace slipstick::internal::banded_preconditioner_test {

using testing::convection_diffusion;
using testing::normal_vector;
using testing::product_with;

// Rows and columns in orders of their own, so that neither the diagonal nor the band can be seen.
CsrMatrix scrambled(const CsrMatrix& a, const std::vector<int>& rows, const std::vector<int>& columns) {
  std::vector<Triplet> triplets;
  for (int i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(a, i); it; ++it)
      triplets.push_back({rows[i], columns[it.col()], it.value()});
  }
  return csr_from_triplets(a.rows(), a.cols(), triplets);
}

CsrMatrix scrambled_transport(int edge, double wind, std::uint64_t seed) {
  const int n = edge * edge;
  return scrambled(convection_diffusion(edge, wind), random_order(n, seed), random_order(n, seed + 1));
}

BandedPreconditionerSettings exact(int partitions) {
  BandedPreconditionerSettings settings;
  settings.spike.truncated = false;
  settings.spike.partitions = partitions;
  return settings;
}

auto inverse_of(const BandedPreconditioner& preconditioner) {
  return [&preconditioner](const Vector& r, Vector& z) { preconditioner.solve(r, z); };
}

// A wide band has so many entries that each pass over them takes long.
TEST(BandedPreconditioner, EveryPassOverTheEntriesLooksAtTheClock) {
  const CsrMatrix a = csr_from_dense(random_matrix(1000, 1000, 3));
  BandedPreconditioner preconditioner;
  const PauseWatch watch;
  preconditioner.arrange(a);
  EXPECT_LT(watch.longest_share(), 0.1);
}

// What another SPIKE factorizes: without matching it is A in the order of its columns.
TEST(BandedPreconditioner, ArrangesWithoutFactors) {
  const std::vector<int> shuffled = random_order(49, 3);
  const CsrMatrix a = scrambled(convection_diffusion(7, 0.5), shuffled, shuffled);
  BandedPreconditionerSettings settings;
  settings.match = false;
  BandedPreconditioner preconditioner(settings);
  preconditioner.arrange(a);
  const std::vector<int>& order = preconditioner.column_order();
  const DenseMatrix given(a), arranged(preconditioner.arranged());
  for (Index i = 0; i < 49; ++i) {
    for (Index j = 0; j < 49; ++j) {
      EXPECT_EQ(arranged(i, j), given(order[i], order[j]));
      if (std::abs(i - j) > preconditioner.half_bandwidth()) {
        EXPECT_EQ(arranged(i, j), 0.0);
      }
    }
  }
  EXPECT_LT(preconditioner.half_bandwidth(), 12);
}

TEST(BandedPreconditioner, ByHand) {
  // Columns exchanged: without matching the diagonal is zero.
  const std::vector<Triplet> triplets = {{0, 1, 4.0}, {1, 0, 2.0}, {2, 2, 8.0}};
  BandedPreconditioner preconditioner;
  ASSERT_TRUE(preconditioner.factorize(csr_from_triplets(3, 3, triplets)));
  EXPECT_EQ(preconditioner.half_bandwidth(), 0);
  EXPECT_EQ(preconditioner.structural_rank(), 3);
  EXPECT_EQ(preconditioner.boosted_pivots(), 0);
  Vector r(3), z(3);
  r << 4.0, 6.0, 16.0;
  preconditioner.solve(r, z);
  EXPECT_NEAR(z[0], 3.0, 1e-14);
  EXPECT_NEAR(z[1], 1.0, 1e-14);
  EXPECT_NEAR(z[2], 2.0, 1e-14);
}

TEST(BandedPreconditioner, NothingDroppedIsTheInverse) {
  for (const int partitions : {1, 3, 5}) {
    const CsrMatrix a = scrambled_transport(16, 1.5, 3);
    BandedPreconditioner preconditioner(exact(partitions));
    ASSERT_TRUE(preconditioner.factorize(a));
    EXPECT_EQ(preconditioner.partitions(), partitions);
    EXPECT_EQ(preconditioner.dropped(), 0.0);
    EXPECT_LE(preconditioner.half_bandwidth(), 20);  // the grid's 16 rows of cells are found again
    const Vector expected = normal_vector(a.rows(), 5);
    Vector z(a.rows());
    preconditioner.solve(a * expected, z);
    EXPECT_LT((z - expected).norm(), 1e-10 * expected.norm());
  }
}

TEST(BandedPreconditioner, ScalesBadlyScaledMatrices) {
  CsrMatrix a = scrambled_transport(12, 0.5, 4);
  Random random(8);
  const Vector left =
      Vector::NullaryExpr(a.rows(), [&] { return std::pow(10.0, random.uniform(-12.0, 12.0)); });
  const Vector right =
      Vector::NullaryExpr(a.rows(), [&] { return std::pow(10.0, random.uniform(-12.0, 12.0)); });
  a = left.asDiagonal() * a * right.asDiagonal();
  a.makeCompressed();
  for (const bool single : {false, true}) {
    BandedPreconditionerSettings settings = exact(2);
    settings.single_precision = single;
    BandedPreconditioner preconditioner(settings);
    ASSERT_TRUE(preconditioner.factorize(a));
    EXPECT_EQ(preconditioner.boosted_pivots(), 0);
    const Vector solution = normal_vector(a.rows(), 6).cwiseQuotient(right);
    Vector z(a.rows());
    preconditioner.solve(a * solution, z);
    const Vector error = (z - solution).cwiseProduct(right);
    EXPECT_LT(error.norm(), (single ? 1e-3 : 1e-9) * solution.cwiseProduct(right).norm());
  }
}

TEST(BandedPreconditioner, NarrowBandsPreconditionBicgstab) {
  const CsrMatrix a = scrambled_transport(30, 0.3, 7);
  const Vector b = normal_vector(a.rows(), 8);
  BicgstabSettings krylov;
  krylov.tolerance = 1e-9;
  krylov.max_iterations = 2000;
  const auto iterations = [&](Index half_bandwidth, bool single) {
    BandedPreconditionerSettings settings;
    settings.drop_off.max_half_bandwidth = half_bandwidth;
    settings.spike.partitions = 4;
    settings.single_precision = single;
    BandedPreconditioner preconditioner(settings);
    EXPECT_TRUE(preconditioner.factorize(a));
    EXPECT_LE(preconditioner.half_bandwidth(), half_bandwidth);
    Vector x = Vector::Zero(a.rows());
    const KrylovOutcome outcome = Bicgstab().solve(product_with(a), b, x, krylov, inverse_of(preconditioner));
    EXPECT_EQ(outcome.status, KrylovStatus::converged);
    EXPECT_LE((b - a * x).norm(), 1e-9 * b.norm());
    return outcome.iterations;
  };
  const Index wide = iterations(60, false);
  const Index narrow = iterations(20, false);
  EXPECT_LE(wide, 15);
  EXPECT_LT(wide, narrow);
  EXPECT_LE(iterations(60, true), 2 * wide);
}

TEST(BandedPreconditioner, ShareOfTheNormChoosesTheBand) {
  const CsrMatrix a = scrambled_transport(20, 0.0, 9);
  Index previous = 1000;
  for (const double share : {0.0, 0.1, 0.3, 0.5}) {
    BandedPreconditionerSettings settings;
    settings.drop_off.share = share;
    BandedPreconditioner preconditioner(settings);
    ASSERT_TRUE(preconditioner.factorize(a));
    EXPECT_LE(preconditioner.dropped(), share);
    EXPECT_LE(preconditioner.half_bandwidth(), previous);
    previous = preconditioner.half_bandwidth();
  }
  EXPECT_LT(previous, 10);
}

TEST(BandedPreconditioner, SymmetricWithoutMatching) {
  // One partition and no matching: M^-1 is symmetric positive definite and serves CG.
  const int edge = 25;
  const std::vector<int> order = random_order(edge * edge, 10);
  const CsrMatrix a = scrambled(convection_diffusion(edge, 0.0), order, order);
  BandedPreconditionerSettings settings = exact(1);
  settings.match = false;
  settings.drop_off.max_half_bandwidth = 15;
  BandedPreconditioner preconditioner(settings);
  ASSERT_TRUE(preconditioner.factorize(a));
  const Vector u = normal_vector(a.rows(), 11), v = normal_vector(a.rows(), 12);
  Vector Mu(a.rows()), Mv(a.rows());
  preconditioner.solve(u, Mu);
  preconditioner.solve(v, Mv);
  EXPECT_NEAR(v.dot(Mu), u.dot(Mv), 1e-10 * u.norm() * v.norm());
  EXPECT_GT(u.dot(Mu), 0.0);
  Vector x = Vector::Zero(a.rows());
  const KrylovOutcome with = ConjugateGradient().solve(product_with(a), u, x, {}, inverse_of(preconditioner));
  EXPECT_EQ(with.status, KrylovStatus::converged);
  x.setZero();
  const KrylovOutcome without = ConjugateGradient().solve(product_with(a), u, x);
  EXPECT_LT(with.iterations, without.iterations);
}

TEST(BandedPreconditioner, CompensationKeepsItPositiveDefinite) {
  // All ones. Within |i - j| <= 2 it is a Toeplitz matrix with symbol 1 + 2 cos t + 2 cos 2t. The symbol is
  // negative for some t.
  const Index n = 20;
  const CsrMatrix a = csr_from_dense(DenseMatrix::Ones(n, n) + 1e-3 * DenseMatrix::Identity(n, n));
  const auto smallest_eigenvalue = [&](double compensation) {
    BandedPreconditionerSettings settings = exact(1);
    settings.match = false;
    settings.reorder = false;
    settings.drop_off.max_half_bandwidth = 2;
    settings.compensation = compensation;
    BandedPreconditioner preconditioner(settings);
    EXPECT_TRUE(preconditioner.factorize(a));
    DenseMatrix inverse(n, n);
    for (Index j = 0; j < n; ++j) preconditioner.solve(Vector::Unit(n, j), inverse.col(j));
    return eigenvalues(0.5 * (inverse + inverse.transpose()))[0];
  };
  EXPECT_LT(smallest_eigenvalue(0.0), 0.0);
  EXPECT_GT(smallest_eigenvalue(1.0), 0.0);
}

TEST(BandedPreconditioner, ReusesTheOrderWhileThePatternStays) {
  CsrMatrix a = scrambled_transport(12, 1.0, 13);
  for (const bool rematch : {false, true}) {
    BandedPreconditionerSettings settings = exact(2);
    settings.rematch = rematch;
    BandedPreconditioner preconditioner(settings);
    Vector z(a.rows());
    preconditioner.factorize(a);
    preconditioner.solve(Vector::Ones(a.rows()), z);
    CsrMatrix changed = a;
    for (Index p = 0; p < changed.nonZeros(); ++p)
      changed.valuePtr()[p] *= 1.0 + 0.01 * static_cast<double>(p % 7);
    const Vector expected = normal_vector(a.rows(), 14);
    const Vector r = changed * expected;
    const std::size_t before = allocations();
    ASSERT_TRUE(preconditioner.factorize(changed));
    preconditioner.solve(r, z);
    EXPECT_EQ(allocations(), before);
    EXPECT_EQ(preconditioner.analyses(), 1);
    EXPECT_LT((z - expected).norm(), 1e-10 * expected.norm());
    // Another pattern of the same size is noticed.
    const CsrMatrix other = scrambled_transport(12, 1.0, 99);
    ASSERT_TRUE(preconditioner.factorize(other));
    EXPECT_EQ(preconditioner.analyses(), 2);
    preconditioner.solve(other * expected, z);
    EXPECT_LT((z - expected).norm(), 1e-10 * expected.norm());
  }
}

TEST(BandedPreconditioner, AnotherMatchingFindsAnotherOrder) {
  // The large entries move from one diagonal to the other; the pattern stays.
  const auto matrix = [](double main, double anti) {
    const std::vector<Triplet> triplets = {{0, 0, main}, {0, 1, anti}, {1, 0, anti}, {1, 1, main}};
    return csr_from_triplets(2, 2, triplets);
  };
  BandedPreconditioner preconditioner(exact(1));
  preconditioner.factorize(matrix(5.0, 1.0));
  preconditioner.factorize(matrix(1.0, 5.0));
  EXPECT_EQ(preconditioner.analyses(), 2);
  Vector r(2), z(2);
  r << 11.0, 7.0;  // [1 5; 5 1] [1; 2]
  preconditioner.solve(r, z);
  EXPECT_NEAR(z[0], 1.0, 1e-14);
  EXPECT_NEAR(z[1], 2.0, 1e-14);
}

TEST(BandedPreconditioner, SingularMatricesAreReported) {
  const std::vector<Triplet> triplets = {{0, 0, 1.0}, {1, 0, 2.0}, {2, 2, 3.0}, {2, 1, 1.0}};
  BandedPreconditioner preconditioner;
  ASSERT_TRUE(preconditioner.factorize(csr_from_triplets(3, 3, triplets)));
  EXPECT_EQ(preconditioner.structural_rank(), 2);
  EXPECT_GE(preconditioner.boosted_pivots(), 1);
  Vector z(3);
  preconditioner.solve(Vector::Ones(3), z);
  EXPECT_TRUE(z.allFinite());
}

TEST(BandedPreconditioner, ThreadsGiveTheSameBits) {
  const CsrMatrix a = scrambled_transport(30, 0.3, 15);
  Vector expected;
  for (const int threads : {1, 2, 4}) {
    BandedPreconditionerSettings settings;
    settings.spike.partitions = 6;
    settings.spike.threads = threads;
    BandedPreconditioner preconditioner(settings);
    ASSERT_TRUE(preconditioner.factorize(a));
    Vector z(a.rows());
    preconditioner.solve(Vector::Ones(a.rows()), z);
    if (threads == 1) expected = z;
    EXPECT_EQ(z, expected);
  }
}

TEST(BandedPreconditioner, RefusesBadInput) {
  BandedPreconditioner preconditioner;
  EXPECT_THROW(preconditioner.factorize(CsrMatrix(2, 3)), Error);
  CsrMatrix a(2, 2);
  a.insert(0, 0) = 1.0;
  EXPECT_THROW(preconditioner.factorize(a), Error);  // not compressed
  a.makeCompressed();
  a.valuePtr()[0] = std::numeric_limits<double>::quiet_NaN();
  for (const bool match : {false, true}) {
    EXPECT_THROW(BandedPreconditioner(BandedPreconditionerSettings{.match = match}).factorize(a), Error);
  }
  EXPECT_THROW(
      BandedPreconditioner(BandedPreconditionerSettings{.compensation = 1.5}).factorize(CsrMatrix(2, 2)),
      Error);
  BandedPreconditioner empty;
  EXPECT_TRUE(empty.factorize(CsrMatrix(0, 0)));
  EXPECT_EQ(empty.rows(), 0);
}

}  // namespace slipstick::internal::banded_preconditioner_test
