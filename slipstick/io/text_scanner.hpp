// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

#include "slipstick/base/error.hpp"
#include "slipstick/matrix.hpp"

namespace slipstick::internal {

/// Returns the first bytes of a regular file, by default all. Throws Error with the path if it cannot be
/// read.
std::string read_file(const std::filesystem::path& path,
                      std::uintmax_t most = std::numeric_limits<std::uintmax_t>::max());

/// Makes bytes fit for a message: escapes control characters and quotes, cuts long texts.
std::string printable(std::string_view text, std::size_t longest = 40);

/// Reads the whitespace-separated tokens of a text in memory. Every error names the path, the line, what was
/// expected and what was found. Numbers must be finite. A count is checked against the rest of the text
/// before memory is allocated for it.
class TextScanner {
 public:
  TextScanner(std::string_view text, std::string path) : text_(text), path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  /// True if only whitespace is left.
  bool at_end();
  /// The bytes after the last token.
  std::string_view rest() const { return text_.substr(position_); }
  std::size_t position() const { return position_; }
  /// The line of the last token, counted from 1.
  std::int64_t line() const;

  /// Returns the next token. `what` names it in the message if there is none.
  std::string_view token(std::string_view what);
  /// Takes a token that must be exactly `text`.
  void expect(std::string_view text);
  /// Takes the rest of the current line and goes to the next line.
  std::string_view rest_of_line();

  std::int64_t integer(std::string_view what, std::int64_t lowest,
                       std::int64_t highest = std::numeric_limits<int>::max());
  double number(std::string_view what);
  /// A number, or inf, +inf, -inf.
  double bound(std::string_view what);
  Vector numbers(std::int64_t count, std::string_view what);

  /// Throws Error if fewer than `count` tokens can be left.
  void require(std::int64_t count, std::string_view what) const;

  /// Throws Error with path and line in front of the message.
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    internal::fail("{}: line {}: {}", path_, line(), fmt::format(format, std::forward<Args>(args)...));
  }

  /// Converts a token that was taken.
  std::int64_t to_integer(std::string_view token, std::string_view what, std::int64_t lowest,
                          std::int64_t highest = std::numeric_limits<int>::max()) const;
  double to_number(std::string_view token, std::string_view what) const;

 private:
  void skip_space();

  std::string_view text_;
  std::string path_;
  std::size_t position_ = 0;
  std::size_t token_start_ = 0;
};

}  // namespace slipstick::internal
