// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace slipstick::internal::cli {

/// The page of apps/viewer, without the data of a run. Empty if this program was built without it.
std::string_view viewer_page();

/// What was missing when the program was built without the page.
std::string_view viewer_lacks();

}  // namespace slipstick::internal::cli
