// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/common/dense_copy.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::dense_copy_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

DenseMatrix copied(const Operator& a, const std::vector<int>& rows) {
  std::vector<int> place = {7, 7, 7};
  DenseMatrix target =
      DenseMatrix::Constant(static_cast<Index>(rows.size()), static_cast<Index>(rows.size()), nan);
  copy_submatrix(a, rows, place, target);
  return target;
}

// Rows that are not asked for are not read.
TEST(DenseCopy, RowsByHandInAnyOrder) {
  const DenseMatrix a = mat({{1, nan, 2, 3}, {nan, nan, nan, nan}, {4, nan, 5, 0}, {6, nan, 7, 8}});
  const DenseMatrix expected = mat({{8, 6, 7}, {3, 1, 2}, {0, 4, 5}});
  EXPECT_EQ(copied(csr_from_dense(a), {3, 0, 2}), expected);
  EXPECT_EQ(copied(a, {3, 0, 2}), expected);
  EXPECT_EQ(copied(a, {}).size(), 0);
}

TEST(DenseCopy, EveryStorageGivesTheSame) {
  Random random(1);
  const DenseMatrix a = random_spd(random, 9, 10.0);
  const CsrMatrix sparse = csr_from_dense(a);
  const std::vector<int> rows = {8, 1, 4, 3};
  const Operator storages[] = {sparse, BandedMatrix(sparse), a};
  for (const Operator& storage : storages)
    EXPECT_EQ(copied(storage, rows), DenseMatrix(a(rows, rows))) << storage.kind();
}

TEST(DenseCopy, MatrixFree) {
  const std::vector<Constraint> constraints = {{0, 2, {0, 1}}, {2, 1, {1, -1}}};
  const Operator a = DelassusOperator(1, 2, {2, 3}, constraints, {1, 2, 3, 4, 5, nan}, vec({0, 0, 0.5}));
  // J = [1, 3; 2, 4; 0, 5], M^-1 = diag(2, 3).
  EXPECT_EQ(copied(a, {2, 0}), mat({{75.5, 45}, {45, 29}}));
}

TEST(DenseCopy, AgainWithoutAllocating) {
  const Operator a = csr_from_dense(mat({{1, 2}, {3, 4}}));
  const std::vector<int> rows = {1, 0};
  std::vector<int> place;
  DenseMatrix target(2, 2);
  copy_submatrix(a, rows, place, target);
  const std::size_t before = allocations();
  copy_submatrix(a, rows, place, target);
  EXPECT_EQ(allocations() - before, 0U);
  EXPECT_EQ(target, mat({{4, 3}, {2, 1}}));
}

}  // namespace slipstick::internal::dense_copy_test
