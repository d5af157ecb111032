// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace slipstick::internal::cli {

/// The program under test: another one for the tests under the sanitizers.
extern const char* const program_path;

}  // namespace slipstick::internal::cli
