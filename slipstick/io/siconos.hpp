// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "slipstick/files.hpp"

namespace slipstick::internal {

/// Reads the text of a Siconos .dat file. The format has no type tag. Every class of problem is tried, or
/// only `kind`. The reading that leaves the least of the file unread wins. Two equally good readings are an
/// error that asks for `kind`.
ProblemFile read_siconos(std::string_view text, const std::string& path, std::optional<ProblemClass> kind);

}  // namespace slipstick::internal
