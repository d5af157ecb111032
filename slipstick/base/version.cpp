// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/version.hpp"

#define SLIPSTICK_TEXT_OF(x) #x
#define SLIPSTICK_TEXT(x) SLIPSTICK_TEXT_OF(x)

namespace slipstick {

const char* version() {
  return SLIPSTICK_TEXT(SLIPSTICK_VERSION_MAJOR) "." SLIPSTICK_TEXT(
      SLIPSTICK_VERSION_MINOR) "." SLIPSTICK_TEXT(SLIPSTICK_VERSION_PATCH);
}

}  // namespace slipstick
