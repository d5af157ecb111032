// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/sparsity_pattern.hpp"

#include <gtest/gtest.h>

#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::sparsity_pattern_test {

TEST(SparsityPattern, MatchesPlacesAndNotValues) {
  const CsrMatrix a = csr_from_dense(mat({{1, 2}, {0, 3}}));
  SparsityPattern pattern;
  EXPECT_FALSE(pattern.matches(a));
  EXPECT_FALSE(pattern.matches(CsrMatrix(0, 0)));
  pattern.set(a);
  EXPECT_TRUE(pattern.matches(a));
  EXPECT_TRUE(pattern.matches(csr_from_dense(mat({{4, 5}, {0, 6}}))));
  EXPECT_FALSE(pattern.matches(csr_from_dense(mat({{1, 0}, {2, 3}}))));
  EXPECT_FALSE(pattern.matches(csr_from_dense(mat({{1, 2}, {0, 0}}))));
  EXPECT_FALSE(pattern.matches(csr_from_dense(mat({{1, 2, 0}, {0, 3, 0}, {0, 0, 1}}))));
  EXPECT_EQ(pattern.start().size(), 3U);
  EXPECT_EQ(pattern.columns()[2], 1);
  pattern.clear();
  EXPECT_FALSE(pattern.matches(a));
}

}  // namespace slipstick::internal::sparsity_pattern_test
