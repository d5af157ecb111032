// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/row_system.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/random.hpp"
#include "solvers/box_cases.hpp"

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

INSTANTIATE_TEST_SUITE_P(Storages, RowSystemTest, ::testing::Values(0, 200),
                         [](const auto& storage) { return storage.param == 0 ? "Sparse" : "Dense"; });

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
