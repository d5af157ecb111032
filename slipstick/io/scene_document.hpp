// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "slipstick/scene.hpp"

namespace slipstick::internal {

/// Whether this build reads scenes: it was made with nlohmann-json.
bool reads_scenes();

/// The scene of a JSON document whose extent was checked. Every value has the right type and every name
/// exists. Whether the scene is valid is not checked. Throws Error with the place in the document.
Scene scene_of_document(std::string_view text, const std::filesystem::path& folder);

}  // namespace slipstick::internal
