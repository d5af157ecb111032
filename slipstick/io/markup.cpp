// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/markup.hpp"

#include <algorithm>

#include "slipstick/base/utf8.hpp"

namespace slipstick::internal {
namespace {

bool is_allowed(std::string_view character) {
  if (character.empty()) return false;
  if (character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF") return false;  // U+FFFE, U+FFFF
  const auto first = static_cast<unsigned char>(character[0]);
  return (first >= ' ' && first != 0x7F) || first == '\n' || first == '\t';
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, length);
    if (character == "&") {
      result += "&amp;";
    } else if (character == "<") {
      result += "&lt;";
    } else if (character == ">") {
      result += "&gt;";
    } else if (character == "\"") {
      result += "&quot;";
    } else if (character == "'") {
      result += "&#39;";
    } else {
      result += is_allowed(character) ? character : "?";
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

}  // namespace slipstick::internal
