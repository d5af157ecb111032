// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/norm.hpp"

#include <gtest/gtest.h>

#include "tests/support/dense.hpp"

namespace slipstick::internal::norm_test {

TEST(SafeNorm, OfAnySize) {
  for (const double size : {1.0, 1e-160, 1e160, 1e-300, 1e300})
    EXPECT_NEAR(safe_norm(size * vec({3, -4})) / size, 5.0, 1e-12) << size;
  EXPECT_EQ(safe_norm(vec({0, 0})), 0.0);
  EXPECT_EQ(safe_norm(Vector()), 0.0);
}

}  // namespace slipstick::internal::norm_test
