// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace slipstick::internal {

/// Renders what the recorded tables of a study say.
using StudySection = std::function<std::string(std::string_view study)>;

/// Returns a Markdown page with its generated sections brought up to date. A section lies between the lines
/// `<!-- NAME:begin -->` and `<!-- NAME:end -->`. Names: `solvers` (the methods for bounds, cones and linear
/// rows), `contact-methods` (those for contact), `solver-options`, and `study-NAME`, which `study(NAME)`
/// renders (see study_section). Fails if a name is unknown or an end is missing.
std::string with_generated_sections(std::string_view page, const StudySection& study = {});

}  // namespace slipstick::internal
