// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/docs/blocks.hpp"

#include <algorithm>

namespace slipstick::internal {

std::vector<Block> blocks(std::string_view page) {
  std::vector<Block> list;
  bool inside = false, only_empty_lines = false;
  for (int line = 1; !page.empty(); ++line) {
    const std::size_t end = std::min(page.find('\n'), page.size() - 1) + 1;
    const std::string_view text = page.substr(0, end);
    page.remove_prefix(end);
    const bool fence = text.starts_with("```");
    if (inside && !fence) {
      list.back().text += text;
    } else if (inside) {
      inside = false;
      if (list.size() > 1 && only_empty_lines && list.back().language == "text")
        list[list.size() - 2].output = list.back().text;
      only_empty_lines = true;
    } else if (fence) {
      inside = true;
      list.push_back({.language = std::string(text.substr(3, text.size() - 4)), .line = line});
    } else if (text != "\n") {
      only_empty_lines = false;
    }
  }
  return list;
}

bool names_missing_library(std::string_view message) {
  return message.find("it needs Bullet") != message.npos ||
         message.find("made without nlohmann-json") != message.npos;
}

}  // namespace slipstick::internal
