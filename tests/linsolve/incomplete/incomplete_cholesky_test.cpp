// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/incomplete/incomplete_cholesky.hpp"

#include <gtest/gtest.h>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linsolve/krylov/conjugate_gradient.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "tests/linsolve/krylov_testing.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::incomplete_cholesky_test {

CsrMatrix tridiagonal(Index n) {
  DenseMatrix a = DenseMatrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    a(i, i) = 2.5;
    if (i + 1 < n) a(i, i + 1) = a(i + 1, i) = -1.0;
  }
  return csr_from_dense(a);
}

// Five-point Laplacian with Dirichlet edges.
CsrMatrix grid_laplacian(int m) {
  return testing::convection_diffusion(m, 0.0);
}

// Kershaw's matrix: positive definite, but IC(0) ends with the pivot 3 - 4/3 - 4/0.6 = -5.
CsrMatrix kershaw() {
  return csr_from_dense(mat({{3, -2, 0, 2}, {-2, 3, -2, 0}, {0, -2, 3, -2}, {2, 0, -2, 3}}));
}

// (L L')^-1 as a dense matrix, by solving with unit vectors on the free rows.
DenseMatrix inverse_of(const IncompleteCholesky& factor, const std::vector<char>& free) {
  const Index n = factor.rows();
  DenseMatrix inverse(n, n);
  for (Index j = 0; j < n; ++j) {
    Vector z = Vector::Unit(n, j) * (free[j] != 0 ? 1.0 : 0.0);
    factor.solve(free, z.data());
    inverse.col(j) = z;
  }
  return inverse;
}

// z = (L L')^-1 r
auto with_factor(const IncompleteCholesky& factor) {
  return [&factor](const Vector& r, Vector& z) {
    z = r;
    factor.solve(z);
  };
}

TEST(IncompleteCholesky, IsExactWhereThereIsNoFill) {
  const CsrMatrix a = tridiagonal(12);
  for (const double compensation : {0.0, 1.0}) {
    IncompleteCholesky factor;
    factor.factor(a, {}, {.compensation = compensation});
    const Vector b = Vector::LinSpaced(12, -1.0, 2.0);
    Vector x = b;
    factor.solve(x);
    EXPECT_LT((a * x - b).norm(), 1e-13);
    EXPECT_EQ(factor.shift(), 0.0);
  }
}

TEST(IncompleteCholesky, FullCompensationKeepsRowSums) {
  const CsrMatrix a = grid_laplacian(6);
  IncompleteCholesky factor;
  factor.factor(a, {}, {.compensation = 1.0});
  const Vector ones = Vector::Ones(a.rows());
  Vector x = a * ones;
  factor.solve(x);  // L L' 1 = A 1 for MIC(0)
  EXPECT_LT((x - ones).norm(), 1e-12);
}

TEST(IncompleteCholesky, PlainOneMatchesAOnItsPattern) {
  const CsrMatrix a = grid_laplacian(5);
  IncompleteCholesky factor;
  factor.factor(a, {}, {.compensation = 0.0});
  const DenseMatrix product = inverse(inverse_of(factor, std::vector<char>(25, 1)));
  for (Index i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(a, i); it; ++it) EXPECT_NEAR(product(i, it.col()), it.value(), 1e-12);
  }
}

TEST(IncompleteCholesky, MaskedIsSymmetricPositiveDefiniteOnTheFreeRows) {
  const CsrMatrix a = grid_laplacian(5);
  std::vector<char> free(25, 1);
  for (const int row : {0, 3, 7, 12, 13, 24}) free[row] = 0;
  for (const bool refactored : {false, true}) {
    IncompleteCholesky factor;
    factor.factor(a, refactored ? std::span<const char>(free) : std::span<const char>(), {});
    const DenseMatrix inverse = inverse_of(factor, free);
    EXPECT_LT((inverse - inverse.transpose()).norm(), 1e-13);
    const Vector spectrum = eigenvalues(inverse);
    EXPECT_NEAR(spectrum[5], 0.0, 1e-12);  // six masked rows
    EXPECT_GT(spectrum[6], 1e-3);
  }
}

