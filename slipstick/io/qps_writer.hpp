// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "slipstick/files.hpp"

namespace slipstick::internal {

/// The text of a QPS file that read_qps reads as the same problem. Columns are C1, C2, ..., rows R1, R2, ...
///
/// - A row with two different bounds has a range, which is their difference. If no double added to the lower
///   bound or taken from the upper one gives the other exactly, the other comes back with an error of one
///   unit in the last place.
/// - QUADOBJ has the lower triangle of A, or of (A + A')/2 if A is symmetric only up to rounding.
///
/// Throws Error if the problem is not a symmetric `Problem` over bounds, or if a number is 1e20 or more: QPS
/// readers take that for infinite.
std::string qps_text(const ProblemFile& file);
void write_qps(const std::filesystem::path& path, const ProblemFile& file);

}  // namespace slipstick::internal
