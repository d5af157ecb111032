// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace slipstick::internal {

/// A program that stands in the documentation.
struct Snippet {
  std::string page;
  int (*main)();
};
const std::vector<Snippet>& snippets();

}  // namespace slipstick::internal
