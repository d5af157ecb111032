// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace slipstick::internal {

/// The numbers of arrays on the device. Kernels compute with double.
enum class StoredNumber { float64, float32 };

/// How kernels are started. The bits do not depend on it.
struct LaunchOptions {
  bool graph = true;       ///< replay recorded launches
  bool overlapped = true;  ///< a kernel may start while the one before ends
  bool bulk = true;        ///< feed kernels by the copy engine where the device has one
};

}  // namespace slipstick::internal
