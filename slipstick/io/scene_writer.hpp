// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include "slipstick/scene.hpp"

namespace slipstick::internal {

inline constexpr int scene_file_version = 1;

/// The scene as a JSON document (docs/scene-files.md). Values that are the default are left out. Numbers read
/// back as the same bits. Throws Error if the scene is not valid.
std::string scene_text(const Scene& scene);

void write_scene(std::ostream& to, const Scene& scene);
/// The file gets its name only when it is complete.
void write_scene(const std::filesystem::path& path, const Scene& scene);

}  // namespace slipstick::internal
