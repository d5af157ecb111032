// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Marks functions that kernels call as well as the host. Nothing for a compiler that does not know devices.
#if defined(__CUDACC__)
#define SLIPSTICK_DEVICE_CODE __host__ __device__
#else
#define SLIPSTICK_DEVICE_CODE
#endif
