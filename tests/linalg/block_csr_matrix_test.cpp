// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/block_csr_matrix.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/error.hpp"
#include "tests/linalg/samples.hpp"

namespace slipstick::block_csr_matrix_test {

TEST(BlockCsrMatrix, StoresTouchedBlocksWhole) {
  // One entry in block (0, 1), two in block (1, 0), none in (0, 0).
  const std::vector<Triplet> triplets = {{2, 4, 5.0}, {3, 1, 6.0}, {5, 2, 7.0}};
  const BlockCsrMatrix a(csr_from_triplets(6, 6, triplets));
  EXPECT_EQ(a.rows(), 6);
  EXPECT_EQ(a.block_rows(), 2);
  EXPECT_EQ(a.nonzeros(), 18);
  EXPECT_EQ(a.columns(), (std::vector<int>{1, 0}));
  EXPECT_EQ(a.row_start(), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(a.entry(2, 4), 5.0);
  EXPECT_EQ(a.entry(5, 2), 7.0);
  EXPECT_EQ(a.entry(5, 1), 0.0);
  EXPECT_EQ(a.entry(0, 0), 0.0);
  EXPECT_EQ(a.to_csr().nonZeros(), 18);
}

TEST(BlockCsrMatrix, RowsAgreeWithTheMatrix) {
  Random random(3);
  const DenseMatrix dense = testing::random_dense(21, 21, 0.1, random);
  const BlockCsrMatrix a(csr_from_dense(dense));
  const Vector x = testing::random_vector(21, random);
  for (Index i = 0; i < 21; ++i) EXPECT_NEAR(a.row_dot(i, x.data()), dense.row(i).dot(x), 1e-13);
  for (std::size_t row = 0; row + 1 < a.row_start().size(); ++row) {
    for (int k = a.row_start()[row] + 1; k < a.row_start()[row + 1]; ++k)
      EXPECT_LT(a.columns()[k - 1], a.columns()[k]);
  }
}

TEST(BlockCsrMatrix, RefusesSizesThatAreNoMultipleOfThree) {
  EXPECT_THROW(BlockCsrMatrix(CsrMatrix(4, 4)), Error);
  EXPECT_THROW(BlockCsrMatrix(CsrMatrix(3, 6)), Error);
  EXPECT_EQ(BlockCsrMatrix(CsrMatrix(0, 0)).rows(), 0);
  EXPECT_EQ(BlockCsrMatrix().rows(), 0);
}

}  // namespace slipstick::block_csr_matrix_test