TEST(IncompleteCholesky, BreakdownShiftsAndGoesOn) {
  IncompleteCholesky factor;
  factor.factor(kershaw(), {}, {.compensation = 0.0});
  EXPECT_GT(factor.shift(), 0.0);
  const DenseMatrix inverse = inverse_of(factor, std::vector<char>(4, 1));
  EXPECT_GT(eigenvalues(inverse)[0], 0.0);
}

TEST(IncompleteCholesky, EmptyRowsAndSizes) {
  IncompleteCholesky factor;
  factor.factor(CsrMatrix(0, 0), {}, {});
  EXPECT_EQ(factor.rows(), 0);
  CsrMatrix a(3, 3);
  a.insert(1, 1) = 4.0;
  a.makeCompressed();
  factor.factor(a, {}, {});
  Vector z = vec({1.0, 8.0, 2.0});
  factor.solve(z);
  EXPECT_EQ(z[1], 2.0);
  EXPECT_TRUE(z.allFinite());
}

TEST(IncompleteCholesky, CompensationHelpsOnThePressureProblem) {
  const CsrMatrix a = grid_laplacian(40);
  const Vector b = Vector::Ones(a.rows());
  const auto iterations = [&](double compensation) {
    IncompleteCholesky factor;
    factor.factor(a, {}, {.compensation = compensation});
    Vector x = Vector::Zero(a.rows());
    return ConjugateGradient()
        .solve(testing::product_with(a), b, x, {.tolerance = 1e-8, .max_iterations = 1000},
               with_factor(factor))
        .iterations;
  };
  const auto plain = iterations(0.0);
  EXPECT_LT(plain, 60);
  EXPECT_LT(static_cast<double>(iterations(0.97)), 0.8 * static_cast<double>(plain));
}

TEST(IncompleteCholesky, TakenRowsAreTheOthersMaskedOut) {
  const CsrMatrix a = grid_laplacian(7);
  const Index n = a.rows();
  IncompleteCholesky whole;
  whole.factor(a, {}, {});
  std::vector<int> rows, place(static_cast<std::size_t>(n), -1);
  std::vector<char> taken(static_cast<std::size_t>(n), 0);
  for (int i = 0; i < n; ++i) {
    if (i % 5 == 2 || i % 7 == 3) continue;
    place[i] = static_cast<int>(rows.size());
    rows.push_back(i);
    taken[i] = 1;
  }
  IncompleteCholesky part;
  part.reserve(n, a.nonZeros());
  part.take_rows(whole, rows, place);
  ASSERT_EQ(part.rows(), static_cast<Index>(rows.size()));

  Vector z = Vector::LinSpaced(n, -1.0, 3.0);
  Vector short_z(part.rows());
  for (std::size_t k = 0; k < rows.size(); ++k) short_z[k] = z[rows[k]];
  whole.solve(taken, z.data());
  part.solve(std::vector<char>(rows.size(), 1), short_z.data());
  for (std::size_t k = 0; k < rows.size(); ++k) EXPECT_EQ(short_z[k], z[rows[k]]);
}

// L L' as a dense matrix.
DenseMatrix product_of(const IncompleteCholesky& factor) {
  return inverse(inverse_of(factor, std::vector<char>(static_cast<std::size_t>(factor.rows()), 1)));
}

constexpr IncompleteCholeskySettings plain = {.compensation = 0.0, .smallest_pivot = 0.0};

IncompleteCholeskySettings with(IncompleteVariant variant) {
  IncompleteCholeskySettings settings = plain;
  settings.variant = variant;
  return settings;
}

