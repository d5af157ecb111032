// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/banded/general_band.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/linsolve/band_testing.hpp"

namespace slipstick::internal::general_band_test {

using testing::random_band;

TEST(GeneralBand, HoldsItsEntries) {
  GeneralBand a(4, 1);
  a.at(0, 1) = 2.0;
  a.at(1, 0) = 3.0;
  a.at(3, 3) = 5.0;
  EXPECT_EQ(a.rows(), 4);
  EXPECT_EQ(a.half_bandwidth(), 1);
  EXPECT_EQ(a.entry(0, 1), 2.0);
  EXPECT_EQ(a.entry(1, 0), 3.0);
  EXPECT_EQ(a.entry(0, 3), 0.0);
  // LAPACK's layout: column 1 is a_01, a_11, a_21.
  EXPECT_EQ(a.columns()(0, 1), 2.0);
  EXPECT_EQ(a.columns()(2, 0), 3.0);
  DenseMatrix expected = DenseMatrix::Zero(4, 4);
  expected(0, 1) = 2.0;
  expected(1, 0) = 3.0;
  expected(3, 3) = 5.0;
  EXPECT_EQ(a.to_dense(), expected);
}

TEST(GeneralBand, FromSparse) {
  const std::vector<Triplet> triplets = {{0, 2, 1.5}, {1, 1, 2.0}, {4, 3, -1.0}};
  const CsrMatrix sparse = csr_from_triplets(5, 5, triplets);
  EXPECT_EQ(half_bandwidth(sparse), 2);
  const GeneralBand a(sparse);
  EXPECT_EQ(a.half_bandwidth(), 2);
  EXPECT_EQ(a.to_dense(), DenseMatrix(sparse));
  EXPECT_THROW(GeneralBand(CsrMatrix(2, 3)), Error);
  EXPECT_THROW(GeneralBand(-1, 2), Error);
  EXPECT_EQ(GeneralBand(CsrMatrix(0, 0)).rows(), 0);
}

TEST(GeneralBand, ProductForAnyNumberOfThreads) {
  for (const Index n : {1, 2, 7, 40}) {
    for (const Index k : {0, 1, 5, 45}) {
      const GeneralBand a = random_band(n, k, 0.0, 3);
      const Vector x = Vector::LinSpaced(n, -1.0, 2.0);
      const Vector expected = a.to_dense() * x;
      for (const int threads : {1, 2, 3}) {
        Vector y = Vector::Constant(n, std::nan(""));
        a.multiply(x, y, threads);
        EXPECT_LT((y - expected).norm(), 1e-13 * (1.0 + expected.norm()));
      }
    }
  }
}

}  // namespace slipstick::internal::general_band_test
