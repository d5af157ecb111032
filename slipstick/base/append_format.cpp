// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/base/append_format.hpp"

#include <fmt/format.h>

#include <iterator>

void slipstick::internal::append_format_arguments(std::string& text, fmt::string_view format,
                                                  fmt::format_args arguments) {
  fmt::vformat_to(std::back_inserter(text), format, arguments);
}
