// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/csr_matrix.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/error.hpp"
#include "tests/linalg/samples.hpp"
#include "tests/support/pause_watch.hpp"

namespace slipstick::internal::csr_matrix_test {

using testing::random_dense;
using testing::random_vector;

TEST(CsrMatrix, RectangularProducts) {
  Random random(1);
  for (const auto& [rows, columns] : {std::pair{4, 9}, {9, 4}, {1, 5}, {5, 1}, {0, 3}, {3, 0}, {300, 200}}) {
    const DenseMatrix dense = random_dense(rows, columns, 0.4, random);
    const CsrMatrix a = csr_from_dense(dense);
    const Vector x = random_vector(columns, random);
    for (const int threads : {1, 2, 3}) {
      Vector y(rows);
      multiply(a, x, y, threads);
      EXPECT_NEAR((y - dense * x).norm(), 0.0, 1e-13 * (1.0 + rows));
    }
    for (Index i = 0; i < rows; ++i) {
      EXPECT_NEAR(row_dot(a, i, x.data()), dense.row(i).dot(x), 1e-13);
      for (Index j = 0; j < columns; ++j) EXPECT_EQ(entry(a, i, j), dense(i, j));
    }
  }
}

TEST(CsrMatrix, Submatrices) {
  Random random(2);
  const DenseMatrix dense = random_dense(8, 11, 0.5, random);
  const CsrMatrix a = csr_from_dense(dense);
  const std::vector<int> rows = {1, 4, 5, 7};
  const std::vector<int> columns = {0, 3, 10};
  EXPECT_EQ(DenseMatrix(submatrix(a, rows, columns)), dense(rows, columns));
  EXPECT_EQ(DenseMatrix(submatrix(a, rows, {})).size(), 0);
  EXPECT_EQ(DenseMatrix(principal_submatrix(a, rows)), dense(rows, rows));
}

TEST(CsrMatrix, TripletsAddUpAndZerosStay) {
  const std::vector<Triplet> triplets = {{1, 2, 3.0}, {0, 0, 0.0}, {1, 0, 1.0}, {1, 2, 4.0}};
  const CsrMatrix a = csr_from_triplets(2, 3, triplets);
  EXPECT_EQ(a.nonZeros(), 3);
  EXPECT_EQ(entry(a, 1, 2), 7.0);
  EXPECT_EQ(entry(a, 1, 0), 1.0);
  EXPECT_EQ(entry(a, 1, 1), 0.0);
  EXPECT_TRUE(a.isCompressed());
  EXPECT_EQ(csr_from_triplets(0, 0, {}).nonZeros(), 0);
}

TEST(CsrMatrix, SortingManyTripletsLooksAtTheClock) {
  std::vector<Triplet> triplets;
  for (int k = 0; k < 1'000'000; ++k) triplets.push_back({k % 1000, (7 * k) % 1009, 1.0});
  const PauseWatch watch;
  EXPECT_EQ(csr_from_triplets(1000, 1009, triplets).sum(), 1e6);
  EXPECT_LT(watch.longest_share(), 0.2);
}

TEST(CsrMatrix, TripletsOutsideAreRefused) {
  for (const Triplet& outside :
       {Triplet{2, 0, 1.0}, Triplet{0, 3, 1.0}, Triplet{-1, 0, 1.0}, Triplet{0, -1, 1.0}})
    EXPECT_THROW(csr_from_triplets(2, 3, {&outside, 1}), Error) << outside.row << " " << outside.column;
}

TEST(CsrMatrix, DenseZerosAreDroppedAndNaNIsNot) {
  DenseMatrix dense = DenseMatrix::Zero(2, 2);
  dense(0, 1) = 1e-300;
  dense(1, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(csr_from_dense(dense).nonZeros(), 2);
}

TEST(CsrMatrix, AsymmetryAndSymmetricPart) {
  DenseMatrix dense = DenseMatrix::Zero(3, 3);
  dense.diagonal().setConstant(4.0);
  dense(0, 2) = 1.0;
  EXPECT_EQ(asymmetry(csr_from_dense(dense)), 0.25);  // no entry on the other side
  dense(2, 0) = 0.5;
  EXPECT_EQ(asymmetry(csr_from_dense(dense)), 0.125);
  const CsrMatrix symmetric = symmetric_part(csr_from_dense(dense));
  EXPECT_EQ(asymmetry(symmetric), 0.0);
  EXPECT_EQ(entry(symmetric, 0, 2), 0.75);
  EXPECT_EQ(asymmetry(CsrMatrix(0, 0)), 0.0);
  EXPECT_TRUE(std::isinf(asymmetry(CsrMatrix(2, 3))));
}

TEST(CsrMatrix, TransposedTwiceIsTheSame) {
  const DenseMatrix dense = DenseMatrix::Random(3, 5).cwiseMax(0.0);
  CsrMatrix transposed, back;
  transpose(csr_from_dense(dense), transposed);
  EXPECT_EQ(DenseMatrix(transposed), dense.transpose());
  transpose(transposed, back);
  EXPECT_EQ(DenseMatrix(back), dense);
}

TEST(CsrBuilder, AddsEntriesInAnyOrder) {
  const CsrMatrix a = csr_from_triplets(1, 2, std::vector<Triplet>{{0, 0, 1.0}, {0, 1, 2.0}});
  CsrBuilder builder;
  CsrMatrix built;
  for (int time = 0; time < 2; ++time) {
    builder.start(built, 2, 4);
    builder.add(3, 5.0);
    builder.add(a, 0, 10.0, 2);
    builder.end_row();
    builder.end_row();
    EXPECT_EQ(DenseMatrix(built), (DenseMatrix(2, 4) << 0.0, 0.0, 10.0, 25.0, 0.0, 0.0, 0.0, 0.0).finished());
    EXPECT_EQ(built.nonZeros(), 2);
    EXPECT_TRUE(built.isCompressed());
  }
}

}  // namespace slipstick::internal::csr_matrix_test
