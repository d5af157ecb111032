// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace slipstick::internal {

/// Returns a Markdown page with its generated sections brought up to date. A section lies between the lines
/// `<!-- NAME:begin -->` and `<!-- NAME:end -->`. Names: `solvers` (the methods for bounds, cones and linear
/// rows), `contact-methods` (those for contact), `solver-options`. Fails if a name is unknown or an end is
/// missing.
std::string with_generated_sections(std::string_view page);

}  // namespace slipstick::internal
