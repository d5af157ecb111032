// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "slipstick/problems/sets.hpp"

namespace slipstick {

/// K as a box without roles, which its bounds describe in full.
bool is_plain_box(const ProductSet& K);

/// K as text, a line per block (per row for intervals), in the order of the rows:
///     free ROLE ROWS | nonnegative ROLE ROWS | interval ROLE LOWER UPPER | cone MU ROWS |
///     diamond ROLE RADIUS ROWS | disk ROLE RADIUS ROWS
/// with ROLE one of plain, normal, friction, bilateral. Lines that start with # are remarks.
std::string sets_text(const ProductSet& K);
/// Fails where the blocks do not have `rows` rows together.
ProductSet parse_sets(std::string_view text, const std::string& path, Index rows);

}  // namespace slipstick
