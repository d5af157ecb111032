// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/text_scanner.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <system_error>

namespace slipstick::internal {
namespace {

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// std::from_chars does not accept a plus sign.
std::string_view without_plus(std::string_view token) {
  return token.starts_with('+') && !token.starts_with("+-") ? token.substr(1) : token;
}

}  // namespace

std::string read_file(const std::filesystem::path& path, std::uintmax_t most) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) fail("{}: no such file", path.string());
  if (std::filesystem::is_directory(status)) fail("{}: is a folder, not a file", path.string());
  if (!std::filesystem::is_regular_file(status)) fail("{}: is not a regular file", path.string());
  const std::uintmax_t size = std::min(std::filesystem::file_size(path, error), most);
  std::ifstream stream(path, std::ios::binary);
  if (error || !stream) fail("{}: cannot be opened for reading", path.string());
  std::string text(size, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(size));
  if (stream.gcount() != static_cast<std::streamsize>(size)) fail("{}: cannot be read", path.string());
  return text;
}

std::string printable(std::string_view text, std::size_t longest) {
  std::string result;
  for (const char c : text.substr(0, longest)) {
    if (c >= ' ' && c <= '~') {
      result += c;
    } else {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return text.size() > longest ? result + "..." : result;
}

void TextScanner::skip_space() {
  while (position_ < text_.size() && is_space(text_[position_])) ++position_;
}

bool TextScanner::at_end() {
  skip_space();
  return position_ == text_.size();
}

std::int64_t TextScanner::line() const {
  return 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(token_start_), '\n');
}

std::string_view TextScanner::token(std::string_view what) {
  skip_space();
  token_start_ = position_;
  if (position_ == text_.size()) fail("the file ends where {} was expected", what);
  while (position_ < text_.size() && !is_space(text_[position_])) ++position_;
  return text_.substr(token_start_, position_ - token_start_);
}

void TextScanner::expect(std::string_view text) {
  const std::string_view found = token(text);
  if (found != text) fail("expected '{}', found '{}'", text, printable(found));
}

std::string_view TextScanner::rest_of_line() {
  token_start_ = position_;
  const std::size_t end = std::min(text_.find('\n', position_), text_.size());
  std::string_view rest = text_.substr(position_, end - position_);
  position_ = std::min(end + 1, text_.size());
  if (rest.ends_with('\r')) rest.remove_suffix(1);
  return rest;
}

std::int64_t TextScanner::integer(std::string_view what, std::int64_t lowest, std::int64_t highest) {
  return to_integer(token(what), what, lowest, highest);
}

std::int64_t TextScanner::to_integer(std::string_view token, std::string_view what, std::int64_t lowest,
                                     std::int64_t highest) const {
  std::int64_t value = 0;
  const std::string_view digits = without_plus(token);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::invalid_argument || end != digits.data() + digits.size())
    fail("expected a whole number ({}), found '{}'", what, printable(token));
  if (error == std::errc::result_out_of_range || value < lowest || value > highest)
    fail("expected a whole number from {} to {} ({}), found '{}'", lowest, highest, what, printable(token));
  return value;
}

double TextScanner::number(std::string_view what) {
  return to_number(token(what), what);
}

double TextScanner::to_number(std::string_view token, std::string_view what) const {
  double value = 0.0;
  const std::string_view digits = without_plus(token);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::invalid_argument || end != digits.data() + digits.size())
    fail("expected a number ({}), found '{}'", what, printable(token));
  if (error == std::errc::result_out_of_range) {
    // A number too small for a double is zero. A number too large is refused.
    if (digits.find("e-") != digits.npos || digits.find("E-") != digits.npos) return 0.0;
    fail("expected a number that a double can hold ({}), found '{}'", what, printable(token));
  }
  if (!std::isfinite(value)) fail("expected a finite number ({}), found '{}'", what, printable(token));
  return value;
}

double TextScanner::bound(std::string_view what) {
  const std::string_view found = token(what);
  if (found == "inf" || found == "+inf") return std::numeric_limits<double>::infinity();
  if (found == "-inf") return -std::numeric_limits<double>::infinity();
  return to_number(found, what);
}

Vector TextScanner::numbers(std::int64_t count, std::string_view what) {
  require(count, what);
  Vector values(count);
  for (double& value : values) value = number(what);
  return values;
}

void TextScanner::require(std::int64_t count, std::string_view what) const {
  // A token has at least one byte, and at least one byte separates it from the next token.
  const auto most = static_cast<std::int64_t>((text_.size() - position_ + 1) / 2);
  if (count > most) fail("{} {} are declared, but the file has room for {} at most", count, what, most);
}

}  // namespace slipstick::internal
