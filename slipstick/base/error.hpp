// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/core.h>

#include <utility>

#include "slipstick/error.hpp"

namespace slipstick::internal {

[[noreturn]] SLIPSTICK_EXPORT void throw_error(fmt::string_view format, fmt::format_args args);

/// Throws Error with a formatted message.
template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw_error(format, fmt::make_format_args(args...));
}

}  // namespace slipstick::internal
