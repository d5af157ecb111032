// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/report/table_kinds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "slipstick/error.hpp"
#include "slipstick/io/report/table_headers.hpp"

namespace slipstick::internal::report::table_kinds_test {

// A row of the kind: a word where a text is expected, else the number.
std::string row_of(const TableKind& kind, const std::string& number) {
  const std::vector<std::string> texts = split_header(kind.texts);
  std::string row;
  for (const std::string& column : split_header(kind.header)) {
    const bool is_text = std::find(texts.begin(), texts.end(), column) != texts.end();
    row += (row.empty() ? "" : ",") + (is_text ? "word" : number);
  }
  return row + "\n";
}

std::string complaint(const std::string& text) {
  try {
    kind_of(CsvTable(text, "t.csv"));
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(TableKinds, NamesAndHeadersAreUnique) {
  std::set<std::string> names, headers;
  for (const TableKind& kind : table_kinds()) {
    EXPECT_TRUE(names.insert(std::string(kind.name)).second) << kind.name;
    EXPECT_TRUE(headers.insert(kind.header).second) << kind.header;
    const std::vector<std::string> columns = split_header(kind.header);
    if (kind.texts.empty()) continue;
    for (const std::string& text : split_header(kind.texts))
      EXPECT_NE(std::find(columns.begin(), columns.end(), text), columns.end()) << kind.name << ": " << text;
  }
}

TEST(TableKinds, EveryKindIsKnownByItsHeaderAndDrawsItsRows) {
  for (const TableKind& kind : table_kinds()) {
    const CsvTable table(kind.header + "\n" + row_of(kind, "1") + row_of(kind, "2"), "t.csv");
    EXPECT_EQ(&kind_of(table), &kind);
    EXPECT_EQ(kind.draw == nullptr, figures_of(kind, table).empty() && kind.name != "melanz") << kind.name;
    for (const Figure& figure : figures_of(kind, table)) {
      EXPECT_TRUE(figure.svg.starts_with("<svg")) << kind.name;
      EXPECT_FALSE(figure.caption.empty());
    }
  }
}

// What cannot be drawn is left out, or the cell is named. Nothing crashes.
TEST(TableKinds, NumbersThatAreNotFiniteAreLeftOutOrNamed) {
  for (const TableKind& kind : table_kinds()) {
    for (const char* number : {"nan", "inf", "-inf", "0", "-1", "1e300", "1e-320"}) {
      const CsvTable table(kind.header + "\n" + row_of(kind, number) + row_of(kind, number), "t.csv");
      try {
        for (const Figure& figure : figures_of(kind_of(table), table))
          for (const char* place : {"\"nan", "Mnan", "Lnan", "Hnan", "(nan", "\"inf", "Minf", "Linf", "(inf"})
            EXPECT_EQ(figure.svg.find(place), std::string::npos) << kind.name << " of " << number;
        summaries_of(kind, table);
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("expected a finite number"), std::string::npos)
            << kind.name << ": " << error.what();
      }
    }
  }
}

TEST(TableKinds, TablesWithoutRowsHaveNoFigures) {
  for (const TableKind& kind : table_kinds()) {
    const CsvTable table(kind.header + "\n", "t.csv");
    EXPECT_TRUE(figures_of(kind_of(table), table).empty());
    EXPECT_TRUE(summaries_of(kind, table).empty());
    EXPECT_THROW(check_rows(table), Error);
  }
}

TEST(TableKinds, UnknownColumnsNameTheNearestKind) {
  const std::string message = complaint("iteration,seconds,errors\n1,2,3\n");
  EXPECT_EQ(
      message,
      "t.csv: unknown columns 'iteration,seconds,errors'; the nearest known table is 'history', expected "
      "its columns iteration,seconds,error,active");
  EXPECT_NE(complaint(std::string(contest_header) + ",more\n").find(contest_header), std::string::npos);
  EXPECT_NE(complaint("a,b\n1,2\n").find("expected its columns"), std::string::npos);
  EXPECT_LT(complaint(std::string(5000, 'x') + "\n1\n").size(), 1000u);
}

TEST(TableKinds, WordsInPlaceOfNumbersAreNamed) {
  EXPECT_EQ(complaint("iteration,seconds,error,active\n1,2,small,4\n"),
            "t.csv: line 2: 'small' in column 'error', expected a number");
}

TEST(TableKinds, SolutionsHaveAnyOfTheirColumns) {
  EXPECT_EQ(kind_of(CsvTable("row,x,w\n0,1,2\n1,,3\n", "x.csv")).name, "solution");
  EXPECT_EQ(kind_of(CsvTable("row,u,r\n0,1,2\n", "x.csv")).name, "solution");
  EXPECT_NE(complaint("row,x,y\n0,1,2\n"), "none");
}

// The recorded tables of this tree.
TEST(TableKinds, RecordedTablesAreKnown) {
  const std::filesystem::path results = std::filesystem::path(SLIPSTICK_SOURCE_DIR) / "bench" / "results";
  int tables = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(results)) {
    if (entry.path().extension() != ".csv") continue;
    const CsvTable table = CsvTable::read(entry.path());
    const TableKind& kind = kind_of(table);
    EXPECT_EQ(figures_of(kind, table).empty(), kind.draw == nullptr) << entry.path();
    ++tables;
  }
  EXPECT_GT(tables, 20);
}

}  // namespace slipstick::internal::report::table_kinds_test
