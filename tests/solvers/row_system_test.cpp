// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/row_system.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "slipstick/base/random.hpp"
#include "solvers/box_cases.hpp"
#include "support/allocation_counter.hpp"

namespace slipstick {
namespace {

using box_cases::vec;

// A nonsymmetric matrix with few entries, some of its diagonal missing.
CsrMatrix sparse_matrix(int n, std::uint64_t seed) {
  Random random(seed);
  std::vector<Triplet> triplets;
  for (int i = 0; i < n; ++i) {
    if (i % 3 != 0) triplets.push_back({i, i, 4.0 + random.uniform()});
    triplets.push_back({i, (i + 1) % n, random.normal()});
    triplets.push_back({i, (i * 7 + 3) % n, random.normal()});
  }
  return csr_from_triplets(n, n, triplets);
}

class RowSystemTest : public ::testing::TestWithParam<Index> {};  // dense_rows: 0 is sparse LU

TEST_P(RowSystemTest, SolvesAndTransposes) {
  const int n = 30;
  Random random(7);
  RowSystem system(GetParam());
  for (const std::uint64_t seed : {1, 2}) {
    const CsrMatrix a = sparse_matrix(n, seed);
    system.prepare(Operator(a));
    for (int round = 0; round < 3; ++round) {
      Vector s(n), t(n), r(n), p(n), g(n);
      for (Index i = 0; i < n; ++i) {
        s[i] = random.uniform(0.5, 1e3);
        t[i] = round == 0 && i % 2 == 0 ? 0.0 : random.uniform();
        r[i] = random.normal();
      }
      DenseMatrix J = t.asDiagonal() * DenseMatrix(a);
      J.diagonal() += s;
      ASSERT_TRUE(system.factorize(s, t));
      system.solve(r, p);
      EXPECT_LE((J * p - r).norm(), 1e-13 * J.norm() * p.norm());
      system.multiply_transposed(s, t, r, g);
      EXPECT_LE((J.transpose() * r - g).norm(), 1e-13 * J.norm() * r.norm());
    }
  }
}

TEST_P(RowSystemTest, DampedSystemIsLevenbergMarquardt) {
  const int n = 25;
  const CsrMatrix a = sparse_matrix(n, 5);
  RowSystem system(GetParam());
  system.prepare(Operator(a));
  const Vector s = Vector::Zero(n), t = Vector::Ones(n), r = Vector::LinSpaced(n, -1, 1);
  const double mu = 0.3;
  ASSERT_TRUE(system.factorize_damped(s, t, mu));
  Vector p(n);
  system.solve(r, p);
  const DenseMatrix J(a);
  const Vector largest = J.cwiseAbs().colwise().maxCoeff();
  const DenseMatrix normal = J.transpose() * J + mu * largest.cwiseAbs2().asDiagonal().toDenseMatrix();
  EXPECT_LE((normal * p - J.transpose() * r).norm(), 1e-12 * normal.norm() * p.norm());
}

TEST_P(RowSystemTest, SingularSystemsAreSeenAndDamped) {
  // Rows 0 and 1 are parallel; the right side is consistent.
  CsrMatrix a = sparse_matrix(12, 9);
  DenseMatrix d(a);
  d.row(1) = 2.0 * d.row(0);
  RowSystem system(GetParam());
  system.prepare(Operator(csr_from_dense(d)));
  const Vector s = Vector::Zero(12), t = Vector::Ones(12);
  EXPECT_FALSE(system.factorize(s, t));
  ASSERT_TRUE(system.factorize_damped(s, t, 1e-12));
  const Vector r = d * Vector::LinSpaced(12, 1, 2);
  Vector p(12);
  system.solve(r, p);
  EXPECT_LE((d * p - r).norm(), 1e-8 * r.norm());
}

// J = [2 + 3 * 4, 3 * 1; 5 * 1, 0 + 5 * 0]: the second diagonal entry is not there.
TEST_P(RowSystemTest, TwoRowsByHand) {
  RowSystem system(GetParam());
  system.prepare(csr_from_dense(mat({{4, 1}, {1, 0}})));
  ASSERT_TRUE(system.factorize(vec({2, 0}), vec({3, 5})));
  Vector p(2), g(2);
  system.solve(vec({17, 5}), p);
  EXPECT_LT((p - vec({1, 1})).norm(), 1e-15);
  system.multiply_transposed(vec({2, 0}), vec({3, 5}), vec({1, 2}), g);
  EXPECT_EQ(g, vec({24, 3}));
}

// An active set: rows at a bound are p_i = r_i.
TEST_P(RowSystemTest, ActiveSetsByHand) {
  RowSystem system(GetParam());
  system.prepare(csr_from_dense(mat({{2, 1, 0}, {1, 2, 1}, {0, 1, 2}})));
  ASSERT_TRUE(system.factorize(vec({0, 1, 0}), vec({1, 0, 1})));
  Vector p(3);
  system.solve(vec({3, -1, 5}), p);
  EXPECT_LT((p - vec({2, -1, 3})).norm(), 1e-15);
}

// Columns may be of any size; rows too, as long as what is left of the others after the columns can be seen.
TEST_P(RowSystemTest, ColumnsAndRowsOfDifferentSizes) {
  const DenseMatrix a = mat({{2, 1, 0}, {1, 2, 1}, {0, 1, 2}});
  const Vector ones = Vector::Ones(3);
  for (const auto& [row, column] :
       {std::pair(ones, vec({1e-120, 1, 1e90})), std::pair(vec({1e-5, 1, 1e5}), ones)}) {
    RowSystem system(GetParam());
    system.prepare(csr_from_dense(DenseMatrix(row.asDiagonal() * a * column.asDiagonal())));
    ASSERT_TRUE(system.factorize(Vector::Zero(3), ones));
    Vector p(3);
    system.solve(row.cwiseProduct(a * vec({1, 2, 3})), p);
    EXPECT_LT((p.cwiseProduct(column) - vec({1, 2, 3})).norm(), 1e-10);
  }
}

TEST_P(RowSystemTest, EmptyRowsAndNaNs) {
  RowSystem system(GetParam());
  system.prepare(csr_from_dense(mat({{2, 1}, {1, 2}})));
  EXPECT_FALSE(system.factorize(vec({0, 0}), vec({1, 0})));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(system.factorize(vec({nan, 0}), vec({1, 1})));
  EXPECT_FALSE(system.factorize_damped(vec({nan, 0}), vec({1, 1}), 0.1));
  // The empty row adds nothing to the damped one: the shortest p with 2 p_0 + p_1 = 4, in units of the
  // columns (1/2, 1): p = (1, 2).
  ASSERT_TRUE(system.factorize_damped(vec({0, 0}), vec({1, 0}), 1e-14));
  Vector p(2);
  system.solve(vec({4, 0}), p);
  EXPECT_LT((p - vec({1, 2})).norm(), 1e-12);
}

// The same storage is not read again; another one is, in the same pattern and in another.
TEST_P(RowSystemTest, TakesAnotherMatrix) {
  RowSystem system(GetParam());
  const auto solve = [&](const Operator& a) {
    system.prepare(a);
    EXPECT_TRUE(system.factorize(Vector::Zero(2), Vector::Ones(2)));
    Vector p(2);
    system.solve(vec({2, 6}), p);
    return p;
  };
  EXPECT_LT((solve(csr_from_dense(mat({{2, 0}, {0, 2}}))) - vec({1, 3})).norm(), 1e-15);
  EXPECT_LT((solve(csr_from_dense(mat({{1, 0}, {0, 3}}))) - vec({2, 2})).norm(), 1e-15);
  EXPECT_LT((solve(csr_from_dense(mat({{1, 1}, {0, 3}}))) - vec({0, 2})).norm(), 1e-15);
  EXPECT_LT((solve(DenseMatrix(mat({{2, 0}, {0, 2}}))) - vec({1, 3})).norm(), 1e-15);
  EXPECT_LT((solve(csr_from_dense(mat({{1, 1}, {0, 3}}))) - vec({0, 2})).norm(), 1e-15);
}

TEST_P(RowSystemTest, ASecondTimeAllocatesNothing) {
  const Operator a = sparse_matrix(20, 3);
  const Vector s = Vector::Ones(20), t = Vector::Ones(20);
  Vector p(20), g(20);
  RowSystem system(GetParam());
  std::size_t before = 0;
  for (int round = 0; round < 2; ++round) {
    before = allocations();
    system.prepare(a);
    system.factorize(s, t);
    system.solve(t, p);
    system.factorize_damped(s, t, 0.1);
    system.solve(t, p);
    system.multiply_transposed(s, t, t, g);
  }
  EXPECT_EQ(allocations() - before, 0U);
}

INSTANTIATE_TEST_SUITE_P(Storages, RowSystemTest, ::testing::Values(0, 200),
                         [](const auto& storage) { return storage.param == 0 ? "Sparse" : "Dense"; });

TEST(RowSystem, EveryStorageGivesTheSame) {
  const DelassusOperator bodies = box_cases::random_bodies(1, true, 0.5);
  const CsrMatrix sparse = bodies.to_csr();
  const Index n = sparse.rows();
  const Vector s = Vector::Constant(n, 0.5), t = Vector::Ones(n), r = Vector::LinSpaced(n, -1, 1);
  const Operator storages[] = {sparse, BlockCsrMatrix(sparse), BandedMatrix(sparse), DenseMatrix(sparse),
                               bodies};
  DenseMatrix J(sparse);
  J.diagonal() += s;
  for (const Operator& storage : storages) {
    for (const Index dense_rows : {0, 200}) {
      RowSystem system(dense_rows);
      system.prepare(storage);
      ASSERT_TRUE(system.factorize(s, t)) << storage.kind();
      Vector p(n);
      system.solve(r, p);
      EXPECT_LT((J * p - r).norm(), 1e-12 * r.norm()) << storage.kind();
    }
  }
}

TEST(RowSystem, DenseOperator) {
  const DenseMatrix a = (DenseMatrix(2, 2) << 2, 1, 1, 3).finished();
  RowSystem system;
  system.prepare(Operator(a));
  ASSERT_TRUE(system.factorize(vec({0, 1}), vec({1, 0})));
  Vector p(2);
  system.solve(vec({5, 1}), p);
  EXPECT_DOUBLE_EQ(p[0], 2.0);
  EXPECT_DOUBLE_EQ(p[1], 1.0);
}

}  // namespace
}  // namespace slipstick
