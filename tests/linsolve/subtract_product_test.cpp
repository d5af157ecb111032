// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/subtract_product.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "slipstick/base/random.hpp"

namespace slipstick {
namespace {

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
    for (const Index columns : {0, 1, 3, 4, 6, 9}) {
      for (const Index depth : {0, 1, 4, 7}) {
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

}  // namespace
}  // namespace slipstick
