// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "slipstick/base/error.hpp"
#include "slipstick/problems/sets.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::product_set_test {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(ProductSet, BoxesNameTheirRows) {
  const ProductSet K = ProductSet::box(vec({0, -inf, -1, 0}), vec({inf, inf, 2, inf}));
  ASSERT_EQ(K.blocks().size(), 4u);
  EXPECT_EQ(K.blocks()[0].kind, SetKind::nonnegative);
  EXPECT_EQ(K.blocks()[1].kind, SetKind::free);
  EXPECT_EQ(K.blocks()[2].kind, SetKind::interval);
  EXPECT_EQ(K.blocks()[3].start, 3);
  EXPECT_TRUE(K.is_box());
  EXPECT_FALSE(K.is_nonnegative_orthant());
  EXPECT_EQ(K.lower()[2], -1.0);
  EXPECT_EQ(K.upper()[2], 2.0);
  EXPECT_THROW(ProductSet::box(vec({0, 1}), vec({1, 0})), Error);
  EXPECT_THROW(ProductSet::box(vec({0, nan}), vec({1, 0})), Error);
  EXPECT_THROW(ProductSet::box(vec({0, 1}), vec({1, 2, 3})), Error);
}

TEST(ProductSet, EqualNeighboursMergeUnlessTheirRolesDiffer) {
  ProductSet K;
  K.append_nonnegative(2);
  K.append_nonnegative(3);
  K.append_nonnegative(1, Role::normal);
  K.append_free(0);
  ASSERT_EQ(K.blocks().size(), 2u);
  EXPECT_EQ(K.blocks()[0].size, 5);
  EXPECT_EQ(K.blocks()[1].role, Role::normal);
  EXPECT_EQ(K.rows(), 6);
  EXPECT_TRUE(K.is_nonnegative_orthant());
}

TEST(ProductSet, ConesStayApart) {
  const ProductSet K = ProductSet::cones(vec({0.1, 0.2, 0.2}), 3);
  ASSERT_EQ(K.blocks().size(), 3u);
  EXPECT_EQ(K.blocks()[2].start, 6);
  EXPECT_EQ(K.blocks()[1].parameter, 0.2);
  EXPECT_FALSE(K.is_box());
  EXPECT_EQ(K.lower()[0], -inf);
  EXPECT_THROW(ProductSet::cones(vec({0.1, 0.2, 0.2}), 4), Error);
}

TEST(ProductSet, ProjectsBlockByBlock) {
  ProductSet K;
  K.append_nonnegative(2);
  K.append_cone(1.0, 3);
  K.append_free(1);
  K.append_disk(1.0, 2);
  K.append_interval(-1.0, 1.0);
  K.append_diamond(1.0, 2);
  Vector x = vec({-1, 2, 0, 3, 4, -7, 0, 5, -3, 1, -1});
  const Vector expected = vec({0, 2, 2.5, 1.5, 2, -7, 0, 1, -1, 0.5, -0.5});
  K.project(x);
  EXPECT_LE((x - expected).norm(), 1e-15);
  const ProductSet box = ProductSet::box(vec({-1, 0}), vec({1, inf}));
  Vector y = vec({-3, -2});
  box.project(y);
  EXPECT_EQ(y, vec({-1, 0}));
}

TEST(ProductSet, RestrictsToWholeBlocks) {
  ProductSet K;
  K.append_interval(-1.0, 2.0);
  K.append_nonnegative(3);
  K.append_cone(0.3, 3);
  K.append_free(2, Role::bilateral);
  const std::vector<int> rows = {0, 2, 4, 5, 6, 8};
  ProductSet part = ProductSet::free(3);
  K.restrict_to(rows, part);
  ASSERT_EQ(part.rows(), 6);
  ASSERT_EQ(part.blocks().size(), 4u);
  EXPECT_EQ(part.upper()[0], 2.0);
  EXPECT_EQ(part.blocks()[2].kind, SetKind::cone);
  EXPECT_EQ(part.blocks()[2].parameter, 0.3);
  EXPECT_EQ(part.blocks()[2].start, 2);
  EXPECT_EQ(part.blocks()[3].role, Role::bilateral);
  const std::vector<int> parted = {4, 5};
  EXPECT_THROW(K.restrict_to(parted, part), Error);
}

}  // namespace slipstick::internal::product_set_test
