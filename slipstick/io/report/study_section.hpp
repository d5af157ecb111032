// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace slipstick::internal {

/// One line of a Markdown table. A bar within a cell is escaped.
void append_markdown_row(std::string& table, const auto& cells) {
  table += '|';
  for (const std::string_view cell : cells) {
    table += ' ';
    for (const char c : cell) {
      if (c == '|') table += '\\';
      table += c;
    }
    table += " |";
  }
  table += '\n';
}

/// What the recorded tables of a study say, as Markdown: the summaries of results/MACHINE/STUDY.csv of every
/// machine (see report::summaries_of). A line says so if there is no table.
std::string study_section(const std::filesystem::path& results, std::string_view study);

}  // namespace slipstick::internal
