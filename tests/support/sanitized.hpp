// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace slipstick::internal {

/// Whether the tests run under the address sanitizer. Everything takes about ten times as long then, so long
/// tests choose a smaller problem.
extern const bool sanitized;

}  // namespace slipstick::internal
