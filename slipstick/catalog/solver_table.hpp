// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace slipstick {

/// A Markdown page with its generated sections brought up to date: what stands between the lines
/// `<!-- NAME:begin -->` and `<!-- NAME:end -->` becomes the table that NAME asks for. Names: `solvers-short`
/// (name, method, advice), `solvers` (the same with what each method needs and its paper),
/// `contact-methods-short` and `contact-methods` (those for contact) and `solver-options`. Fails where a name
/// is unknown or an end is missing.
std::string with_generated_sections(std::string_view page);

}  // namespace slipstick
