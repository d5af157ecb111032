// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/subtract_product.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <type_traits>

#include "slipstick/base/random.hpp"

namespace slipstick::internal::subtract_product_test {

// Every remainder of the tiles; what lies around the blocks is NaN and must not be touched.
template <class Scalar>
void check_all_sizes() {
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  Random random(1);
  const auto filled = [&](Index rows, Index columns) {
    Matrix m = Matrix::Constant(rows + 2, columns, std::numeric_limits<Scalar>::quiet_NaN());
    m.middleRows(1, rows) = Matrix::NullaryExpr(rows, columns, [&] { return Scalar(random.normal()); });
    return m;
  };
  for (Index rows = 0; rows < 60; ++rows) {
    for (const Index columns : {0, 1, 3, 4, 6, 9, 13, 14}) {
      for (const Index depth : {0, 1, 4, 7, 11}) {
        const Matrix a = filled(rows, depth);
        const Matrix b = filled(depth, columns);
        Matrix c = filled(rows, columns);
        const Matrix before = c;
        if (c.size() == 0) continue;
        subtract_product<Scalar>(rows, columns, depth, {a.data() + 1, rows + 2}, {b.data() + 1, depth + 2},
                                 {c.data() + 1, rows + 2});
        const Matrix expected = before.middleRows(1, rows) - a.middleRows(1, rows) * b.middleRows(1, depth);
        ASSERT_LE((c.middleRows(1, rows) - expected).norm(),
                  100 * std::numeric_limits<Scalar>::epsilon() * (1 + expected.norm()));
        ASSERT_TRUE(c.row(0).array().isNaN().all() && c.row(rows + 1).array().isNaN().all());
        if constexpr (std::is_same_v<Scalar, double>) {
          const Matrix transposed = b.transpose();
          Matrix again = before;
          subtract_product(rows, columns, depth, {a.data() + 1, rows + 2},
                           TransposedBlock<const double>{transposed.data() + columns, columns},
                           {again.data() + 1, rows + 2});
          ASSERT_TRUE((again.middleRows(1, rows).array() == c.middleRows(1, rows).array()).all());
        }
      }
    }
  }
}

TEST(SubtractProduct, AllSizesInDouble) {
  check_all_sizes<double>();
}

TEST(SubtractProduct, AllSizesInFloat) {
  check_all_sizes<float>();
}

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
// Whatever the length of the processor's registers: every entry is one chain of fused operations.
TEST(SubtractProduct, SameBitsAsOneEntryAtATime) {
  Random random(2);
  const auto matrix = [&](Index rows, Index columns) {
    return DenseMatrix::NullaryExpr(rows, columns, [&] { return random.normal(); }).eval();
  };
  for (const Index rows : {1, 5, 24, 31, 100}) {
    for (const Index columns : {1, 4, 8, 15}) {
      for (const Index depth : {1, 8, 50}) {
        const DenseMatrix a = matrix(rows, depth), b = matrix(depth, columns), before = matrix(rows, columns);
        DenseMatrix c = before;
        subtract_product<double>(rows, columns, depth, {a.data(), rows}, {b.data(), depth}, {c.data(), rows});
        for (Index i = 0; i < rows; ++i) {
          for (Index j = 0; j < columns; ++j) {
            double sum = 0.0;
            for (Index p = 0; p < depth; ++p) sum = std::fma(a(i, p), b(p, j), sum);
            ASSERT_EQ(c(i, j), before(i, j) - sum) << rows << " x " << columns << ", depth " << depth;
          }
        }
      }
    }
  }
}
#endif

}  // namespace slipstick::internal::subtract_product_test