TEST(IncompleteCholesky, ImaginaryColumnByHand) {
  IncompleteCholesky factor;
  factor.factor(kershaw(), {}, with(IncompleteVariant::imaginary));
  EXPECT_EQ(factor.breakdowns(), 1);
  EXPECT_EQ(factor.floored(), 0);
  EXPECT_EQ(factor.shift(), 0.0);
  // The last row of L: 2/sqrt(3), 0, -2/sqrt(0.6), sqrt(5).
  const DenseMatrix product = product_of(factor);
  EXPECT_NEAR(product(3, 3), 4.0 / 3.0 + 4.0 / 0.6 + 5.0, 1e-12);
  EXPECT_NEAR(product(2, 2), 3.0, 1e-12);
  EXPECT_NEAR(product(3, 2), -2.0, 1e-12);
}

TEST(IncompleteCholesky, ImaginaryColumnsEnterWithTheOtherSign) {
  // Kershaw's matrix and a row more, behind the imaginary column: the pivot -5 leaves 1 + (0.5)^2 / 5 of it.
  DenseMatrix a = DenseMatrix::Zero(5, 5);
  a.topLeftCorner(4, 4) = DenseMatrix(kershaw());
  a(4, 3) = a(3, 4) = 0.5;
  a(4, 4) = 1.0;
  IncompleteCholesky factor;
  factor.factor(csr_from_dense(a), {}, with(IncompleteVariant::imaginary));
  Vector z = Vector::Unit(5, 4);
  factor.solve(z);
  EXPECT_NEAR(z[4], 1.0 / (1.0 + 0.25 / 5.0), 1e-12);
  EXPECT_NEAR(product_of(factor)(4, 3), -0.5, 1e-12);  // eta times the entry of A
}

TEST(IncompleteCholesky, ZeroPivotsAreLifted) {
  const CsrMatrix a = csr_from_dense(mat({{1, 1, 0}, {1, 1, 0}, {0, 0, 2}}));
  IncompleteCholeskySettings settings = with(IncompleteVariant::imaginary);
  settings.imaginary_floor = 1e-2;
  IncompleteCholesky factor;
  factor.factor(a, {}, settings);
  EXPECT_EQ(factor.floored(), 1);
  EXPECT_LT((product_of(factor) - DenseMatrix(mat({{1, 1, 0}, {1, 1.01, 0}, {0, 0, 2}}))).norm(), 1e-9);
}

TEST(IncompleteCholesky, WithoutBreakdownsTheVariantsAreOne) {
  const CsrMatrix a = grid_laplacian(6);
  IncompleteCholesky factor;
  factor.factor(a, {}, plain);
  const DenseMatrix expected = product_of(factor);
  for (const IncompleteVariant variant : {IncompleteVariant::imaginary, IncompleteVariant::partial_shift}) {
    for (const IncompleteScaling scaling : {IncompleteScaling::none, IncompleteScaling::column_norm}) {
      IncompleteCholeskySettings settings = with(variant);
      settings.scaling = scaling;
      factor.factor(a, {}, settings);
      EXPECT_EQ(factor.breakdowns(), 0);
      EXPECT_LT((product_of(factor) - expected).norm(), 1e-11);
    }
  }
}

TEST(IncompleteCholesky, PartialShiftsTouchTheColumnsOfTheRow) {
  IncompleteCholesky factor;
  factor.factor(kershaw(), {}, with(IncompleteVariant::partial_shift));
  EXPECT_GT(factor.breakdowns(), 1);
  const DenseMatrix difference = product_of(factor) - DenseMatrix(kershaw());
  EXPECT_NEAR(difference(1, 1), 0.0, 1e-12);  // column 1 has no entry in row 3
  EXPECT_NEAR(difference(1, 0), 0.0, 1e-12);
  for (const int row : {0, 2, 3}) EXPECT_NEAR(difference(row, row), 3.0 * factor.shift(), 1e-12);
  // 2^breakdowns - 1 times the first shift
  EXPECT_NEAR(factor.shift(), 1e-4 * (std::exp2(factor.breakdowns()) - 1.0), 1e-12);
}

