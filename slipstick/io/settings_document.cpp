// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/settings_document.hpp"

#include "slipstick/base/error.hpp"

#ifdef SLIPSTICK_HAVE_JSON
#include "slipstick/io/json_reading.hpp"

namespace slipstick::internal {

SettingsMembers read_settings_document(std::string_view text) {
  const Json document = Json::parse(text, nullptr, false);
  if (!document.is_object()) fail("the settings are not a JSON object");
  SettingsMembers members;
  for (const auto& [key, value] : document.items()) {
    std::vector<std::string>& texts = members[key];
    const auto add = [&, name = std::string_view(key)](const Json& item) {
      if (!item.is_string()) fail("settings: {} holds {}, expected texts", name, kind_of(item));
      texts.push_back(item.get<std::string>());
    };
    if (value.is_number()) {
      texts.push_back(value.dump());
    } else if (value.is_array()) {
      for (const Json& item : value) add(item);
    } else {
      add(value);
    }
  }
  return members;
}

}  // namespace slipstick::internal

#else

namespace slipstick::internal {

SettingsMembers read_settings_document(std::string_view) {
  fail("the settings of a run cannot be read: this build was made without nlohmann-json");
}

}  // namespace slipstick::internal

#endif
