// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/material_table.hpp"

#include <gtest/gtest.h>

namespace slipstick::internal::material_table_test {

TEST(MaterialTable, CombinesTwoMaterials) {
  Scene scene;
  scene.materials = {{.name = "wood", .friction = 0.4, .restitution = 0.1},
                     {.name = "ice", .friction = 0.1, .restitution = 0.3}};
  const auto both = [&] { return MaterialTable(scene).pair(scene, {0, 1}); };
  EXPECT_EQ(MaterialTable(scene).pair(scene, {0, 0}).friction, 0.4);
  EXPECT_DOUBLE_EQ(both().friction, 0.2);
  EXPECT_EQ(both().restitution, 0.3);
  scene.friction_rule = Combination::mean;
  EXPECT_DOUBLE_EQ(both().friction, 0.25);
  scene.friction_rule = Combination::smaller;
  EXPECT_EQ(both().friction, 0.1);
  scene.friction_rule = Combination::larger;
  EXPECT_EQ(both().friction, 0.4);
  scene.friction_rule = Combination::product;
  EXPECT_DOUBLE_EQ(both().friction, 0.04);
}

// The product of both coefficients would overflow.
TEST(MaterialTable, LargeCoefficients) {
  Scene scene;
  scene.materials = {{.name = "glue", .friction = 1e200}, {.name = "more glue", .friction = 1e250}};
  EXPECT_NEAR(MaterialTable(scene).pair(scene, {0, 1}).friction, 1e225, 1e211);
}

TEST(MaterialTable, PairsComeFirst) {
  Scene scene;
  scene.materials = {{.name = "wood", .friction = 0.4, .restitution = 0.1},
                     {.name = "ice", .friction = 0.1, .restitution = 0.3}};
  scene.pairs = {{.materials = {1, 0}, .friction = 0.05, .tangential_restitution = 0.7}};
  const MaterialTable table(scene);
  for (const std::array<int, 2>& order : {std::array{0, 1}, std::array{1, 0}}) {
    const SurfacePair pair = table.pair(scene, order);
    EXPECT_EQ(pair.friction, 0.05);
    EXPECT_EQ(pair.restitution, 0.3);
    EXPECT_EQ(pair.tangential_restitution, 0.7);
  }
  EXPECT_EQ(table.pair(scene, {1, 1}).friction, 0.1);
}

}  // namespace slipstick::internal::material_table_test
