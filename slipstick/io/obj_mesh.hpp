// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "slipstick/scene.hpp"

namespace slipstick::internal {

/// Reads the vertices (v) and faces (f) of a Wavefront OBJ text. A face of more than three corners becomes
/// triangles about its first. Normals, textures, groups, lines and materials are not read. Throws Error with
/// `path` and the line.
MeshShape parse_obj(std::string_view text, const std::string& path);

/// Reads `file`, a path relative to `folder`. Throws Error if it leads out of the folder, also by a link.
MeshShape read_obj(const std::filesystem::path& folder, const std::string& file);

}  // namespace slipstick::internal
