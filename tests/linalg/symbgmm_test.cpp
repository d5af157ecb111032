// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/symbgmm.hpp"

#include <gtest/gtest.h>

#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/linalg/samples.hpp"
#include "tests/support/allocation_counter.hpp"

namespace slipstick::internal::symbgmm_test {

TEST(Symbgmm, TridiagonalByHand) {
  BandedMatrix a(3, 1);
  for (Index i = 0; i < 3; ++i) a.at(i, i) = 2.0;
  a.at(1, 0) = -1.0;
  a.at(2, 1) = -3.0;
  const DenseMatrix x = mat({{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}});
  DenseMatrix y(3, 4);
  Symbgmm().multiply(a, x, y);
  EXPECT_EQ(y, mat({{2, -1, 0, 1}, {-1, 2, -3, -2}, {0, -3, 2, -1}}));
}

TEST(Symbgmm, AgreesWithTheDenseProduct) {
  Random random(3);
  Symbgmm symbgmm;
  for (const Index n : {1, 2, 7, 47, 48, 49, 96, 150, 233}) {
    for (const Index bandwidth : {0, 1, 3, 11, 12, 13, 30, 47, 48, 49, 100, 140}) {
      const DenseMatrix dense = testing::random_banded(n, bandwidth, random);
      BandedMatrix a(n, bandwidth);
      for (Index j = 0; j < n; ++j) {
        // What lies past the last row must not be read.
        for (Index i = j; i <= j + bandwidth; ++i) {
          a.at(i, j) = i < n ? dense(i, j) : std::numeric_limits<double>::quiet_NaN();
        }
      }
      for (const Index columns : {0, 1, 2, 3, 4, 6, 33, 70}) {
        if (columns > 6 && n < 100) continue;
        const DenseMatrix x = random_matrix(n, columns, 5);
        DenseMatrix y = DenseMatrix::Constant(n, columns, std::numeric_limits<double>::quiet_NaN());
        symbgmm.multiply(a, x, y);
        ASSERT_LE((y - dense * x).norm(), 1e-13 * (1.0 + (dense * x).norm()))
            << n << " " << bandwidth << " " << columns;
      }
    }
  }
}

TEST(Symbgmm, ReadsAndWritesPartsOfLargerMatrices) {
  Random random(4);
  const Index n = 60;
  const DenseMatrix dense = testing::random_banded(n, 9, random);
  const BandedMatrix a(csr_from_dense(dense));
  const DenseMatrix x = random_matrix(n + 5, 9, 6);
  DenseMatrix y = DenseMatrix::Constant(n + 3, 8, 7.0);
  Symbgmm().multiply(a, x.block(2, 1, n, 5), y.block(1, 2, n, 5));
  EXPECT_LE((y.block(1, 2, n, 5) - dense * x.block(2, 1, n, 5)).norm(), 1e-12);
  EXPECT_EQ((y.array() == 7.0).count(), y.size() - n * 5);
}

TEST(Symbgmm, ASecondProductAllocatesNothing) {
  const BandedMatrix a(csr_from_dense(DenseMatrix::Identity(100, 100)));
  const DenseMatrix x = random_matrix(100, 40, 1);
  DenseMatrix y(100, 40);
  Symbgmm symbgmm;
  symbgmm.multiply(a, x, y);
  y.setZero();
  const std::size_t before = allocations();
  symbgmm.multiply(a, x, y);
  EXPECT_EQ(allocations(), before);
  EXPECT_EQ(x, y);
}

}  // namespace slipstick::internal::symbgmm_test
