// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/svg_dots.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/text_search.hpp"

namespace slipstick::internal::svg_dots_test {

TEST(SvgDots, MarksStandAtTheirValues) {
  SvgDots dots{.title = "T", .x_label = "ms", .log_x = true};
  dots.add("wall", "median", 1.0);
  dots.add("tower", "median", 100.0);
  dots.add("wall", "largest", 10.0);
  const std::string svg = dots.render();
  // The names are five letters at most: 7 pixels each and 24 beside them. The frame is 560 wide. A line is 26
  // high, and each of the two series has a lane of 7.
  EXPECT_TRUE(contains(svg, "translate(59.00 53.50)")) << svg;
  EXPECT_TRUE(contains(svg, "translate(619.00 79.50)")) << svg;
  EXPECT_TRUE(contains(svg, "translate(339.00 60.50)")) << svg;
  // Three marks, and one per series in the legend.
  EXPECT_EQ(count(svg, "mark\""), 5);
  EXPECT_TRUE(contains(svg, "<title>T</title>"));
}

TEST(SvgDots, ValuesThatCannotBeDrawnHaveNoMark) {
  SvgDots dots{.title = "T", .x_label = "x", .log_x = true};
  dots.add("a", "s", 0.0);
  dots.add("b", "s", NAN);
  dots.add("c", "s", INFINITY);
  dots.add("d", "s", -1.0);
  EXPECT_EQ(count(dots.render(), "mark\""), 1);  // of the legend
  EXPECT_FALSE(contains(dots.render(), "nan"));
  EXPECT_FALSE(SvgDots{}.render().empty());
}

TEST(SvgDots, TextIsEscaped) {
  SvgDots dots{.title = "<script>", .x_label = "a & b"};
  dots.add("<b>", "\"it's\"", 1.0);
  const std::string svg = dots.render();
  EXPECT_FALSE(contains(svg, "<script>"));
  EXPECT_FALSE(contains(svg, "<b>"));
  EXPECT_TRUE(contains(svg, "&quot;it&#39;s&quot;"));
  EXPECT_TRUE(contains(svg, "a &amp; b"));
}

}  // namespace slipstick::internal::svg_dots_test
