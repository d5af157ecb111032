// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/dense/growing_ldl.hpp"

#include <gtest/gtest.h>

#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::growing_ldl_test {

// Appends row `index` of A to the rows listed.
bool append(GrowingLdl& factor, const DenseMatrix& A, std::vector<Index>& rows, Index index) {
  Vector coupling(static_cast<Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) coupling[static_cast<Index>(k)] = A(index, rows[k]);
  if (!factor.append(coupling, A(index, index))) return false;
  rows.push_back(index);
  return true;
}

void expect_solves(const GrowingLdl& factor, const DenseMatrix& A, const std::vector<Index>& rows) {
  const auto n = static_cast<Index>(rows.size());
  ASSERT_EQ(factor.size(), n);
  DenseMatrix part(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) part(i, j) = A(rows[i], rows[j]);
  }
  const Vector expected = Vector::LinSpaced(n, -1.0, 2.0);
  Vector x = part * expected;
  factor.solve(x);
  EXPECT_LE((x - expected).norm(), 1e-10 * (1.0 + expected.norm()));
}

TEST(GrowingLdl, TwoRows) {
  GrowingLdl factor;
  factor.reset(2);
  EXPECT_TRUE(factor.append(Vector(), 4.0));
  EXPECT_TRUE(factor.append(vec({2.0}), 5.0));
  Vector x = vec({8.0, 12.0});
  factor.solve(x);
  EXPECT_NEAR(x[0], 1.0, 1e-15);
  EXPECT_NEAR(x[1], 2.0, 1e-15);
  factor.remove(0);
  x = vec({10.0});
  factor.solve(x);
  EXPECT_NEAR(x[0], 2.0, 1e-15);
}

TEST(GrowingLdl, FollowsRandomRows) {
  Random random(3);
  const Index n = 25;
  const DenseMatrix A = random_spd(random, n, 1e3);
  GrowingLdl factor;
  factor.reset(n);
  std::vector<Index> rows;
  for (int change = 0; change < 400; ++change) {
    const Index index = random.below(n);
    const auto found = std::find(rows.begin(), rows.end(), index);
    if (found == rows.end()) {
      ASSERT_TRUE(append(factor, A, rows, index));
    } else {
      factor.remove(found - rows.begin());
      rows.erase(found);
    }
    expect_solves(factor, A, rows);
  }
}

TEST(GrowingLdl, RefusesDependentRows) {
  const DenseMatrix A = mat({{2, 1, 2}, {1, 2, 1}, {2, 1, 2}});
  GrowingLdl factor;
  factor.reset(3);
  std::vector<Index> rows;
  EXPECT_TRUE(append(factor, A, rows, 0));
  EXPECT_TRUE(append(factor, A, rows, 1));
  EXPECT_FALSE(append(factor, A, rows, 2));
  expect_solves(factor, A, rows);
  EXPECT_FALSE(factor.append(vec({0, 0}), 0.0));
}

TEST(GrowingLdl, AllocatesOnlyInReset) {
  Random random(3);
  const DenseMatrix A = random_spd(random, 20, 10.0);
  GrowingLdl factor;
  factor.reset(20);
  const std::size_t before = allocations();
  for (int round = 0; round < 3; ++round) {
    factor.reset(20);
    for (Index i = 0; i < 20; ++i) factor.append(A.col(i).head(i), A(i, i));
    for (Index i = 0; i < 10; ++i) factor.remove(i);
  }
  EXPECT_EQ(allocations() - before, 0U);
  EXPECT_EQ(factor.size(), 10);
}

}  // namespace slipstick::internal::growing_ldl_test
