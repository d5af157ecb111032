// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/report/study_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "slipstick/io/report/table_kinds.hpp"

namespace slipstick::internal {
namespace {

// What a comment of the head of a table says, for example its source.
std::string head_entry(const CsvTable& table, std::string_view key) {
  const std::string start = fmt::format("{}: ", key);
  for (const std::string& comment : table.comments())
    if (comment.starts_with(start)) return comment.substr(start.size());
  return "unknown";
}

std::string render(const report::Summary& summary) {
  std::string text = fmt::format("{}:\n\n", summary.caption);
  append_markdown_row(text, summary.columns);
  append_markdown_row(text, std::vector<std::string>(summary.columns.size(), "---"));
  for (const std::vector<std::string>& row : summary.rows) append_markdown_row(text, row);
  return text + '\n';
}

}  // namespace

std::string study_section(const std::filesystem::path& results, std::string_view study) {
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(results)) {
    for (const auto& machine : std::filesystem::directory_iterator(results)) {
      const std::filesystem::path file = machine.path() / fmt::format("{}.csv", study);
      if (std::filesystem::is_regular_file(file)) files.push_back(file);
    }
  }
  if (files.empty()) return "No table is recorded at present.\n";
  std::sort(files.begin(), files.end());
  std::string text;
  for (const std::filesystem::path& file : files) {
    const CsvTable table = CsvTable::read(file);
    text += fmt::format("`{}/{}` (source {}).\n\n", file.parent_path().filename().string(),
                        file.filename().string(), head_entry(table, "source"));
    for (const report::Summary& summary : report::summaries_of(report::kind_of(table), table))
      text += render(summary);
  }
  return text;
}

}  // namespace slipstick::internal
