// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace slipstick::internal {

/// Calls of malloc and its kin, from anywhere in the process, since the program started.
std::size_t allocations();

}  // namespace slipstick::internal
