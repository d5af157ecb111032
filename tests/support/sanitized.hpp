// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace slipstick::internal {

/// Whether the tests run under the address sanitizer, where everything takes about ten times as long: for
/// tests that choose a smaller problem then.
extern const bool sanitized;

}  // namespace slipstick::internal
