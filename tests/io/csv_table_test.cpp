// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/csv_table.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/error.hpp"

namespace slipstick::internal::csv_table_test {

CsvTable table(const std::string& text) {
  return {text, "t.csv"};
}

std::string complaint(const std::string& text) {
  try {
    const CsvTable unused(text, "t.csv");
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(CsvTable, HasColumnsRowsAndComments) {
  const CsvTable t = table("# machine: a, b\n#plain\nname,value\nx,1\n\ny,2.5e-3\n# end\n");
  EXPECT_EQ(t.columns(), (std::vector<std::string>{"name", "value"}));
  EXPECT_EQ(t.comments(), (std::vector<std::string>{"machine: a, b", "plain", "end"}));
  ASSERT_EQ(t.rows(), 2u);
  EXPECT_EQ(t.cell(1, 0), "y");
  EXPECT_EQ(t.texts("name"), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(t.numbers("value"), (std::vector<double>{1.0, 2.5e-3}));
}

TEST(CsvTable, QuotedCellsHoldCommasQuotesAndLineEnds) {
  const CsvTable t = table("a,\"b,c\"\r\n\"1,5\",\"say \"\"no\"\"\"\r\n\"two\nlines\",\r\n,\"\"");
  EXPECT_EQ(t.columns(), (std::vector<std::string>{"a", "b,c"}));
  ASSERT_EQ(t.rows(), 3u);
  EXPECT_EQ(t.cell(0, 0), "1,5");
  EXPECT_EQ(t.cell(0, 1), "say \"no\"");
  EXPECT_EQ(t.cell(1, 0), "two\nlines");
  EXPECT_EQ(t.cell(1, 1), "");
  EXPECT_EQ(t.cell(2, 0), "");
}

TEST(CsvTable, WhatIsWrittenIsReadBack) {
  const std::vector<std::string> hard = {"plain", "a,b", "\"", "# no comment", "x\ny", "", "\xce\xbc"};
  std::string text = "cell,next\n";
  for (const std::string& cell : hard) text += csv_cell(cell) + ",1\n";
  const CsvTable t = table(text);
  EXPECT_EQ(t.texts("cell"), hard);
}

TEST(CsvTable, MovedTableKeepsItsCells) {
  CsvTable first = table("a\nx\n");  // short enough to lie inside the string object
  const CsvTable second = std::move(first);
  EXPECT_EQ(second.cell(0, 0), "x");
}

TEST(CsvTable, NanAndInfinityAreNumbersButNotFinite) {
  const CsvTable t = table("v\nnan\ninf\n-inf\n");
  EXPECT_TRUE(std::isnan(t.numbers("v")[0]));
  EXPECT_EQ(t.numbers("v")[2], -INFINITY);
  EXPECT_THROW(t.finite_numbers("v"), Error);
  EXPECT_NO_THROW(t.check_numbers(0));
}

TEST(CsvTable, CellsThatAreNoNumbersAreNamed) {
  for (const std::string cell : {"x", "1.5x", "1e999", "0x10", " 1"}) {
    const CsvTable t = table("name,v\na,1\nb," + cell + "\n");
    try {
      t.check_numbers(1);
      ADD_FAILURE() << cell;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()), "t.csv: line 3: '" + cell + "' in column 'v', expected a number");
    }
  }
  EXPECT_NO_THROW(table("v\n\"\"\n1\n").check_numbers(0));
  EXPECT_THROW(table("v\n\"\"\n1\n").numbers("v"), Error);
}

TEST(CsvTable, ComplaintsNamePathAndLine) {
  EXPECT_EQ(complaint(""), "t.csv: is empty, expected a table (CSV)");
  EXPECT_EQ(complaint("# only\n\n"), "t.csv: has no table, expected a line of column names");
  EXPECT_EQ(complaint("a,b\n1,2\n1,2,3\n"), "t.csv: line 3: 3 cells, expected 2 as in the header");
  EXPECT_EQ(complaint("a,b\n\n\"x\ny\",1\n1\n"), "t.csv: line 5: 1 cells, expected 2 as in the header");
  EXPECT_EQ(complaint("a,b\n1,\"2\n"), "t.csv: line 2: a quotation mark is not closed");
  EXPECT_EQ(complaint("a,b\n1,\"2\"3\n"),
            "t.csv: line 2: text after a closing quotation mark, expected a comma");
  EXPECT_EQ(complaint("a,b\n1,2\"3\n"), "t.csv: line 2: a quotation mark inside a cell without them");
  EXPECT_EQ(complaint("a\n\xff\n"), "t.csv: is not UTF-8 text, expected a table (CSV)");
  EXPECT_EQ(complaint(std::string("\x89PNG\r\n\x1a\n")), "t.csv: is not UTF-8 text, expected a table (CSV)");
}

TEST(CsvTable, HugeCellsAreRefused) {
  const std::string longest(CsvTable::longest_cell, 'x');
  EXPECT_EQ(complaint("a\n" + longest + "\n"), "none");
  for (const std::string& text :
       {"a\n" + longest + "x\n", "a\n\"" + longest + "x\"\n", "#" + longest + "x\n"})
    EXPECT_NE(complaint(text).find("a cell of 65537 bytes, expected at most 65536"), std::string::npos)
        << complaint(text);
}

TEST(CsvTable, ByteOrderMarkIsNoPartOfTheFirstColumn) {
  EXPECT_EQ(table("\xEF\xBB\xBFv\n1\n").columns().front(), "v");
}

TEST(CsvTable, TableWithoutRowsIsOne) {
  const CsvTable t = table("a,b");
  EXPECT_EQ(t.rows(), 0u);
  EXPECT_TRUE(t.numbers("b").empty());
}

}  // namespace slipstick::internal::csv_table_test
