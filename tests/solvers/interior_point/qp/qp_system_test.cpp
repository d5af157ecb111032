// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/qp/qp_system.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::qp_system_test {

StandardQp make(const DenseMatrix& H, const DenseMatrix& G) {
  StandardQp qp;
  qp.H = csr_from_dense(H);
  qp.G = csr_from_dense(G);
  qp.c = Vector::Zero(H.rows());
  qp.row_lower = Vector::Zero(G.rows());
  return qp;
}

TEST(QpSystem, SolvesWithoutTheShift) {
  const DenseMatrix H = mat({{2, 1, 0}, {1, 2, 0}, {0, 0, 0}}), G = mat({{1, 1, 1}});
  QpSystem system;
  system.prepare(make(H, G));
  ASSERT_TRUE(system.factorize(vec({0, 1, 0}), vec({0})));
  DenseMatrix K = DenseMatrix::Zero(4, 4);
  K.topLeftCorner(3, 3) = H;
  K(1, 1) += 1;
  K.bottomLeftCorner(1, 3) = G;
  K.topRightCorner(3, 1) = G.transpose();
  const Vector expected = vec({1, -2, 3, -4});
  Vector z = K * expected;
  system.solve(z);
  EXPECT_LT((z - expected).norm(), 1e-12);
}

// Along (1, -1) K is ten thousand times smaller than the shift.
TEST(QpSystem, DirectionsMuchSmallerThanTheShiftAreSolved) {
  QpSystem system;
  system.prepare(make(mat({{1, 1}, {1, 1}}), mat({{1, 1}})));
  system.set_shift({1e-7});
  const Vector small = vec({1e-11, 1e-11});
  ASSERT_TRUE(system.factorize(small, vec({0})));
  Vector z = vec({1e-8, -1e-8, 0});
  system.solve(z);
  EXPECT_LT((z - vec({1e3, -1e3, 0})).norm(), 1.0);
}

// The right side has a part that a singular K cannot make.
TEST(QpSystem, SingularDirectionsStaySmall) {
  QpSystem system;
  system.prepare(make(mat({{1, 0}, {0, 1}}), mat({{1, 1}, {1, 1}})));
  ASSERT_TRUE(system.factorize(vec({0, 0}), vec({0, 0})));
  Vector z = vec({0, 0, 2, 2 + 1e-12});
  system.solve(z);
  EXPECT_LT((z.head(2) - vec({1, 1})).norm(), 1e-6);
  EXPECT_LT(z.tail(2).norm(), 1e-12 / 1e-15);
}

// A factor with much fill costs hundreds of solves here.
TEST(QpSystem, DenseRowsAndColumnsCauseNoFill) {
  constexpr int n = 2000;
  const auto cost = [](const std::vector<Eigen::Triplet<double>>& entries, int rows) {
    StandardQp qp;
    qp.H.resize(n, n);
    qp.H.setIdentity();
    qp.G.resize(rows, n);
    qp.G.setFromTriplets(entries.begin(), entries.end());
    qp.c = Vector::Zero(n);
    qp.row_lower = Vector::Zero(rows);
    QpSystem system;
    system.prepare(qp);
    EXPECT_TRUE(system.factorize(Vector::Ones(n), Vector::Zero(rows)));
    return system.factor_to_solve();
  };
  std::vector<Eigen::Triplet<double>> row, column;
  for (int k = 0; k < n; ++k) {
    row.emplace_back(0, k, 1.0 + 1e-3 * k);
    column.emplace_back(k, 0, 1.0 + 1e-3 * k);
    if (k > 0) column.emplace_back(k, k, 1.0);
  }
  EXPECT_LT(cost(row, 1), 20.0);
  EXPECT_LT(cost(column, n), 20.0);
}

TEST(QpSystem, RowsOutsideAreZero) {
  QpSystem system;
  system.prepare(make(mat({{2, 1}, {1, 2}}), mat({{1, 1}, {1, -1}})));
  ASSERT_TRUE(system.factorize(vec({0, 0}), vec({0, 0}), {1, 0, 1, 0}));
  Vector z = vec({5, 0, 2, 0});  // 2 x + p = 5, x = 2
  system.solve(z);
  EXPECT_LT((z - vec({2, 0, 1, 0})).norm(), 1e-12);
}

TEST(QpSystem, DependentRowsMoveNothingWithoutNeed) {
  QpSystem system;
  system.prepare(make(mat({{1, 0}, {0, 1}}), mat({{1, 1}, {1, 1}})));
  ASSERT_TRUE(system.factorize(vec({0, 0}), vec({0, 0})));
  Vector z = vec({0, 0, 2, 2});
  system.solve(z);
  EXPECT_LT((z - vec({1, 1, -0.5, -0.5})).norm(), 1e-6);
}

TEST(QpSystem, RefusesWhatIsNotConvexOrFinite) {
  QpSystem system;
  system.prepare(make(mat({{-1}}), DenseMatrix(0, 1)));
  EXPECT_FALSE(system.factorize(vec({0}), Vector()));
  EXPECT_FALSE(system.factorize(vec({std::numeric_limits<double>::quiet_NaN()}), Vector()));
  EXPECT_TRUE(system.factorize(vec({2}), Vector()));
}

TEST(QpSystem, FactorizesAgainWithoutAllocation) {
  QpSystem system;
  const StandardQp qp = make(mat({{2, 1}, {1, 2}}), mat({{1, 1}}));
  system.prepare(qp);
  const Vector d = vec({1, 1}), e = vec({1});
  Vector z = vec({1, 2, 3});
  system.factorize(d, e);
  system.solve(z);
  const std::size_t before = allocations();
  system.prepare(qp);
  system.factorize(d, e);
  system.solve(z);
  EXPECT_EQ(allocations() - before, 0U);
  EXPECT_EQ(system.factorizations(), 1);
}

}  // namespace slipstick::internal::qp_system_test
