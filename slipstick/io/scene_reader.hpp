// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "slipstick/scene.hpp"

namespace slipstick::internal {

/// Reads a scene (docs/scene-files.md). The result is valid (see check). Throws Error with the path, the
/// place in the document, what is there and what was expected.
Scene read_scene(const std::filesystem::path& path);

/// The same from a text. Files that it names lie below `folder`. If `folder` is empty, they are refused.
Scene parse_scene(std::string_view text, const std::filesystem::path& folder);

}  // namespace slipstick::internal
