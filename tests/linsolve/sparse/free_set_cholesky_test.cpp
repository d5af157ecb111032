// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/sparse/free_set_cholesky.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/random.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/linsolve/krylov_testing.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::free_set_cholesky_test {

std::shared_ptr<const CsrMatrix> shared(const DenseMatrix& a) {
  return std::make_shared<const CsrMatrix>(csr_from_dense(a));
}

// The five-point Laplacian of a square grid plus a multiple of the identity.
std::shared_ptr<const CsrMatrix> grid(int side, double identity = 0.1) {
  CsrMatrix a = testing::convection_diffusion(side, 0.0);
  for (Index i = 0; i < a.rows(); ++i) a.coeffRef(i, i) += identity;
  return std::make_shared<const CsrMatrix>(std::move(a));
}

// ||(A_FF + shift) x_F - r_F|| / ||r|| for x = solve(r), and whether the other rows of x are those of r.
void expect_solves(const FreeSetCholesky& factor, const CsrMatrix& a, const std::vector<char>& free,
                   double accuracy = 1e-11) {
  Random random(3);
  const Vector r = random_vector(a.rows(), random);
  Vector x = r;
  factor.solve(x);
  Vector masked = x;
  for (Index i = 0; i < a.rows(); ++i) {
    if (free[i] == 0) {
      EXPECT_EQ(x[i], r[i]);
      masked[i] = 0.0;
    }
  }
  Vector residual = a * masked + factor.shift().cwiseProduct(masked) - r;
  for (Index i = 0; i < a.rows(); ++i) {
    if (free[i] == 0) residual[i] = 0.0;
  }
  EXPECT_LE(residual.norm(), accuracy * r.norm());
}

TEST(FreeSetCholesky, TwoRows) {
  FreeSetCholesky factor;
  factor.prepare(shared(mat({{4.0, 2.0}, {2.0, 5.0}})));
  const std::vector<char> first = {1, 0}, second = {0, 1}, both = {1, 1}, none = {0, 0};
  const auto expect = [&](const std::vector<char>& free, const Vector& x) {
    ASSERT_TRUE(factor.set_free(free, FactorChange::rows));
    Vector r = vec({8.0, 12.0});
    factor.solve(r);
    EXPECT_NEAR(r[0], x[0], 1e-15);
    EXPECT_NEAR(r[1], x[1], 1e-15);
  };
  expect(none, vec({8.0, 12.0}));
  expect(first, vec({2.0, 12.0}));
  expect(both, vec({1.0, 2.0}));
  expect(second, vec({8.0, 2.4}));
  expect(both, vec({1.0, 2.0}));
  expect(first, vec({2.0, 12.0}));
  EXPECT_EQ(factor.refactorizations(), 1);
  EXPECT_EQ(factor.row_changes(), 5);
}

TEST(FreeSetCholesky, FollowsRandomSets) {
  Random random(1);
  for (const auto& a : {shared(random_spd(random, 30, 1e3)), grid(12), grid(1)}) {
    FreeSetCholesky by_rows, from_scratch, cheapest;
    for (FreeSetCholesky* factor : {&by_rows, &from_scratch, &cheapest}) factor->prepare(a);
    std::vector<char> free(static_cast<std::size_t>(a->rows()), 0);
    for (int change = 0; change < 200; ++change) {
      for (std::uint64_t flips = random.below(4); flips-- > 0;) {
        char& row = free[random.below(free.size())];
        row = row == 0;
      }
      ASSERT_TRUE(by_rows.set_free(free, FactorChange::rows));
      ASSERT_TRUE(from_scratch.set_free(free, FactorChange::refactor));
      ASSERT_TRUE(cheapest.set_free(free));
      expect_solves(by_rows, *a, free);
      expect_solves(from_scratch, *a, free);
      expect_solves(cheapest, *a, free);
    }
    EXPECT_EQ(by_rows.refactorizations(), 1);
    EXPECT_EQ(from_scratch.row_changes(), 0);
  }
}