TEST(IncompleteCholesky, AThresholdOfZeroKeepsEverything) {
  Random random(2);
  const CsrMatrix a = csr_from_dense(random_spd(random, 20, 100.0));
  const Vector b = random_vector(20, random);
  for (const IncompleteScaling scaling :
       {IncompleteScaling::none, IncompleteScaling::diagonal, IncompleteScaling::column_norm}) {
    IncompleteCholeskySettings settings = with(IncompleteVariant::threshold);
    settings.scaling = scaling;
    settings.drop_tolerance = 0.0;
    IncompleteCholesky factor;
    factor.factor(a, {}, settings);
    EXPECT_EQ(factor.entries(), 190);
    EXPECT_EQ(factor.breakdowns(), 0);
    Vector x = b;
    factor.solve(x);
    EXPECT_LT((a * x - b).norm(), 1e-10 * b.norm());
  }
}

TEST(IncompleteCholesky, AThresholdDropsWhatIsSmallAndKeepsTheLargest) {
  // Column 0 of L is (4, 2, 0.04, 1) / 2; its norm in A is 4.58.
  const CsrMatrix a = csr_from_dense(mat({{4, 2, 0.04, 1}, {2, 5, 0, 0}, {0.04, 0, 5, 0}, {1, 0, 0, 5}}));
  IncompleteCholeskySettings settings = with(IncompleteVariant::threshold);
  settings.drop_tolerance = 0.01;
  IncompleteCholesky factor;
  factor.factor(a, {}, settings);
  EXPECT_EQ(factor.entries(), 3);  // (1, 0), (3, 0) and the fill (3, 1)
  DenseMatrix product = product_of(factor);
  EXPECT_NEAR(product(2, 0), 0.0, 1e-13);
  EXPECT_NEAR(product(3, 1), 0.0, 1e-13);
  EXPECT_NEAR(product(3, 3), 5.0, 1e-13);
  settings.most_entries = 1;
  factor.factor(a, {}, settings);
  EXPECT_EQ(factor.entries(), 1);
  product = product_of(factor);
  EXPECT_NEAR(product(1, 0), 2.0, 1e-13);
  EXPECT_NEAR(product(3, 0), 0.0, 1e-13);
  settings.drop_tolerance = 10.0;
  factor.factor(a, {}, settings);
  EXPECT_EQ(factor.entries(), 0);
  settings.scaling = IncompleteScaling::diagonal;  // by the share of the column that an entry is
  settings.drop_tolerance = 0.01;
  settings.most_entries = 0;
  factor.factor(a, {}, settings);
  EXPECT_EQ(factor.entries(), 3);
}

TEST(IncompleteCholesky, ThresholdsShiftWhereTheyBreakDown) {
  IncompleteCholeskySettings settings = with(IncompleteVariant::threshold);
  settings.scaling = IncompleteScaling::diagonal;
  settings.drop_tolerance = 0.42;  // drops the fill of column 1, 4/9, but not the 2/3 of the matrix
  IncompleteCholesky factor;
  factor.factor(kershaw(), {}, settings);
  EXPECT_GT(factor.shift(), 0.0);
  EXPECT_GT(eigenvalues(product_of(factor))[0], 0.0);
}

TEST(IncompleteCholesky, ACompleteFactorWithoutARowIsCholeskysOfTheRest) {
  Random random(5);
  const Index n = 15;
  const DenseMatrix a = random_spd(random, n, 50.0);
  IncompleteCholeskySettings settings = with(IncompleteVariant::threshold);
  settings.drop_tolerance = 0.0;
  IncompleteCholesky factor;
  factor.factor(csr_from_dense(a), {}, settings);
  std::vector<char> free(static_cast<std::size_t>(n), 1);
  std::vector<int> rest;
  for (const int row : {0, 6, 3, 14}) {
    factor.downdate(row, 0.0);
    free[row] = 0;
  }
  for (int i = 0; i < n; ++i) {
    if (free[i] != 0) rest.push_back(i);
  }
  const DenseMatrix expected = inverse(a(rest, rest));
  EXPECT_LT((inverse_of(factor, free)(rest, rest) - expected).norm(), 1e-11 * expected.norm());
}

