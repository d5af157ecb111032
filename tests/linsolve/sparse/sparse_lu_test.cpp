// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/sparse/sparse_lu.hpp"

#include <gtest/gtest.h>

#include <Eigen/SparseLU>
#include <limits>

#include "slipstick/base/error.hpp"
#include "slipstick/base/random.hpp"
#include "tests/linsolve/krylov_testing.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::sparse_lu_test {

// About `per_row` entries in each row; those of the diagonal only if `diagonal`.
CsrMatrix random_sparse(Index n, int per_row, bool diagonal, std::uint64_t seed) {
  Random random(seed);
  std::vector<Triplet> triplets;
  for (int i = 0; i < n; ++i) {
    // A cyclic shift makes the matrix structurally regular without its diagonal.
    triplets.push_back({i, static_cast<int>((i + (diagonal ? 0 : 1)) % n), random.normal()});
    for (int k = 1; k < per_row; ++k) {
      const int j = static_cast<int>(random.below(n));
      if (j != i) triplets.push_back({i, j, random.normal()});
    }
  }
  return csr_from_triplets(n, n, triplets);
}

// Five-point Laplacian of a grid with convection: nonsymmetric values, symmetric pattern.
CsrMatrix convection(int side) {
  return testing::convection_diffusion(side, 0.5);
}

void expect_solves(const SparseLu& lu, const CsrMatrix& a, double tolerance) {
  const Vector b = testing::normal_vector(a.rows(), 99);
  Vector x = b;
  lu.solve(x);
  EXPECT_LE((a * x - b).norm(), tolerance * a.norm() * x.norm());
  lu.refine(a, b, x);
  EXPECT_LE((a * x - b).norm(), 1e-14 * a.norm() * x.norm());
  x = b;
  lu.solve_transposed(x);
  EXPECT_LE((a.transpose() * x - b).norm(), tolerance * a.norm() * x.norm());
}

TEST(SparseLu, SolvesByHand) {
  // A row exchange is needed at once.
  const CsrMatrix a = csr_from_triplets(2, 2, std::vector<Triplet>{{0, 1, 2.0}, {1, 0, 4.0}, {1, 1, 1.0}});
  SparseLu lu;
  ASSERT_TRUE(lu.factorize(a));
  Vector x = vec({6.0, 7.0});
  lu.solve(x);
  EXPECT_DOUBLE_EQ(x[0], 1.0);
  EXPECT_DOUBLE_EQ(x[1], 3.0);
  x << 4.0, 3.0;
  lu.solve_transposed(x);
  EXPECT_DOUBLE_EQ(x[0], 1.0);
  EXPECT_DOUBLE_EQ(x[1], 1.0);
}

TEST(SparseLu, EmptyAndOneByOne) {
  SparseLu lu;
  EXPECT_TRUE(lu.factorize(CsrMatrix(0, 0)));
  Vector none(0);
  lu.solve(none);
  EXPECT_EQ(lu.rcond(), 1.0);
  EXPECT_TRUE(lu.factorize(csr_from_triplets(1, 1, std::vector<Triplet>{{0, 0, -4.0}})));
  Vector one = Vector::Constant(1, 2.0);
  lu.solve(one);
  EXPECT_EQ(one[0], -0.5);
  EXPECT_FALSE(lu.factorize(CsrMatrix(1, 1)));
  EXPECT_EQ(lu.singular_row(), 0);
  EXPECT_EQ(lu.rcond(), 0.0);
  EXPECT_THROW(lu.factorize(CsrMatrix(2, 3)), Error);
}

TEST(SparseLu, NamesASingularRow) {
  for (const LuOrdering ordering : {LuOrdering::amd, LuOrdering::colamd}) {
    SparseLu lu({.ordering = ordering});
    // Rows 1 and 3 are parallel.
    const CsrMatrix a = csr_from_triplets(
        4, 4,
        std::vector<Triplet>{{0, 0, 1.0}, {1, 1, 2.0}, {1, 3, 4.0}, {2, 2, 1.0}, {3, 1, 1.0}, {3, 3, 2.0}});
    EXPECT_FALSE(lu.factorize(a));
    EXPECT_TRUE(lu.singular_row() == 1 || lu.singular_row() == 3) << lu.singular_row();
    // An empty column leaves some row without a pivot.
    EXPECT_FALSE(
        lu.factorize(csr_from_triplets(3, 3, std::vector<Triplet>{{0, 0, 1.0}, {1, 1, 1.0}, {2, 1, 1.0}})));
  }
}

