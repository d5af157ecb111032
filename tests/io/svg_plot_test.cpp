// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/svg_plot.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>
#include <vector>

#include "slipstick/matrix.hpp"
#include "tests/support/text_search.hpp"

namespace slipstick::internal::svg_plot_test {

// Every opening tag is closed in order, and no character reference is broken.
bool is_well_formed(const std::string& svg) {
  std::vector<std::string> open;
  for (std::size_t at = svg.find('<'); at != svg.npos; at = svg.find('<', at + 1)) {
    const std::size_t end = svg.find('>', at);
    if (end == svg.npos) return false;
    const std::string tag = svg.substr(at + 1, end - at - 1);
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
  }
  for (std::size_t at = svg.find('&'); at != svg.npos; at = svg.find('&', at + 1)) {
    const std::string reference = svg.substr(at, svg.find(';', at) - at);
    if (reference != "&amp" && reference != "&lt" && reference != "&gt" && reference != "&quot" &&
        reference != "&#39")
      return false;
  }
  return open.empty() && !contains(svg, "nan") && !contains(svg, "inf");
}

TEST(SvgPlot, LinePassesThroughItsPoints) {
  SvgPlot plot;
  plot.title = "T";
  plot.series = {{"a", {0, 6}, {0, 12}}};
  const std::string svg = plot.render();
  EXPECT_TRUE(is_well_formed(svg));
  // The plot area is 560 x 360 from (76, 44); both axes end at the last point.
  EXPECT_TRUE(contains(svg, "M76.00 404.00L636.00 44.00")) << svg;
}

TEST(SvgPlot, StaircaseHoldsItsValueUntilTheNextPoint) {
  SvgPlot plot;
  plot.series = {{"a", {0, 3, 6}, {0, 6, 12}, true}};
  EXPECT_TRUE(contains(plot.render(), "M76.00 404.00H356.00V224.00H636.00V44.00"));
}

TEST(SvgPlot, LogarithmicAxisHasDecadeTicks) {
  SvgPlot plot;
  plot.log_y = true;
  plot.series = {{"a", {0, 1, 2}, {1e-4, 1e-2, 1}}};
  const std::string svg = plot.render();
  for (const char* exponent : {">-4</tspan>", ">-3</tspan>", ">-2</tspan>", ">-1</tspan>", ">0</tspan>"})
    EXPECT_TRUE(contains(svg, exponent)) << exponent;
  // The middle decade lies in the middle.
  EXPECT_TRUE(contains(svg, "M76.00 404.00L356.00 224.00L636.00 44.00")) << svg;
}

TEST(SvgPlot, PointsThatCannotBeDrawnPartTheLine) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  SvgPlot plot;
  plot.series = {{"a", {0, 1, 2, 3, 4, 6}, {0, 1, nan, 3, 4, 6}}};
  plot.series[0].y[2] = 2.0;
  const int joined = count(plot.render(), "M");
  plot.series[0].y[2] = nan;
  EXPECT_EQ(count(plot.render(), "M"), joined + 1);

  SvgPlot log_plot;
  log_plot.log_y = true;
  log_plot.series = {{"a", {0, 1, 2}, {1.0, 0.0, -1.0}}};
  const std::string svg = log_plot.render();
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_EQ(count(svg, "<circle"), 1);  // a single point is left
}

TEST(SvgPlot, TextIsEscaped) {
  SvgPlot plot;
  plot.title = "a < b & c > \"d\"";
  plot.x_label = std::string("bad \xff byte\x01");
  plot.series = {{"\xce\xbc = <0.3>", {0, 1}, {0, 1}}};
  const std::string svg = plot.render();
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_TRUE(contains(svg, "a &lt; b &amp; c &gt; &quot;d&quot;"));
  EXPECT_TRUE(contains(svg, "bad ? byte?"));
  EXPECT_TRUE(contains(svg, "\xce\xbc = &lt;0.3&gt;"));
}

TEST(SvgPlot, TwentySeriesLookDifferent) {
  SvgPlot plot;
  for (int k = 0; k < 20; ++k) plot.series.push_back({fmt::format("s{}", k), {0, 1}, {0, double(k)}});
  const std::string svg = plot.render();
  EXPECT_TRUE(is_well_formed(svg));
  std::set<std::string> styles;
  // The samples of the legend are the paths of width 2.2; what stands around the width is their style.
  const std::string width = "stroke-width=\"2.2\"";
  for (std::size_t at = svg.find(width); at != svg.npos; at = svg.find(width, at + 1)) {
    const std::size_t begin = svg.rfind("stroke=", at);
    styles.insert(svg.substr(begin, svg.find('>', at) - begin));
  }
  EXPECT_EQ(styles.size(), 20u);
}

TEST(SvgPlot, DegenerateRangesAreDrawn) {
  for (const bool logarithmic : {false, true}) {
    for (const auto& values : std::vector<std::vector<double>>{{},
                                                               {1.0},
                                                               {0.0, 0.0},
                                                               {5.0, 5.0},
                                                               {1e15, 1e15 + 1},
                                                               {-1e308, 1e308},
                                                               {infinity, -infinity},
                                                               {5e-324, 1e299}}) {
      SvgPlot plot;
      plot.log_x = plot.log_y = logarithmic;
      plot.series = {{"a", values, values}};
      EXPECT_TRUE(is_well_formed(plot.render())) << logarithmic << ' ' << plot.render();
    }
  }
  EXPECT_TRUE(is_well_formed(SvgPlot{}.render()));
}

TEST(SvgPlot, AMillionPointsAreThinnedToWhatCanBeSeen) {
  SvgPlot plot;
  SvgPlot::Series series{.label = "a"};
  for (int k = 0; k < 1000000; ++k) {
    series.x.push_back(k);
    series.y.push_back(k == 500001 ? 7.0 : k % 2);
  }
  series.y[700000] = series.y[700001] = std::numeric_limits<double>::quiet_NaN();
  plot.series = {series};
  const std::string svg = plot.render();
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_LT(svg.size(), 100000u);
  EXPECT_TRUE(contains(svg, " 89.00L")) << "the peak at 7 of 8 is not drawn";
}

TEST(SvgPlot, GapsOfLongSeriesStay) {
  SvgPlot plot;
  SvgPlot::Series series{.label = "a"};
  for (int k = 0; k < 100000; ++k) {
    series.x.push_back(k);
    series.y.push_back(k > 40000 && k < 60000 ? std::numeric_limits<double>::quiet_NaN() : 1.0 + k);
  }
  plot.series = {series};
  const std::string svg = plot.render();
  const std::size_t path = svg.find("<path class=\"k0\"");
  EXPECT_EQ(count(svg.substr(path, svg.find("/>", path) - path), "M"), 2);
}

TEST(SvgPlot, HasATitleForReadersOfScreens) {
  SvgPlot plot;
  plot.title = "A & B";
  EXPECT_TRUE(contains(plot.render(), "role=\"img\""));
  EXPECT_TRUE(contains(plot.render(), "<title>A &amp; B</title>"));
}

}  // namespace slipstick::internal::svg_plot_test
