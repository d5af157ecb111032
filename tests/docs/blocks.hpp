// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipstick::internal {

/// A fenced block of a Markdown page.
struct Block {
  std::string language = {};  ///< the word behind the opening fence
  std::string text = {};      ///< the lines between the fences
  int line = 0;               ///< of the opening fence, from 1
  /// What a ```text block says that stands behind it, with only empty lines between. None: there is none.
  std::optional<std::string> output = {};
};

/// The fenced blocks of a page, in order. A fence stands at the beginning of a line.
std::vector<Block> blocks(std::string_view page);

/// Whether a message says that this build lacks what an example needs: a library that is optional.
bool names_missing_library(std::string_view message);

}  // namespace slipstick::internal
