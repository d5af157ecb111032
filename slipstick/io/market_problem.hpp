// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "slipstick/files.hpp"

namespace slipstick::internal {

// A problem: NAME.mtx holds the matrix, the companions NAME.q.mtx, NAME.lower.mtx, ... hold the other data.
// See docs/file-formats.md.

ProblemFile read_matrix_market(std::string_view text, const std::filesystem::path& path);
/// Companions are written first. NAME.mtx appears when all of them are complete.
void write_matrix_market(const std::filesystem::path& path, const ProblemFile& file);

}  // namespace slipstick::internal
