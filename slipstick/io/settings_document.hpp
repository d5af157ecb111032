// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace slipstick::internal {

/// The members of a JSON object, by name: a text, a number with all its digits, or a list of texts.
using SettingsMembers = std::map<std::string, std::vector<std::string>, std::less<>>;

/// Throws Error if the text is something else, or if the build was made without nlohmann-json.
SettingsMembers read_settings_document(std::string_view text);

}  // namespace slipstick::internal
