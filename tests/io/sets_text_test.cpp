// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/sets_text.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/error.hpp"
#include "tests/io/io_testing.hpp"

namespace slipstick::internal::sets_text_test {

TEST(SetsText, BlocksInWords) {
  const ProductSet K = parse_sets(
      "# a remark\nfree bilateral 2\n\nnonnegative normal 1\ninterval friction -inf 0.1\ninterval friction "
      "-1 2\n"
      "cone 0.3 3\ndiamond friction 0.7 2\ndisk plain 0.25 2\n",
      "a.sets", 12);
  ASSERT_EQ(K.blocks().size(), 6u);
  EXPECT_EQ(K.blocks()[0].role, Role::bilateral);
  EXPECT_EQ(K.blocks()[2].size, 2);  // rows of one kind and role are one block
  EXPECT_EQ(K.lower()[3], -infinity);
  EXPECT_EQ(K.upper()[4], 2.0);
  EXPECT_EQ(K.blocks()[3].parameter, 0.3);
  EXPECT_EQ(K.blocks()[5].kind, SetKind::disk);
  EXPECT_EQ(sets_text(parse_sets(sets_text(K), "a.sets", 12)), sets_text(K));
}

TEST(SetsText, OnlyPlainBoxesNeedNoText) {
  EXPECT_TRUE(is_plain_box(ProductSet::box(vec({0, -1}), vec({infinity, 1}))));
  EXPECT_TRUE(is_plain_box(ProductSet()));
  ProductSet with_role;
  with_role.append_free(1, Role::bilateral);
  EXPECT_FALSE(is_plain_box(with_role));
  EXPECT_FALSE(is_plain_box(ProductSet::cones(Vector::Constant(1, 0.5), 3)));
}

TEST(SetsText, WrongLinesAreRefused) {
  for (const char* text : {"free plain 3", "free plain 1", "free plain", "free 2", "ball plain 1 2",
                           "interval plain 1 0\nfree plain 1", "interval plain nan 1\nfree plain 1",
                           "interval plain inf inf\nfree plain 1", "cone -0.1 2", "cone 0.1 4",
                           "disk plain -1 2", "diamond plain 1 0\nfree plain 2", "free plain -1",
                           "free plain 2\ninterval plain 0 1", "free plain 99999999999"})
    EXPECT_THROW(parse_sets(text, "a.sets", 2), Error) << text;
}

}  // namespace slipstick::internal::sets_text_test
