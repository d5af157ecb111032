// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/sparse_rows.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/random.hpp"

namespace slipstick::internal::sparse_rows_test {

// Rows of random length, some of them empty. `long_row` is full.
CsrMatrix random_matrix(int rows, int most, int long_row) {
  Random random(3);
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < rows; ++i) {
    const int count = i == long_row ? rows : static_cast<int>(random.below(most + 1));
    for (int k = 0; k < count; ++k)
      entries.emplace_back(i, i == long_row ? k : static_cast<int>(random.below(rows)),
                           random.uniform(-1.0, 1.0));
  }
  CsrMatrix matrix(rows, rows);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

// What the kernels compute, by the same indices.
Vector multiply(const SparseArrays& arrays, const Vector& x) {
  constexpr int width = SparseArrays::slice_rows;
  Vector y = Vector::Zero(arrays.rows);
  for (int row = 0; row < arrays.rows; ++row) {
    const auto first = static_cast<std::size_t>(arrays.sliced ? row / width : row);
    for (int k = arrays.start[first]; k < arrays.start[first + 1]; ++k) {
      const auto at = static_cast<std::size_t>(arrays.sliced ? k * width + row % width : k);
      EXPECT_LT(arrays.columns[at], arrays.rows);
      y[row] += arrays.values[at] * x[arrays.columns[at]];
    }
  }
  return y;
}

TEST(SparseRows, ProductsAreThoseOfTheMatrix) {
  for (const int rows : {0, 1, 31, 32, 33, 500}) {
    for (const int long_row : {-1, 7}) {
      const CsrMatrix matrix = random_matrix(rows, 6, long_row);
      SparseRows laid;
      laid.set(matrix);
      Vector x(rows);
      for (Index i = 0; i < rows; ++i) x[i] = std::sin(static_cast<double>(i));
      EXPECT_LE((multiply(laid.arrays(), x) - matrix * x).norm(), 1e-14 * (1.0 + x.norm())) << rows;
    }
  }
}

TEST(SparseRows, AFewLongRowsAreNotPadded) {
  SparseRows laid;
  laid.set(random_matrix(5000, 6, -1));
  EXPECT_TRUE(laid.arrays().sliced);
  laid.set(random_matrix(5000, 6, 4321));
  EXPECT_FALSE(laid.arrays().sliced);
}

}  // namespace slipstick::internal::sparse_rows_test
