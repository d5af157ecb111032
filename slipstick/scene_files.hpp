// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "slipstick/export.hpp"
#include "slipstick/scene.hpp"

// Scenes as JSON documents (docs/scene-files.md):
//
//     const Scene scene = read_scene("stack.json");
//     World world(scene);
namespace slipstick {

inline constexpr int scene_file_version = 1;

/// Reads a scene. The result is valid. Throws Error with the path, the place in the document, what is there
/// and what was expected. A build without nlohmann-json reads none.
SLIPSTICK_EXPORT Scene read_scene(const std::filesystem::path& path);

/// The same from a text. Files that it names lie below `folder`. If `folder` is empty, they are refused.
SLIPSTICK_EXPORT Scene parse_scene(std::string_view text, const std::filesystem::path& folder = {});

/// The scene as a document. Values that are the default are left out. Numbers read back as the same bits.
/// Meshes are in it, not in files. Throws Error if the scene is not valid.
SLIPSTICK_EXPORT std::string scene_text(const Scene& scene);

/// The file gets its name only when it is complete.
SLIPSTICK_EXPORT void write_scene(const std::filesystem::path& path, const Scene& scene);

}  // namespace slipstick
