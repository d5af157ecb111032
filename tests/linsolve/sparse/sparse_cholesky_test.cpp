// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/sparse/sparse_cholesky.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "slipstick/base/error.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linsolve/sparse/ordering.hpp"
#include "tests/linsolve/krylov_testing.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::sparse_cholesky_test {

CsrMatrix lower_triangle(const CsrMatrix& a) {
  std::vector<Triplet> triplets;
  for (int i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(a, i); it; ++it) {
      if (it.col() <= i) triplets.push_back({i, static_cast<int>(it.col()), it.value()});
    }
  }
  return csr_from_triplets(a.rows(), a.cols(), triplets);
}

// The five-point Laplacian of a square grid.
CsrMatrix grid(int side) {
  return testing::convection_diffusion(side, 0.0);
}

// B'B + I with `entries` random entries in each column of B.
CsrMatrix random_definite(int n, int entries, Random& random) {
  std::vector<Triplet> triplets;
  for (int j = 0; j < n; ++j) {
    triplets.push_back({j, j, 1.0});
    for (int k = 0; k < entries; ++k) {
      const int i = static_cast<int>(random.uniform(0.0, static_cast<double>(n)));
      triplets.push_back({std::min(i, n - 1), j, random.uniform(-1.0, 1.0)});
    }
  }
  const CsrMatrix b = csr_from_triplets(n, n, triplets);
  CsrMatrix identity(n, n);
  identity.setIdentity();
  CsrMatrix a = CsrMatrix(b.transpose()) * b;
  a += identity;
  a.makeCompressed();
  return a;
}

void expect_solves(const CsrMatrix& a, std::span<const signed char> signs = {}) {
  SparseCholesky cholesky;
  ASSERT_TRUE(cholesky.factorize(lower_triangle(a), signs));
  Random random(7);
  Vector expected(a.rows());
  for (double& value : expected) value = random.uniform(-1.0, 1.0);
  Vector x = a * expected;
  cholesky.solve(x);
  EXPECT_LT((x - expected).norm(), 1e-10 * (1.0 + expected.norm()));
}

TEST(SparseCholesky, TwoRows) {
  SparseCholesky cholesky;
  DenseMatrix a{{4.0, 2.0}, {2.0, 5.0}};
  ASSERT_TRUE(cholesky.factorize(lower_triangle(csr_from_dense(a))));
  Vector x{{8.0, 12.0}};
  cholesky.solve(x);
  EXPECT_NEAR(x[0], 1.0, 1e-15);
  EXPECT_NEAR(x[1], 2.0, 1e-15);
}

TEST(SparseCholesky, NoRows) {
  SparseCholesky cholesky;
  EXPECT_TRUE(cholesky.factorize(CsrMatrix(0, 0)));
  Vector x;
  cholesky.solve(x);
  EXPECT_EQ(cholesky.nonzeros(), 0);
}

TEST(SparseCholesky, SolvesSparseAndFullMatrices) {
  Random random(3);
  expect_solves(grid(1));
  expect_solves(grid(30));
  for (const int n : {5, 47, 48, 49, 150, 400}) {
    expect_solves(random_definite(n, 1, random));
    expect_solves(random_definite(n, 3, random));
    expect_solves(random_definite(n, n, random));
  }
}

TEST(SparseCholesky, KeepsTheFactorOfAGridSparse) {
  SparseCholesky cholesky;
  cholesky.analyze(lower_triangle(grid(40)));
  EXPECT_LT(cholesky.nonzeros(), 80000);  // the band would need 64,000, the full triangle 1,280,000
}

// [H, B'; B, -C] with H and C positive definite.
TEST(SparseCholesky, FactorizesQuasiDefiniteMatrices) {
  Random random(5);
  const int n = 120;
  CsrMatrix a = random_definite(n, 2, random);
  std::vector<signed char> signs(static_cast<std::size_t>(n), 1);
  for (int i = 0; i < n; ++i) signs[static_cast<std::size_t>(i)] = i % 3 == 0 ? -1 : 1;
  for (int i = 0; i < n; ++i) {
    for (CsrMatrix::InnerIterator it(a, i); it; ++it) {
      if (signs[static_cast<std::size_t>(i)] < 0 && signs[static_cast<std::size_t>(it.col())] < 0)
        it.valueRef() *= -1.0;
    }
  }
  expect_solves(a, signs);
  SparseCholesky cholesky;
  EXPECT_FALSE(cholesky.factorize(lower_triangle(a)));
}

