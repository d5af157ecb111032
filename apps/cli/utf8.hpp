// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "slipstick/base/utf8.hpp"

namespace slipstick::internal::cli {

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

/// A text from a file as it may be shown on a terminal: one line, no control characters.
inline std::string printable(std::string_view text) {
  std::string shown;
  for_each_character(text, [&](std::string_view character) {
    const bool control =
        !character.empty() && (static_cast<unsigned char>(character[0]) < 0x20 || character[0] == 0x7F ||
                               (character[0] == '\xC2' && character[1] < '\xA0'));
    shown += character.empty() ? replacement_character : control ? std::string_view(" ") : character;
  });
  return shown;
}

}  // namespace slipstick::internal::cli
