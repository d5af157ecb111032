// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/core.h>

#include <string>

namespace slipstick {

void append_format_arguments(std::string& text, fmt::string_view format, fmt::format_args arguments);

/// fmt::format_to(std::back_inserter(text), ...), but {fmt} is compiled once, not in every file that has such
/// a call, which takes seconds each. Allocates nothing where the text has room.
template <class... Args>
void append_format(std::string& text, fmt::format_string<Args...> format, Args&&... args) {
  append_format_arguments(text, format, fmt::make_format_args(args...));
}

}  // namespace slipstick