TEST(SparseCholesky, HalvesMakeAWhole) {
  // [4, ., 1; 1, -2, .; ., 1, -3], quasi-definite.
  const CsrMatrix lower = csr_from_triplets(
      3, 3,
      std::vector<Triplet>{{0, 0, 4.0}, {1, 0, 1.0}, {1, 1, -2.0}, {2, 0, 1.0}, {2, 1, 0.5}, {2, 2, -3.0}});
  SparseCholesky cholesky;
  cholesky.analyze(lower);
  ASSERT_TRUE(cholesky.factorize(lower, std::vector<signed char>{1, -1, -1}));
  const Vector b{{1.0, -2.0, 5.0}};
  Vector whole = b;
  cholesky.solve(whole);
  Vector half = b;
  cholesky.solve_lower(half);
  double product = 0.0;
  for (Index k = 0; k < 3; ++k) product += cholesky.signs()[static_cast<std::size_t>(k)] * half[k] * half[k];
  EXPECT_NEAR(product, b.dot(whole), 1e-14);
  cholesky.solve_upper(half);
  EXPECT_EQ(half, whole);
}

TEST(SparseCholesky, RefusesIndefiniteSingularAndUnrealMatrices) {
  SparseCholesky cholesky;
  EXPECT_FALSE(cholesky.factorize(lower_triangle(csr_from_dense(DenseMatrix{{1.0, 2.0}, {2.0, 1.0}}))));
  EXPECT_FALSE(cholesky.factorize(lower_triangle(csr_from_dense(DenseMatrix{{1.0, 1.0}, {1.0, 1.0}}))));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(cholesky.factorize(lower_triangle(csr_from_dense(DenseMatrix{{1.0, nan}, {nan, 1.0}}))));
  EXPECT_TRUE(cholesky.factorize(lower_triangle(csr_from_dense(DenseMatrix{{1.0, 0.5}, {0.5, 1.0}}))));
}

TEST(SparseCholesky, ReplacesPivotsThatAreRoundingErrors) {
  const CsrMatrix lower = lower_triangle(csr_from_dense(mat({{1, 1, 0}, {1, 1 - 1e-12, 0}, {0, 0, 2}})));
  SparseCholesky cholesky;
  EXPECT_FALSE(cholesky.factorize(lower));
  cholesky.set_repair({.least = 1e-10, .rounding = 1e-9, .pivot = 0.5});
  ASSERT_TRUE(cholesky.factorize(lower));
  Vector x = mat({{1, 1, 0}, {1, 1.5, 0}, {0, 0, 2}}) * vec({1, 2, 3});
  cholesky.solve(x);
  EXPECT_LT((x - vec({1, 2, 3})).norm(), 1e-11);
  const CsrMatrix indefinite = lower_triangle(csr_from_dense(mat({{1, 1}, {1, 0.9}})));
  EXPECT_FALSE(cholesky.factorize(indefinite)) << "-0.1 is no rounding error";
}

TEST(SparseCholesky, RefusesWhatIsNoLowerTriangle) {
  SparseCholesky cholesky;
  EXPECT_THROW(cholesky.analyze(grid(3)), Error);
  EXPECT_THROW(cholesky.analyze(csr_from_triplets(2, 2, std::vector<Triplet>{{0, 0, 1.0}})), Error);
  EXPECT_THROW(cholesky.analyze(CsrMatrix(2, 3)), Error);
}

// The lower triangle of the seven-point Laplacian of a cube.
CsrMatrix cube(int side) {
  std::vector<Triplet> triplets;
  for (int i = 0; i < side * side * side; ++i) {
    triplets.push_back({i, i, 6.0});
    for (int step = 1; step < side * side * side; step *= side)
      if (i / step % side > 0) triplets.push_back({i, i - step, -1.0});
  }
  return csr_from_triplets(side * side * side, side * side * side, triplets);
}

TEST(SparseCholesky, TakesTheBetterOrderWhereItPays) {
  const auto entries = [](const CsrMatrix& a, std::optional<Ordering> ordering) {
    SparseCholesky cholesky(ordering);
    cholesky.analyze(a);
    return cholesky.nonzeros();
  };
  const CsrMatrix plane = lower_triangle(grid(30)), space = cube(28);
  EXPECT_EQ(entries(plane, std::nullopt), entries(plane, Ordering::amd));
  if (is_available(Ordering::metis)) {
    EXPECT_NE(entries(plane, Ordering::amd), entries(plane, Ordering::metis));
    EXPECT_LT(entries(space, Ordering::metis), 0.9 * static_cast<double>(entries(space, Ordering::amd)));
  }
  EXPECT_EQ(entries(space, std::nullopt), entries(space, least_fill_ordering()));
}

TEST(SparseCholesky, RefactorizesWithoutAllocating) {
  Random random(9);
  CsrMatrix a = lower_triangle(random_definite(300, 2, random));
  SparseCholesky cholesky;
  ASSERT_TRUE(cholesky.factorize(a));
  for (int i = 0; i < 300; ++i) a.coeffRef(i, i) += 1.0;
  Vector x = Vector::Ones(300);
  const std::size_t before = allocations();
  EXPECT_TRUE(cholesky.factorize(a));
  cholesky.solve(x);
  EXPECT_EQ(allocations(), before);
  const CsrMatrix full = CsrMatrix(a.selfadjointView<Eigen::Lower>());
  EXPECT_LT((full * x - Vector::Ones(300)).norm(), 1e-10);
}

}  // namespace slipstick::internal::sparse_cholesky_test
