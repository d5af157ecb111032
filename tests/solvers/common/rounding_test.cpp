// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/common/rounding.hpp"

#include <gtest/gtest.h>

#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::rounding_test {

constexpr double unit = 100.0 * std::numeric_limits<double>::epsilon();

// ||b|| = 5 and d = (2, 4).
TEST(Rounding, IsRelativeToTheLoadAndTheProduct) {
  const Problem problem{csr_from_dense(mat({{2, 0}, {0, 4}})), vec({3, -4}), ProductSet::nonnegative(2)};
  Ruler ruler;
  ruler.prepare(problem);
  EXPECT_TRUE(is_rounding(ruler, vec({0, 0}), 0.0));
  EXPECT_TRUE(is_rounding(ruler, vec({0, 0}), 0.99 * unit));
  EXPECT_FALSE(is_rounding(ruler, vec({0, 0}), 1.01 * unit));
  // ||(6, 8)|| = 10 makes three times as much of it, whatever the sign.
  EXPECT_TRUE(is_rounding(ruler, vec({3, -2}), 2.99 * unit));
  EXPECT_FALSE(is_rounding(ruler, vec({3, -2}), 3.01 * unit));
  EXPECT_FALSE(is_rounding(ruler, vec({3, -2}), std::numeric_limits<double>::quiet_NaN()));
}

TEST(Rounding, DoesNotDependOnUnits) {
  for (const double scale : {1e-8, 1e8}) {
    const Problem problem{csr_from_dense(mat({{2}})), vec({scale}), ProductSet::free(1)};
    Ruler ruler;
    ruler.prepare(problem);
    EXPECT_TRUE(is_rounding(ruler, vec({-0.5 * scale}), 1.99 * unit));
    EXPECT_FALSE(is_rounding(ruler, vec({-0.5 * scale}), 2.01 * unit));
  }
}

}  // namespace slipstick::internal::rounding_test
