// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace slipstick::internal {

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

/// How often the part is in the text.
inline int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace slipstick::internal
