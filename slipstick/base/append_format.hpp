// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/core.h>

#include <string>

#include "slipstick/export.hpp"

namespace slipstick::internal {

SLIPSTICK_EXPORT void append_format_arguments(std::string& text, fmt::string_view format,
                                              fmt::format_args arguments);

/// Appends formatted text, like fmt::format_to. {fmt} is compiled once here. In every caller it would cost
/// seconds of compile time. Allocates nothing if the text has room.
template <class... Args>
void append_format(std::string& text, fmt::format_string<Args...> format, Args&&... args) {
  append_format_arguments(text, format, fmt::make_format_args(args...));
}

}  // namespace slipstick::internal