TEST(SparseLu, RefusesNonFiniteValues) {
  CsrMatrix a = convection(4);
  a.valuePtr()[7] = std::numeric_limits<double>::quiet_NaN();
  SparseLu lu;
  EXPECT_FALSE(lu.factorize(a));
}

TEST(SparseLu, SolvesRandomMatricesWithBothOrderings) {
  for (const LuOrdering ordering : {LuOrdering::automatic, LuOrdering::amd, LuOrdering::colamd}) {
    for (const bool diagonal : {true, false}) {
      for (const Index n : {2, 5, 30, 200}) {
        const CsrMatrix a = random_sparse(n, 4, diagonal, 7 + static_cast<std::uint64_t>(n));
        SparseLu lu({.ordering = ordering, .pivot_threshold = 0.5});
        if (!lu.factorize(a)) {
          EXPECT_FALSE(solve_linear(DenseMatrix(a), Vector::Ones(n)).has_value());
          continue;
        }
        expect_solves(lu, a, 1e-10);
      }
    }
  }
}

TEST(SparseLu, AgreesWithEigen) {
  const CsrMatrix a = convection(40);
  const Eigen::SparseMatrix<double> columns(a);
  Eigen::SparseLU<Eigen::SparseMatrix<double>> eigen(columns);
  const Vector b = Vector::LinSpaced(a.rows(), -1.0, 1.0);
  const Vector expected = eigen.solve(b);
  for (const LuOrdering ordering : {LuOrdering::amd, LuOrdering::colamd}) {
    SparseLu lu({.ordering = ordering});
    ASSERT_TRUE(lu.factorize(a));
    Vector x = b;
    lu.solve(x);
    EXPECT_LE((x - expected).norm(), 1e-12 * expected.norm());
    EXPECT_LE(lu.nonzeros(), 3 * (eigen.nnzL() + eigen.nnzU()));
  }
}

TEST(SparseLu, AutomaticOrderingKeepsTheFillOfAGridSmall) {
  const CsrMatrix a = convection(60);
  SparseLu chosen, columns({.ordering = LuOrdering::colamd});
  ASSERT_TRUE(chosen.factorize(a));
  ASSERT_TRUE(columns.factorize(a));
  EXPECT_LT(chosen.nonzeros(), columns.nonzeros());
}

TEST(SparseLu, RefactorizesTheSamePatternWithOtherValues) {
  CsrMatrix a = convection(12);
  SparseLu lu;
  ASSERT_TRUE(lu.factorize(a));
  Random random(4);
  for (int round = 0; round < 3; ++round) {
    for (Index p = 0; p < a.nonZeros(); ++p) a.valuePtr()[p] = random.normal();
    ASSERT_TRUE(lu.factorize(a));
    expect_solves(lu, a, 1e-9);
    SparseLu fresh;
    ASSERT_TRUE(fresh.factorize(a));
    Vector x = Vector::Ones(a.rows()), y = x;
    lu.solve(x);
    fresh.solve(y);
    EXPECT_EQ(x, y) << "a kept object must give the bits of a new one";
  }
  ASSERT_TRUE(lu.factorize(convection(5)));
  expect_solves(lu, convection(5), 1e-12);
}

TEST(SparseLu, ConditionEstimateSeesNearSingularity) {
  CsrMatrix a = convection(5);
  SparseLu lu;
  ASSERT_TRUE(lu.factorize(a));
  EXPECT_GT(lu.rcond(), 1e-3);
  for (CsrMatrix::InnerIterator it(a, 3); it; ++it) it.valueRef() *= 1e-13;
  ASSERT_TRUE(lu.factorize(a));
  EXPECT_LT(lu.rcond(), 1e-12);
}

}  // namespace slipstick::internal::sparse_lu_test
