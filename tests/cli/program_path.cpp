// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/program_path.hpp"

const char* const slipstick::internal::cli::program_path = SLIPSTICK_PROGRAM;
