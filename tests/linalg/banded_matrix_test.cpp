// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/banded_matrix.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/linalg/samples.hpp"

namespace slipstick::internal::banded_matrix_test {

TEST(BandedMatrix, StorageOfATridiagonalMatrix) {
  BandedMatrix a(3, 1);
  for (Index i = 0; i < 3; ++i) a.at(i, i) = 2.0;
  a.at(1, 0) = -1.0;
  a.at(2, 1) = -3.0;
  EXPECT_EQ(a.entry(0, 1), -1.0);
  EXPECT_EQ(a.entry(2, 1), -3.0);
  EXPECT_EQ(a.entry(0, 2), 0.0);
  EXPECT_EQ(a.lower()(1, 0), -1.0);
  EXPECT_EQ(a.lower()(1, 2), 0.0);  // past the last row
  Vector y(3);
  a.multiply(Vector::Ones(3), y, 1);
  EXPECT_EQ(y, (Vector(3) << 1.0, -2.0, -1.0).finished());
}

TEST(BandedMatrix, FindsTheBandwidth) {
  Random random(5);
  for (const Index n : {1, 2, 9}) {
    for (const Index bandwidth : {0, 1, 3, 8}) {
      const DenseMatrix dense = testing::random_banded(n, bandwidth, random);
      const BandedMatrix a(csr_from_dense(dense));
      EXPECT_EQ(a.bandwidth(), std::min(bandwidth, n - 1));
      EXPECT_EQ(DenseMatrix(a.to_csr()), dense);
      const Vector x = testing::random_vector(n, random);
      for (Index i = 0; i < n; ++i) EXPECT_NEAR(a.row_dot(i, x.data()), dense.row(i).dot(x), 1e-13);
    }
  }
  EXPECT_EQ(BandedMatrix(CsrMatrix(0, 0)).rows(), 0);
  EXPECT_EQ(BandedMatrix().rows(), 0);
}

TEST(BandedMatrix, RefusesRectangles) {
  EXPECT_THROW(BandedMatrix(CsrMatrix(2, 3)), Error);
}

}  // namespace slipstick::internal::banded_matrix_test
