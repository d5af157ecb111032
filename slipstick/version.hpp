// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/export.hpp"

/// The version of these headers. CMakeLists.txt reads it from here.
#define SLIPSTICK_VERSION_MAJOR 0
#define SLIPSTICK_VERSION_MINOR 1
#define SLIPSTICK_VERSION_PATCH 0

namespace slipstick {

/// The version of the library that the program runs with, as "0.1.0".
SLIPSTICK_EXPORT const char* version();

}  // namespace slipstick
