// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace slipstick::internal {

/// Bytes of the UTF-8 character that a text starts with; 0 if it starts with none. Overlong forms, surrogates
/// and values past U+10FFFF are no characters. The text is not empty.
inline std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const unsigned second = byte(1);
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return 0;
  if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return 0;
  return length;
}

/// U+FFFD, which stands for bytes that are no character.
inline constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

/// Calls visit with every character; with an empty one for each byte that is part of none.
template <class Visit>
void for_each_character(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    visit(text.substr(0, length));
    text.remove_prefix(length == 0 ? 1 : length);
  }
}

/// The text with U+FFFD for each byte that is part of no character.
inline std::string valid_utf8(std::string_view text) {
  std::string valid;
  for_each_character(text, [&](std::string_view character) {
    valid += character.empty() ? replacement_character : character;
  });
  return valid;
}

/// A text from a file as it may be shown on a terminal: one line, no control characters.
inline std::string one_line(std::string_view text) {
  std::string shown;
  for_each_character(text, [&](std::string_view character) {
    const bool control =
        !character.empty() && (static_cast<unsigned char>(character[0]) < 0x20 || character[0] == 0x7F ||
                               (character[0] == '\xC2' && character[1] < '\xA0'));
    shown += character.empty() ? replacement_character : control ? std::string_view(" ") : character;
  });
  return shown;
}

}  // namespace slipstick::internal
