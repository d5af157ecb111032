// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/csv_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <system_error>

#include "slipstick/base/error.hpp"
#include "slipstick/base/utf8.hpp"
#include "slipstick/io/text_scanner.hpp"

namespace slipstick::internal {
namespace {

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

// Takes the records of a text one by one.
class CsvScanner {
 public:
  CsvScanner(std::string_view text, const std::string& path, std::deque<std::string>& unquoted)
      : text_(text), path_(path), unquoted_(unquoted) {}

  /// Skips empty lines. Hands comments over.
  bool at_end(std::vector<std::string>& comments) {
    while (position_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', position_), text_.size());
      std::string_view line = text_.substr(position_, end - position_);
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line.starts_with('#')) {
        line.remove_prefix(line.starts_with("# ") ? 2 : 1);
        check_length(line);
        comments.emplace_back(line);
      } else if (!line.empty()) {
        return false;
      }
      position_ = std::min(end + 1, text_.size());
      ++line_;
    }
    return true;
  }

  /// Appends the cells of the next record. Returns its line.
  std::int64_t take(std::vector<std::string_view>& cells) {
    const std::int64_t line = line_;
    do cells.push_back(take_cell());
    while (take_comma());
    return line;
  }

  template <class... Args>
  [[noreturn]] void complain(fmt::format_string<Args...> format, Args&&... args) const {
    fail("{}: line {}: {}", path_, line_, fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  std::string_view take_cell() {
    const std::string_view cell =
        position_ < text_.size() && text_[position_] == '"' ? take_quoted() : take_plain();
    check_length(cell);
    return cell;
  }

  std::string_view take_plain() {
    const std::size_t end = std::min(text_.find_first_of(",\n\"", position_), text_.size());
    if (end < text_.size() && text_[end] == '"') complain("a quotation mark inside a cell without them");
    std::string_view cell = text_.substr(position_, end - position_);
    position_ = end;
    if (cell.ends_with('\r')) cell.remove_suffix(1);
    return cell;
  }

  std::string_view take_quoted() {
    std::string cell;
    std::int64_t line_ends = 0;
    std::size_t end = position_ + 1;
    for (;; ++end) {
      if (end >= text_.size()) complain("a quotation mark is not closed");
      const char letter = text_[end];
      if (letter == '"') {
        if (end + 1 >= text_.size() || text_[end + 1] != '"') break;
        ++end;
      }
      if (letter == '\n') ++line_ends;
      cell += letter;
    }
    position_ = end + 1;
    if (position_ < text_.size() && text_[position_] == '\r') ++position_;
    if (position_ < text_.size() && text_[position_] != ',' && text_[position_] != '\n')
      complain("text after a closing quotation mark, expected a comma");
    line_ += line_ends;
    return unquoted_.emplace_back(std::move(cell));
  }

  // False at the end of the record, which is taken.
  bool take_comma() {
    if (position_ >= text_.size()) return false;
    if (text_[position_++] == ',') return true;
    ++line_;
    return false;
  }

  void check_length(std::string_view cell) const {
    if (cell.size() > CsvTable::longest_cell)
      complain("a cell of {} bytes, expected at most {}", cell.size(), CsvTable::longest_cell);
  }

  std::string_view text_;
  const std::string& path_;
  std::deque<std::string>& unquoted_;
  std::size_t position_ = 0;
  std::int64_t line_ = 1;
};

}  // namespace

CsvTable CsvTable::read(const std::filesystem::path& path) {
  std::string text = read_file(path, largest_file + 1);
  if (text.size() > largest_file)
    fail("{}: is larger than {} MiB, the most that is read", path.string(), largest_file >> 20);
  return {std::move(text), path.string()};
}

CsvTable::CsvTable(std::string text, std::string path) : path_(std::move(path)) {
  if (text.empty()) fail("{}: is empty, expected a table (CSV)", path_);
  if (!is_utf8(text)) fail("{}: is not UTF-8 text, expected a table (CSV)", path_);
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  text_ = std::make_unique<const std::string>(std::move(text));
  CsvScanner scanner(*text_, path_, unquoted_);
  if (scanner.at_end(comments_)) fail("{}: has no table, expected a line of column names", path_);
  std::vector<std::string_view> names;
  scanner.take(names);
  columns_.assign(names.begin(), names.end());
  while (!scanner.at_end(comments_)) {
    const std::size_t before = cells_.size();
    lines_.push_back(scanner.take(cells_));
    if (cells_.size() - before != columns_.size())
      fail("{}: line {}: {} cells, expected {} as in the header", path_, lines_.back(),
           cells_.size() - before, columns_.size());
  }
}

std::vector<std::string> CsvTable::texts(std::string_view column) const {
  const std::size_t place = find(column);
  std::vector<std::string> list;
  for (std::size_t row = 0; row < rows(); ++row) list.emplace_back(cell(row, place));
  return list;
}

std::vector<double> CsvTable::numbers(std::string_view column) const {
  const std::size_t place = find(column);
  std::vector<double> list;
  for (std::size_t row = 0; row < rows(); ++row) list.push_back(number(row, place));
  return list;
}

std::vector<double> CsvTable::finite_numbers(std::string_view column) const {
  const std::vector<double> list = numbers(column);
  for (std::size_t row = 0; row < rows(); ++row)
    if (!std::isfinite(list[row])) complain(row, find(column), "a finite number");
  return list;
}

void CsvTable::check_numbers(std::size_t column) const {
  for (std::size_t row = 0; row < rows(); ++row)
    if (!cell(row, column).empty()) number(row, column);
}

std::size_t CsvTable::find(std::string_view column) const {
  const auto found = std::find(columns_.begin(), columns_.end(), column);
  assert(found != columns_.end());
  return static_cast<std::size_t>(found - columns_.begin());
}

double CsvTable::number(std::size_t row, std::size_t column) const {
  const std::string_view text = cell(row, column);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) complain(row, column, "a number");
  return value;
}

void CsvTable::complain(std::size_t row, std::size_t column, std::string_view expected) const {
  fail("{}: line {}: '{}' in column '{}', expected {}", path_, lines_[row], printable(cell(row, column)),
       printable(columns_[column]), expected);
}

std::vector<std::string> split_header(std::string_view header) {
  std::vector<std::string> names;
  while (true) {
    const std::size_t comma = header.find(',');
    names.emplace_back(header.substr(0, comma));
    if (comma == header.npos) return names;
    header.remove_prefix(comma + 1);
  }
}

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == text.npos && !text.starts_with('#')) return std::string(text);
  std::string cell = "\"";
  for (const char letter : text) cell.append(letter == '"' ? 2 : 1, letter);
  return cell + '"';
}

}  // namespace slipstick::internal
