// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/sanitized.hpp"

#if defined(SLIPSTICK_SANITIZED)
const bool slipstick::internal::sanitized = true;
#else
const bool slipstick::internal::sanitized = false;
#endif
