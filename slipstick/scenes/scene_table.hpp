// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "slipstick/scenes/scene_row.hpp"

namespace slipstick::internal {

/// The scenes that can be built, in the order of the table.
std::span<const SceneRow> scene_rows();

/// The scene of a row. Parameters that are not given have their defaults. The same parameters give the same
/// bits. Throws Error for an unknown name or parameter, with the nearest known one, and for values out of
/// range. The scene is valid.
Scene make_scene(std::string_view name, const SceneParameters& parameters = {});

}  // namespace slipstick::internal
