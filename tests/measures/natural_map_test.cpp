// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/measures/natural_map.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/random.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::detail::natural_map_test {

TEST(NaturalMap, Ratio) {
  EXPECT_EQ(ratio(0.0, 0.0), 0.0);
  EXPECT_EQ(ratio(1.0, 0.0), infinity);
  EXPECT_EQ(ratio(1.0, 4.0), 0.25);
}

TEST(NaturalMap, RowsAsTheDefinitionSays) {
  Random random(1);
  for (int trial = 0; trial < 1000; ++trial) {
    const double lower = random.uniform() < 0.3 ? -infinity : random.uniform(-1.0, 0.0);
    const double upper = random.uniform() < 0.3 ? infinity : random.uniform(0.0, 1.0);
    const double x = random.uniform(-2.0, 2.0);
    const double w = random.uniform(-3.0, 3.0);
    const double d = random.uniform(0.1, 5.0);
    const double defined = d * (x - clamp(x - w / d, lower, upper));
    EXPECT_NEAR(row_error(x, w, d, lower, upper), defined, 1e-14);
  }
}

TEST(NaturalMap, BlocksAsTheDefinitionSays) {
  Random random(2);
  for (const SetKind kind : {SetKind::cone, SetKind::disk, SetKind::diamond}) {
    for (int trial = 0; trial < 300; ++trial) {
      ProductSet K;
      const double parameter = random.uniform(0.0, 1.5);
      if (kind == SetKind::cone) K.append_cone(parameter, 3);
      if (kind == SetKind::disk) K.append_disk(parameter, 3);
      if (kind == SetKind::diamond) K.append_diamond(parameter, 3);
      const Vector x = Vector::NullaryExpr(3, [&] { return random.normal(); });
      const Vector w = Vector::NullaryExpr(3, [&] { return random.normal(); });
      const double d = random.uniform(0.1, 5.0);
      Vector projected = x - w / d, error(3);
      K.project(projected);
      block_error(K, K.blocks()[0], x, w, d, error);
      EXPECT_NEAR((error - d * (x - projected)).norm(), 0.0, 1e-14) << name(kind);
    }
  }
}

TEST(NaturalMap, NeitherHugeNorTinyPointsAreRoundedAway) {
  ProductSet K;
  K.append_cone(0.5, 3);
  Vector error(3);
  // Inside, however far: the error is w, to the bit.
  block_error(K, K.blocks()[0], 1e20 * vec({1, 0.1, 0}), vec({0.1, 0.2, 0.3}), 3.0, error);
  EXPECT_EQ(error, vec({0.1, 0.2, 0.3}));
  // Projected to zero: the error is d x, to the bit.
  block_error(K, K.blocks()[0], vec({1e-20, 0, 0}), vec({1, 0.1, 0.2}), 3.0, error);
  EXPECT_EQ(error, 3.0 * vec({1e-20, 0, 0}));
}

TEST(NaturalMap, WorstFirst) {
  std::vector<WorstRow> rows = {{0, 1.0}, {1, 3.0}, {2, infinity}, {3, 3.0}, {4, 0.0}};
  keep_worst(rows, 4);
  ASSERT_EQ(rows.size(), 4u);
  const Index expected[] = {2, 1, 3, 0};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(rows[i].index, expected[i]);
  keep_worst(rows, 100);
  EXPECT_EQ(rows.size(), 4u);
  keep_worst(rows, -3);
  EXPECT_TRUE(rows.empty());
}

}  // namespace slipstick::internal::detail::natural_map_test
