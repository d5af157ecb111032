// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Marks the symbols that a shared library exports. Everything else is hidden.
#if defined(_WIN32)
#define SLIPSTICK_EXPORT
#else
#define SLIPSTICK_EXPORT __attribute__((visibility("default")))
#endif
