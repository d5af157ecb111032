// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "slipstick/io/csv_table.hpp"
#include "slipstick/io/report/table_kinds.hpp"

namespace slipstick::internal::report {

/// What a report says of one table.
struct ReportPart {
  ReportPart(CsvTable own_table, std::string own_name);

  CsvTable table;
  std::string name;  ///< of the file, as shown
  const TableKind* kind;
  Figures figures;
  Summaries summaries;
};

/// Rows of a table that the page shows. Of longer tables it shows every second row, or every third, and so
/// on.
inline constexpr std::size_t most_rows_shown = 5000;

/// One HTML page without scripts and requests. The same tables give the same bytes.
std::string report_page(const std::vector<ReportPart>& parts, std::string_view title);

}  // namespace slipstick::internal::report
