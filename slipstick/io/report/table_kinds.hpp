// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "slipstick/io/csv_table.hpp"
#include "slipstick/io/report/figures.hpp"

namespace slipstick::internal::report {

/// A table that is computed from another.
struct Summary {
  std::string caption;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};
using Summaries = std::vector<Summary>;

/// A kind of table that the program or a study writes.
struct TableKind {
  std::string_view name;     ///< one word, for JSON
  std::string_view title;    ///< of its part of a report
  std::string_view summary;  ///< what a row is, in a sentence
  std::string header;        ///< the columns
  std::string_view texts;    ///< those that are no numbers
  Figures (*draw)(const CsvTable&) = nullptr;
  Summaries (*summarize)(const CsvTable&) = nullptr;
  bool subset = false;  ///< the first column, and any of the others
};

/// THE table of kinds.
const std::vector<TableKind>& table_kinds();
/// Fails if the columns are of no kind, and names those of the nearest one; also if there is no number where
/// one is expected.
const TableKind& kind_of(const CsvTable& table);
/// Fails if there is no row.
void check_rows(const CsvTable& table);

/// None of a table without rows.
Figures figures_of(const TableKind& kind, const CsvTable& table);
Summaries summaries_of(const TableKind& kind, const CsvTable& table);

/// How every solver did, per class and tolerance.
Summaries contest_summaries(const CsvTable& table);
Summaries comparison_summaries(const CsvTable& table);
/// How many games every method solves, and in what time.
Summaries games_summaries(const CsvTable& table);
/// How many solves exceeded each time limit.
Summaries limit_summaries(const CsvTable& table);

}  // namespace slipstick::internal::report
