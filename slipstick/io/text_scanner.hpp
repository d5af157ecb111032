// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/vector.hpp"

namespace slipstick {

/// The first bytes of a regular file, by default all of them; fails with the path where it cannot be read.
std::string read_file(const std::filesystem::path& path,
                      std::uintmax_t most = std::numeric_limits<std::uintmax_t>::max());

/// Bytes as they can stand in a message: control characters and quotes escaped, long texts cut.
std::string printable(std::string_view text, std::size_t longest = 40);

/// The whitespace-separated tokens of a text in memory. Every failure names the path, the line, what was
/// expected and what was found; numbers must be finite and counts are checked against what is left of the
/// text before anybody allocates for them.
class TextScanner {
 public:
  TextScanner(std::string_view text, std::string path) : text_(text), path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  /// Nothing but whitespace is left.
  bool at_end();
  /// The bytes behind the last token taken.
  std::string_view rest() const { return text_.substr(position_); }
  std::size_t position() const { return position_; }
  /// The line of the last token taken, from 1.
  std::int64_t line() const;

  /// The next token; `what` names it for the message where there is none.
  std::string_view token(std::string_view what);
  /// A token that must be exactly `text`.
  void expect(std::string_view text);
  /// What is left of the current line; afterwards the next line is current.
  std::string_view rest_of_line();

  std::int64_t integer(std::string_view what, std::int64_t lowest,
                       std::int64_t highest = std::numeric_limits<int>::max());
  double number(std::string_view what);
  /// A number, or inf, +inf, -inf.
  double bound(std::string_view what);
  Vector numbers(std::int64_t count, std::string_view what);

  /// Fails where fewer than `count` tokens can be left.
  void require(std::int64_t count, std::string_view what) const;

  /// Throws Error with path and line in front of the message.
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    slipstick::fail("{}: line {}: {}", path_, line(), fmt::format(format, std::forward<Args>(args)...));
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

}  // namespace slipstick
