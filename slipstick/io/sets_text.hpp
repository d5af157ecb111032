// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "slipstick/problems/sets.hpp"

namespace slipstick::internal {

/// True if K is a box without roles. Its bounds then describe it in full.
bool is_plain_box(const ProductSet& K);

/// K as text, one line per block (one per row for intervals), in the order of the rows:
///     free ROLE ROWS | nonnegative ROLE ROWS | interval ROLE LOWER UPPER | cone MU ROWS |
///     diamond ROLE RADIUS ROWS | disk ROLE RADIUS ROWS
/// ROLE is one of plain, normal, friction, bilateral. Lines that start with # are remarks.
std::string sets_text(const ProductSet& K);
/// Throws Error if the blocks do not have `rows` rows in all.
ProductSet parse_sets(std::string_view text, const std::string& path, Index rows);

}  // namespace slipstick::internal
