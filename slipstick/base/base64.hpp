// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace slipstick::internal {

/// Appends bytes as Base64 (RFC 4648), with padding.
inline void append_base64(std::string& text, std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto byte = [&](std::size_t k) {
    return k < bytes.size() ? static_cast<unsigned>(static_cast<unsigned char>(bytes[k])) : 0U;
  };
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const unsigned three = byte(k) << 16 | byte(k + 1) << 8 | byte(k + 2);
    text += letters[three >> 18];
    text += letters[three >> 12 & 63];
    text += k + 1 < bytes.size() ? letters[three >> 6 & 63] : '=';
    text += k + 2 < bytes.size() ? letters[three & 63] : '=';
  }
}

}  // namespace slipstick::internal