// IC(0) has the diagonal of A. Masking takes from it, a downdate puts it back.
TEST(IncompleteCholesky, DowndatesKeepTheDiagonal) {
  const CsrMatrix a = grid_laplacian(8);
  const Index n = a.rows();
  std::vector<char> free(static_cast<std::size_t>(n), 1);
  std::vector<int> rest;
  IncompleteCholesky masked, downdated;
  masked.factor(a, {}, plain);
  downdated.factor(a, {}, plain);
  for (int i = 0; i < n; ++i) {
    if (i % 4 == 1) {
      free[i] = 0;
      downdated.downdate(i, 0.0);
    } else {
      rest.push_back(i);
    }
  }
  const auto diagonal = [&](const IncompleteCholesky& factor) {
    const DenseMatrix part = inverse_of(factor, free)(rest, rest);
    EXPECT_LT((part - part.transpose()).norm(), 1e-12);
    EXPECT_GT(eigenvalues(part)[0], 0.0);
    return Vector(inverse(part).diagonal());
  };
  EXPECT_LT((diagonal(downdated) - Vector::Constant(static_cast<Index>(rest.size()), 4.0)).norm(), 1e-11);
  EXPECT_LT(diagonal(masked).minCoeff(), 3.8);
}

// What breaks IC(0): the imaginary variant meets no zero pivot, and CG converges with it.
TEST(IncompleteCholesky, ImaginaryColumnsCarryOnWherePlainOnesBreakDown) {
  int broken = 0;
  Vector x, Ax;
  ConjugateGradient cg;
  for (std::uint64_t seed = 1; broken < 300; ++seed) {
    ASSERT_LT(seed, 1000U);
    const RandomBoxOptions options{.rows = 100, .condition = 1e4, .rotations_per_row = 6, .seed = seed};
    const Problem problem = random_box(options).problem;
    const CsrMatrix& a = *problem.A.assemble();
    IncompleteCholesky factor;
    factor.factor(a, {}, plain);
    if (factor.breakdowns() == 0) continue;
    ++broken;
    factor.factor(a, {}, with(IncompleteVariant::imaginary));
    EXPECT_GT(factor.breakdowns(), 0);
    EXPECT_EQ(factor.floored(), 0);
    x = Vector::Zero(options.rows);
    const KrylovOutcome outcome = cg.solve(testing::product_with(a), problem.b, x,
                                           {.tolerance = 1e-8, .max_iterations = 1000}, with_factor(factor));
    EXPECT_EQ(outcome.status, KrylovStatus::converged) << seed;
    EXPECT_LT((a * x - problem.b).norm(), 1e-6 * problem.b.norm()) << seed;
  }
}

TEST(IncompleteCholesky, ASecondFactorAllocatesNothing) {
  const CsrMatrix a = grid_laplacian(9);
  const CsrMatrix b = kershaw();
  for (const IncompleteVariant variant : {IncompleteVariant::shifted, IncompleteVariant::partial_shift,
                                          IncompleteVariant::imaginary, IncompleteVariant::threshold}) {
    IncompleteCholeskySettings settings = with(variant);
    settings.scaling = IncompleteScaling::diagonal;
    IncompleteCholesky factor;
    Vector z = Vector::Ones(a.rows());
    factor.factor(a, {}, settings);
    factor.downdate(3);
    const std::size_t before = allocations();
    factor.factor(b, {}, settings);
    factor.factor(a, {}, settings);
    factor.downdate(5);
    factor.solve(z);
    EXPECT_EQ(allocations(), before);
  }
}

}  // namespace slipstick::internal::incomplete_cholesky_test
