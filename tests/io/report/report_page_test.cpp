// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/report/report_page.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "slipstick/io/report/page_style.hpp"
#include "slipstick/io/report/table_headers.hpp"
#include "slipstick/io/svg_axis.hpp"
#include "tests/support/text_search.hpp"

namespace slipstick::internal::report::report_page_test {

std::string page_of(const std::string& text, const std::string& name = "t.csv") {
  std::vector<ReportPart> parts;
  parts.emplace_back(CsvTable(text, name), name);
  return report_page(parts, "Report");
}

std::string history(int rows) {
  std::string text = std::string(history_header) + "\n";
  for (int k = 0; k < rows; ++k) text += fmt::format("{},{},{},-1\n", k, 0.1 * k, std::pow(0.99, k));
  return text;
}

TEST(ReportPage, HasProvenanceFiguresAndTheWholeTable) {
  const std::string page = page_of("# machine: a < b\n# best of 3\n" + history(3));
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(contains(page, "<title>Report</title>"));
  EXPECT_TRUE(contains(page, "<dt>machine</dt><dd>a &lt; b</dd>"));
  EXPECT_TRUE(contains(page, "<p class=\"note\">best of 3</p>"));
  EXPECT_EQ(count(page, "<figure>"), 2);
  EXPECT_EQ(count(page, "<caption>"), 1);
  EXPECT_EQ(count(page, "<tr>"), 4);
  EXPECT_EQ(count(page, "<th scope=\"col\">"), 4);
  EXPECT_FALSE(contains(page, "<details"));
}

TEST(ReportPage, HasNoScriptsAndNoRequests) {
  const std::string page = page_of(history(3));
  for (const char* part : {"<script", "<link", "<img", "<iframe", "src=", "url(", "@import", "javascript:"})
    EXPECT_FALSE(contains(page, part)) << part;
  // The name of the language of charts is the only address.
  std::string rest = page;
  for (const std::string name = "xmlns=\"http://www.w3.org/2000/svg\""; contains(rest, name);)
    rest.erase(rest.find(name), name.size());
  EXPECT_FALSE(contains(rest, "http:"));
  EXPECT_FALSE(contains(rest, "https:"));
  EXPECT_TRUE(contains(page, "default-src 'none'"));
}

TEST(ReportPage, TextIsShownNotExecuted) {
  const std::string evil = "<script>alert(1)</script>";
  const std::string page = page_of("# " + evil + "\n# key: " + evil + "\n" + comparison_header + "\n\"" +
                                       evil + "\",lcp,1,1," + evil + ",1e-8,solved,true,1,1,1," + evil + "\n",
                                   evil + ".csv");
  EXPECT_FALSE(contains(page, "<script"));
  EXPECT_GE(count(page, "&lt;script&gt;alert(1)&lt;/script&gt;"), 6);
}

TEST(ReportPage, LongTablesAreFoldedAndVeryLongOnesThinned) {
  EXPECT_TRUE(contains(page_of(history(100)), "<details>\n<summary>The table: 100 rows</summary>"));
  EXPECT_EQ(count(page_of(history(5000)), "<tr>"), 5001);
  const std::string page = page_of(history(12000));
  EXPECT_TRUE(contains(page, "One row in 3 of t.csv, the last one included; the file has all 12,000 rows"));
  EXPECT_EQ(count(page, "<tr>"), 1 + 4000 + 1);
  EXPECT_TRUE(contains(page, "<td>11999</td>"));
}

TEST(ReportPage, SeveralTablesHaveLinks) {
  std::vector<ReportPart> parts;
  parts.emplace_back(CsvTable(history(2), "a.csv"), "a.csv");
  parts.emplace_back(CsvTable(history(2), "b.csv"), "b.csv");
  const std::string page = report_page(parts, "Both");
  EXPECT_TRUE(contains(page, "<a href=\"#part-2\">Convergence of a solve</a> (b.csv)"));
  EXPECT_TRUE(contains(page, "<section id=\"part-2\" aria-labelledby=\"title-2\">"));
  EXPECT_EQ(report_page(parts, "Both"), page);
  // Both histories in one figure, and two figures of each.
  EXPECT_EQ(count(page, "<figure>"), 5);
  EXPECT_TRUE(contains(page, "Convergence of all histories"));
  EXPECT_TRUE(contains(page, ">b.csv</text>"));
}

TEST(ReportPage, SummariesCountWhoSolvedWhat) {
  const std::string page = page_of(std::string(comparison_header) +
                                   "\na,lcp,2,4,quick,1e-08,solved,true,3,1,1e-9,\n"
                                   "a,lcp,2,4,slow,1e-08,solved,true,9,4,1e-9,\n"
                                   "b,lcp,2,4,quick,1e-08,time_limit,false,9,10,1,\n"
                                   "b,lcp,2,4,slow,1e-08,solved,true,9,2,1e-9,\n");
  EXPECT_TRUE(contains(page, "<caption>Standing of the methods on 2 problems, tolerance 1e-08</caption>"));
  EXPECT_TRUE(contains(page,
                       "<tr><td class=\"t\">slow</td><td>2</td><td>2</td><td>1</td><td>1</td></tr>\n"
                       "<tr><td class=\"t\">quick</td><td>2</td><td>1</td><td>1</td><td>1</td></tr>\n"))
      << page;
}

// Relative luminance and contrast of WCAG 2.
double luminance(const std::string& colour) {
  double sum = 0.0;
  const double weights[] = {0.2126, 0.7152, 0.0722};
  for (std::size_t k = 0; k < 3; ++k) {
    const double part = std::stoi(colour.substr(1 + 2 * k, 2), nullptr, 16) / 255.0;
    sum += weights[k] * (part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4));
  }
  return sum;
}

double contrast(const std::string& a, const std::string& b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

TEST(ReportPage, ContrastSufficesInLightAndDark) {
  const std::string style(page_style);
  const std::size_t dark = style.find("@media (prefers-color-scheme: dark)");
  const auto value = [&](const std::string& name, std::size_t from) {
    const std::size_t at = style.find(name + ": ", from);
    return style.substr(at + name.size() + 2, 7);
  };
  for (const std::size_t from : {std::size_t{0}, dark}) {
    for (const char* text : {"--ink", "--faint", "--link"})
      EXPECT_GE(contrast(value(text, from), value("--paper", from)), 4.5) << text;
    EXPECT_GE(contrast(value("--ink", from), value("--head", from)), 4.5);
  }
  for (std::size_t k = 0; k < svg_colours; ++k) {
    EXPECT_GE(contrast(std::string(svg_colour(k)), "#ffffff"), 3.0) << k;
    const std::size_t at = style.find(fmt::format("svg .k{} {{ stroke: ", k), dark);
    ASSERT_NE(at, style.npos);
    EXPECT_GE(contrast(style.substr(style.find('#', at), 7), value("--paper", dark)), 3.0) << k;
  }
}

}  // namespace slipstick::internal::report::report_page_test
