// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace slipstick::internal {

/// A table of comma-separated text (RFC 4180): a line of column names, then rows of as many cells. Lines that
/// start with '#' are comments. Empty lines are skipped. Every error is an Error that names the path and the
/// line.
class CsvTable {
 public:
  static constexpr std::size_t largest_file = std::size_t{256} << 20;  ///< bytes
  static constexpr std::size_t longest_cell = std::size_t{1} << 16;    ///< bytes

  /// Fails if the file is empty, too large, not UTF-8 or not a table. A table without rows is one.
  static CsvTable read(const std::filesystem::path& path);
  /// The same for a text. `path` is its name in messages.
  CsvTable(std::string text, std::string path);

  const std::string& path() const { return path_; }
  /// Without "# ".
  const std::vector<std::string>& comments() const { return comments_; }
  const std::vector<std::string>& columns() const { return columns_; }
  std::size_t rows() const { return lines_.size(); }
  std::string_view cell(std::size_t row, std::size_t column) const {
    return cells_[row * columns_.size() + column];
  }

  /// The cells of a column that is there.
  std::vector<std::string> texts(std::string_view column) const;
  /// The same as numbers; nan and inf are numbers. Fails if a cell is none.
  std::vector<double> numbers(std::string_view column) const;
  /// The same. Fails if a number is not finite.
  std::vector<double> finite_numbers(std::string_view column) const;
  /// Fails if a cell is neither a number nor empty.
  void check_numbers(std::size_t column) const;

 private:
  std::size_t find(std::string_view column) const;
  double number(std::size_t row, std::size_t column) const;
  [[noreturn]] void complain(std::size_t row, std::size_t column, std::string_view expected) const;

  std::string path_;
  std::unique_ptr<const std::string> text_;
  std::deque<std::string> unquoted_;  ///< cells that are not in the text as they are
  std::vector<std::string> comments_;
  std::vector<std::string> columns_;
  std::vector<std::string_view> cells_;
  std::vector<std::int64_t> lines_;  ///< of the rows
};

/// The cells of a line without quotation marks.
std::vector<std::string> split_header(std::string_view header);
/// A cell in quotation marks if it needs them.
std::string csv_cell(std::string_view text);

}  // namespace slipstick::internal
