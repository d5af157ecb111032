// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "slipstick/export.hpp"

namespace slipstick::internal {

/// The name that differs least from the word, by letters that are changed, added or left out. Empty if every
/// name differs by more than half of its letters.
SLIPSTICK_EXPORT std::string_view nearest_name(std::string_view word,
                                               std::span<const std::string_view> names);

/// For messages: ", did you mean 'NAME'?" if a name is near, else ", expected one of A, B, C".
SLIPSTICK_EXPORT std::string suggestion(std::string_view word, std::span<const std::string_view> names);

}  // namespace slipstick::internal