TEST(FreeSetCholesky, AFewRowsOfALargeMatrixAreChangedInPlace) {
  const auto a = grid(40);
  FreeSetCholesky factor;
  factor.prepare(a);
  std::vector<char> free(1600, 1);
  ASSERT_TRUE(factor.set_free(free));
  free[7] = free[800] = 0;
  ASSERT_TRUE(factor.set_free(free));
  EXPECT_EQ(factor.refactorizations(), 1);
  EXPECT_EQ(factor.row_changes(), 2);
  // Most of the rows: a new factor.
  for (int i = 0; i < 1600; ++i) free[i] = i % 2;
  ASSERT_TRUE(factor.set_free(free));
  EXPECT_EQ(factor.refactorizations(), 2);
  expect_solves(factor, *a, free);
  // The same set: nothing to do.
  ASSERT_TRUE(factor.set_free(free));
  EXPECT_EQ(factor.refactorizations(), 2);
  EXPECT_EQ(factor.row_changes(), 2);
}

TEST(FreeSetCholesky, ShiftsTheDiagonal) {
  const auto a = grid(8);
  FreeSetCholesky factor;
  factor.prepare(a);
  std::vector<char> free(64, 1);
  free[5] = 0;
  ASSERT_TRUE(factor.set_free(free));
  factor.add_shift(20, 3.0);
  factor.add_shift(5, 2.0);
  expect_solves(factor, *a, free);
  EXPECT_EQ(factor.refactorizations(), 1);
  free[5] = 1;
  ASSERT_TRUE(factor.set_free(free, FactorChange::rows));
  expect_solves(factor, *a, free);
  EXPECT_EQ(factor.shift()[5], 2.0);
  factor.set_shift(Vector::Constant(64, 0.5));
  EXPECT_FALSE(factor.has_factor());
  ASSERT_TRUE(factor.set_free(free));
  expect_solves(factor, *a, free);
}

TEST(FreeSetCholesky, FindsSingularBlocks) {
  // Rows 0 and 2 are the same, row 3 is empty.
  const auto a = shared(mat({{2, 1, 2, 0}, {1, 2, 1, 0}, {2, 1, 2, 0}, {0, 0, 0, 0}}));
  for (const FactorChange change : {FactorChange::rows, FactorChange::refactor}) {
    FreeSetCholesky factor;
    factor.prepare(a);
    EXPECT_TRUE(factor.set_free(std::vector<char>{1, 1, 0, 0}, change));
    EXPECT_FALSE(factor.set_free(std::vector<char>{1, 1, 1, 0}, change));
    EXPECT_FALSE(factor.has_factor());
    EXPECT_TRUE(factor.set_free(std::vector<char>{0, 1, 1, 0}, change));
    expect_solves(factor, *a, {0, 1, 1, 0});
    EXPECT_FALSE(factor.set_free(std::vector<char>{0, 1, 1, 1}, change));
    factor.set_shift(Vector::Ones(4));
    EXPECT_TRUE(factor.set_free(std::vector<char>{1, 1, 1, 1}, change));
    expect_solves(factor, *a, {1, 1, 1, 1});
  }
}

TEST(FreeSetCholesky, KeepsItsAnalysisAndAllocatesNothing) {
  const auto a = grid(20);
  const auto other = grid(20, 0.7);
  FreeSetCholesky factor;
  factor.prepare(a);
  std::vector<char> free(400, 1);
  ASSERT_TRUE(factor.set_free(free));
  Vector x = Vector::Ones(400);
  const std::size_t before = allocations();
  for (const auto& matrix : {other, a}) {
    factor.prepare(matrix);
    for (int k = 0; k < 30; ++k) {
      free[(37 * k) % 400] = static_cast<char>(k % 3 == 0);
      factor.set_free(free, k % 5 == 0 ? FactorChange::refactor : FactorChange::rows);
      factor.solve(x);
    }
  }
  EXPECT_EQ(allocations() - before, 0U);
  expect_solves(factor, *a, free);
}

TEST(FreeSetCholesky, NoRows) {
  FreeSetCholesky factor;
  factor.prepare(std::make_shared<const CsrMatrix>(0, 0));
  EXPECT_TRUE(factor.set_free({}));
  Vector x;
  factor.solve(x);
}

}  // namespace slipstick::internal::free_set_cholesky_test
