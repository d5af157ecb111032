// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace slipstick::internal {

/// A text as content or as an attribute of XML and HTML. Characters that XML does not allow, and bytes that
/// are no characters, become question marks.
std::string escape_markup(std::string_view text);

}  // namespace slipstick::internal
