// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include "slipstick/settings.hpp"

namespace slipstick::internal {

/// What a word of the command line or of a request stands for.
enum class WordKind { solver, friction, option, argument };

/// Fails with the new word if `word` is an old one. Options are written METHOD.KEY.
void check_renamed(WordKind kind, std::string_view word);

}  // namespace slipstick::internal
